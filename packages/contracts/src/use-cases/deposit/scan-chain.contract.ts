import { describe, expect, test } from 'vitest'
import { defaultScanSettings, Unavailable, usdt } from '@quipu/core'
import { type DepositStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { newGate } from '../../fixtures/gate.ts'
import { hashOf } from '../../fixtures/deposit/addresses.ts'
import { depositHarness } from '../../fixtures/deposit/deposit-harness.ts'

export function scanChainTests(open: OpenHarness<DepositStores>): void {
  describe('the scans', () => {
    const w = useWorld(open, 'each')
    const begin = async () => {
      const harness = await depositHarness(w)
      harness.chain.mineEmpty(3)
      harness.chain.solidify()
      await harness.solid()
      return harness
    }
    const down = (): never => {
      throw new Unavailable('chain', 'connection refused')
    }

    test.each([
      ['at the newest solid block by default', {}, 1],
      ['at `firstBlock`', { firstBlock: 1 }, 2],
    ])('the solid scan starts %s', async (_, over, blocks) => {
      const { chain, topUp, scanner, deposits } = await depositHarness(w)
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      chain.mine(chain.pay(topUp.account, 6_000_000n))
      chain.solidify()
      expect(await scanner('solid', over)()).toMatchObject({ state: 'idle', blocks, lagBlocks: 0 })
      expect(await deposits()).toHaveLength(blocks)
    })

    // The newest head block is left for the next poll, as it is the likeliest to be forked out.
    test.each([
      ['solid', [3, 4, 'more'], [3, 1, 'more'], [1, 0, 'idle']],
      ['head', [3, 3, 'more'], [3, 0, 'idle'], [0, 0, 'idle']],
    ] as const)('polls of the %s scan: blocks read, blocks left, state: %j, %j, %j', async (view, ...rounds) => {
      const { chain, scanner } = await begin()
      chain.mineEmpty(7)
      if (view === 'solid') chain.solidify()
      const scan = scanner(view, { blocksPerPoll: 3 })
      for (const [blocks, lagBlocks, state] of rounds) expect(await scan()).toMatchObject({ blocks, lagBlocks, state })
    })

    test('the head scan continues during an outage of solid blocks, without credits', async () => {
      const { chain, topUp, head, solid, settle, deposit } = await begin()
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      chain.mine()
      chain.solidify()
      chain.onCall = (_, view) => (view === 'solid' ? down() : undefined)
      await expect(solid()).rejects.toThrow(Unavailable)
      expect(await head()).toMatchObject({ blocks: 1 })
      expect(await settle()).toEqual([])
      expect((await deposit()).status).toBe('pending')
      chain.onCall = () => undefined
      expect(await solid()).toMatchObject({ state: 'idle', blocks: 2 })
      expect(await settle()).toMatchObject([{ status: 'credited' }])
    })

    test('a failed poll keeps what it has written and yields the scan', async () => {
      const { chain, topUp, solid, deposits } = await begin()
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      chain.mineEmpty(3)
      chain.solidify()
      chain.onCall = (question, _, number) => (question === 'block' && number === 6 ? down() : undefined)
      await expect(solid()).rejects.toThrow(Unavailable)
      expect(await w.scans.at('tron', 'solid')).toMatchObject({ number: 5 })
      expect(await deposits()).toHaveLength(1)
      chain.onCall = () => undefined
      expect(await solid()).toMatchObject({ state: 'idle', blocks: 2 })
    })

    test('a solid block with another parent halts the scan and raises one alert for the halt', async () => {
      const { chain, topUp, solid, deposits, alerts } = await begin()
      chain.mine()
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      chain.mineEmpty(2)
      chain.solidify()
      chain.showBlock = (_, block) => (block.number === 5 ? { ...block, parentId: hashOf('another chain') } : block)
      expect(await solid()).toMatchObject({ state: 'contradicted', blocks: 1, transfers: 0 })
      expect(await solid()).toMatchObject({ state: 'contradicted', blocks: 0 })
      expect(await deposits()).toEqual([])
      expect(alerts.map(({ code, subject }) => [code, subject])).toEqual([['CHAIN_CONTRADICTS', 'tron']])
      chain.showBlock = (_, block) => block
      expect(await solid()).toMatchObject({ state: 'idle', transfers: 1 })
      // A later halt is another one.
      chain.mineEmpty(1)
      chain.solidify()
      chain.showBlock = (_, block) => ({ ...block, parentId: hashOf('another chain') })
      expect(await solid()).toMatchObject({ state: 'contradicted' })
      expect(alerts).toHaveLength(2)
    })

    test('rewinds a fork of any depth, down to the solid block at most', async () => {
      const { chain, topUp, head, deposits } = await begin()
      for (const depth of [1, 2, 5, 12]) {
        chain.mineEmpty(12)
        while ((await head()).state === 'more');
        chain.fork(depth + 1)
        chain.mine(chain.pay(topUp.account, 5_000_000n))
        chain.mineEmpty(depth + 1)
        expect(await head()).toMatchObject({ state: 'more', blocks: 0 })
        // Scans only the blocks that the fork replaced, and the new one.
        expect(await head()).toMatchObject({ state: 'idle', blocks: depth + 1, transfers: 1 })
        const ids = (await w.scans.refsAbove('tron', chain.solid)).map(({ id }) => id)
        const ours = chain.blocks.slice(chain.solid, -1).map(({ id }) => id)
        expect(ids).toEqual(ours.toReversed())
      }
      expect(await deposits()).toHaveLength(4)
      chain.fork(chain.blocks.length - chain.solid)
      chain.mineEmpty(60)
      while ((await head()).state === 'more');
      expect(await w.scans.at('tron', 'head')).toMatchObject({ id: chain.blocks.at(-2)?.id })
    })

    test('a worker whose lease ended writes nothing when it continues', async () => {
      const { chain, topUp, solid, scanner, settle, deposit, available } = await begin()
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      chain.mineEmpty(3)
      chain.solidify()
      const { reached, open, pass } = newGate()
      chain.onCall = pass
      const silent = solid()
      await reached
      chain.onCall = () => undefined
      await w.advance(61)
      expect(await scanner('solid')()).toMatchObject({ state: 'idle', blocks: 4 })
      await settle()
      open()
      expect(await silent).toMatchObject({ state: 'leased', blocks: 0 })
      expect(await settle()).toEqual([])
      expect((await deposit()).status).toBe('credited')
      expect(await available()).toBe(5_000_000n)
    })

    test('renews the lease with every write of a long poll', async () => {
      const { chain, solid, scanner } = await begin()
      chain.mineEmpty(200)
      chain.solidify()
      const rivals: string[] = []
      chain.onCall = async (question, _, number) => {
        if (question !== 'block' || (number !== 40 && number !== 160)) return
        await w.advance((defaultScanSettings.leaseSeconds * 2) / 3)
        if (number === 160) rivals.push((await scanner('solid')()).state)
      }
      expect(await solid()).toMatchObject({ state: 'idle', blocks: 200 })
      expect(rivals).toEqual(['leased'])
    })

    test('a backfill reads ahead concurrently, writes in order, and ends each poll at its limit', async () => {
      const { chain, topUp, scanner, settle, available } = await begin()
      for (let n = 0; n < 300; n++) {
        chain.mine(...(n % 50 === 0 ? [chain.pay(topUp.account, 1_000_000n)] : []))
      }
      chain.solidify()
      let [reading, most] = [0, 0]
      chain.onCall = async (question, _, number) => {
        if (question !== 'block') return
        most = Math.max(most, ++reading)
        // Later blocks are answered first.
        for (let turn = 0; turn < 20 - (number % 20); turn++) await Promise.resolve()
        reading--
      }
      const solid = scanner('solid', { blocksPerPoll: 100, readAhead: 16 })
      expect(await solid()).toMatchObject({ state: 'more', blocks: 100, lagBlocks: 200 })
      expect(await solid()).toMatchObject({ state: 'more', blocks: 100, lagBlocks: 100 })
      expect(await solid()).toMatchObject({ state: 'idle', blocks: 100, lagBlocks: 0 })
      expect(most).toBe(16)
      await settle()
      expect(await available()).toBe(6_000_000n)
    })

    test('an address that fails its check raises an alert, and its deposit goes to review', async () => {
      const { chain, topUp, solid, finalizeAll, alerts, deposits, ensure, tenantId } = await begin()
      await ensure(await w.newWallet(usdt(0n)))
      expect(await w.addresses.renewMac(topUp, '1.changed')).toBe(true)
      chain.mine(chain.pay(topUp.account, 5_000_000n), chain.pay(topUp.account, 6_000_000n))
      chain.mineEmpty(60)
      chain.solidify()
      await solid()
      expect(alerts).toMatchObject([{ code: 'ADDRESS_MAC_MISMATCH', tenantId, subject: topUp.address }])
      await finalizeAll()
      const notVerified = { status: 'in_review', reviewCode: 'ADDRESS_NOT_VERIFIED' }
      expect(await deposits()).toMatchObject([notVerified, notVerified])
      await w.addresses.renewMac({ ...topUp, mac: '1.changed' }, topUp.mac)
      await w.advance(301)
      await finalizeAll()
      expect(await deposits()).toMatchObject([{ status: 'credited' }, { status: 'credited' }])
    })

    test('a pending transfer in a solid block that was passed is found again', async () => {
      const { chain, topUp, scanner, head, finalizeAll, available, deposit } = await begin()
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      chain.mine()
      await head()
      chain.mineEmpty(60)
      chain.solidify()
      // A scan that does not know the address, as one over rows of a backup.
      const match = async () => []
      const blind = { addresses: { ...w.addresses, match } }
      expect(await scanner('solid', { ...blind, blocksPerPoll: 10 })()).toMatchObject({ blocks: 10 })
      // A node that does not say where the transaction is rules nothing out.
      chain.onCall = (question) => (question === 'blockOf' ? down() : undefined)
      await finalizeAll()
      expect((await deposit()).status).toBe('pending')
      chain.onCall = () => undefined
      chain.mine()
      await finalizeAll()
      expect(await available()).toBe(5_000_000n)
    })
  })
}
