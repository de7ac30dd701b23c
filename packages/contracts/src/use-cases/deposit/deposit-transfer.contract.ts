import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { someInstant } from '../../fixtures/instants.ts'
import { type DepositStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { accountOf } from '../../fixtures/deposit/addresses.ts'
import { depositHarness } from '../../fixtures/deposit/deposit-harness.ts'
import { lifeSeconds, type Move, type Tx } from '../../fixtures/deposit/scripted-chain.ts'

/** The number of blocks after which a transaction made now has expired. */
const lifeBlocks = lifeSeconds / 3

export function depositTransferTests(open: OpenHarness<DepositStores>): void {
  describe('a transfer on the chain', () => {
    const w = useWorld(open, 'each')
    const begin = async () => {
      const harness = await depositHarness(w)
      harness.chain.mineEmpty(3)
      harness.chain.solidify()
      await harness.solid()
      return harness
    }

    test('is pending at the head and credited when solid, with an event each time', async () => {
      const { chain, topUp, head, solid, settle, deposit, available, eventTypes, events } = await begin()
      const from = accountOf('the tenant’s own wallet')
      const tx = chain.pay(topUp.account, 12_345_678n, { from })
      const block = chain.mine(tx)
      chain.mine()
      expect(await head()).toMatchObject({ state: 'idle', blocks: 1, transfers: 1, lagBlocks: 0 })
      const pending = await deposit()
      expect(pending).toMatchObject({
        status: 'pending',
        chain: 'tron',
        txHash: tx.hash,
        transferIndex: 0,
        address: topUp.address,
        fromAddress: `T${from}`,
        amount: usdt(12_345_678n),
      })
      expect(await settle()).toEqual([])
      expect(await available()).toBe(0n)
      chain.solidify()
      expect(await solid()).toMatchObject({ state: 'idle', transfers: 1, lagBlocks: 0 })
      const [credited] = await settle()
      expect(credited).toMatchObject({ ...pending, status: 'credited' })
      expect(await deposit()).toEqual(credited)
      expect(await available()).toBe(12_345_678n)
      expect(await eventTypes(pending.id)).toEqual(['deposit.pending', 'deposit.credited'])
      // `occurred_at` of deposit.pending is the block's time, of deposit.credited the commit's.
      const [first, last] = await events(pending.id)
      expect(first).toMatchObject({ type: 'deposit.pending', occurredAt: block.at })
      expect(first?.recordedAt.getTime()).toBeGreaterThan(block.at.getTime())
      expect(last).toMatchObject({
        type: 'deposit.credited',
        occurredAt: credited?.status === 'credited' ? credited.creditedAt : undefined,
      })
    })

    test('is found up to one block before the newest', async () => {
      const { chain, topUp, head, deposits } = await begin()
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      expect(await head()).toMatchObject({ state: 'idle', blocks: 0 })
      expect(await deposits()).toEqual([])
      chain.mine()
      await head()
      expect(await deposits()).toHaveLength(1)
    })

    test('is pending and then credited by the solid scan alone when the head is not scanned', async () => {
      const { chain, topUp, finalizeAll, deposit, eventTypes, available } = await begin()
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      await finalizeAll()
      const { id, status } = await deposit()
      expect(status).toBe('credited')
      expect(await eventTypes(id)).toEqual(['deposit.pending', 'deposit.credited'])
      expect(await available()).toBe(5_000_000n)
    })

    test('is found when its address was created just before', async () => {
      const { chain, head, ensure, finalizeAll } = await begin()
      chain.mineEmpty(2)
      await head()
      const tenantId = await w.newWallet(usdt(0n))
      const { account } = await ensure(tenantId)
      chain.mine(chain.pay(account, 5_000_000n))
      chain.mine()
      expect(await head()).toMatchObject({ transfers: 1 })
      await finalizeAll()
      expect(await w.wallets.find(tenantId)).toMatchObject({ available: usdt(5_000_000n) })
    })

    test('is one deposit for each index of its transaction', async () => {
      const { chain, topUp, ensure, finalizeAll, deposits } = await begin()
      const other = await ensure(await w.newWallet(usdt(0n)))
      const from = accountOf('multisender')
      const to = [accountOf('unknown'), topUp.account, other.account, topUp.account]
      const moves = to.map((account, n) => ({ from, to: account, value: BigInt(n + 1) * 1_000_000n }))
      chain.mine({ ...chain.pay(from, 1n), moves })
      await finalizeAll()
      const mine = (await deposits()).map(({ transferIndex, amount }) => [transferIndex, amount.minor])
      expect(mine.toSorted()).toEqual([
        [1, 2_000_000n],
        [3, 4_000_000n],
      ])
      expect(await w.wallets.find(other.tenantId)).toMatchObject({ available: usdt(3_000_000n) })
    })

    test('of a failed transaction makes no deposit', async () => {
      const { chain, topUp, head, finalizeAll, deposits } = await begin()
      chain.mine(chain.pay(topUp.account, 5_000_000n, { failed: true }))
      chain.mine()
      await head()
      await finalizeAll()
      expect(await deposits()).toEqual([])
    })

    test('of value zero or of an unknown token makes no deposit and is counted', async () => {
      const { chain, topUp, head, solid, deposits } = await begin()
      const unknown = accountOf('unknown')
      const zero = chain.pay(topUp.account, 0n)
      const other = chain.pay(unknown, 1n, { unknownTokenRecipients: [topUp.account, unknown, topUp.account] })
      chain.mine(zero, chain.pay(unknown, 0n), other)
      chain.mine()
      const { tenantId, address } = topUp
      const contract = accountOf('another token')
      const ofOther = { kind: 'unknown_token', tenantId, address, txHash: other.hash, contract }
      const ofZero = { kind: 'zero_value', tenantId, address, txHash: zero.hash, contract: null }
      const unmatched = [ofOther, ofOther, ofZero]
      const counts = { transfers: 0, zeroValue: 1, unknownTokenTransfers: 2, unmatched }
      expect(await head()).toMatchObject(counts)
      chain.solidify()
      expect(await solid()).toMatchObject(counts)
      expect(await deposits()).toEqual([])
    })

    test.each([2n ** 63n, 2n ** 256n - 1n])(
      'of %d, from a hostile token, is put in review, and the scan continues',
      async (value) => {
        const { chain, topUp, head, finalizeAll, deposit, credit, reconcile, available } = await begin()
        chain.mine(chain.pay(topUp.account, value))
        chain.mine()
        await head()
        await finalizeAll()
        const inReview = await deposit()
        expect(inReview).toMatchObject({
          amount: usdt(value),
          status: 'in_review',
          reviewCode: 'AMOUNT_ABOVE_AUTO_LIMIT',
        })
        expect(await credit('ana', inReview.id, 'known sender')).toEqual({ type: 'refused', code: 'not_creditable' })
        chain.mine(chain.pay(topUp.account, 7_000_000n))
        await finalizeAll()
        expect(await available()).toBe(7_000_000n)
        expect(await reconcile(inReview.tenantId)).toMatchObject({ balanced: true })
      },
    )

    test('that a fork moves to another block is one deposit, credited once', async () => {
      const { chain, topUp, head, finalizeAll, deposit, eventTypes, available } = await begin()
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      chain.mine()
      await head()
      const taken = chain.fork(2)
      chain.mineEmpty(2)
      chain.mine(...taken)
      chain.mine()
      expect(await head()).toMatchObject({ state: 'more' })
      expect(await head()).toMatchObject({ state: 'idle', blocks: 3, transfers: 1 })
      await finalizeAll()
      const { id } = await deposit()
      expect(await eventTypes(id)).toEqual(['deposit.pending', 'deposit.credited'])
      expect(await available()).toBe(5_000_000n)
    })

    test('that a fork removes stays pending until its transaction has expired', async () => {
      const { chain, topUp, head, finalizeAll, deposit, eventTypes, credit, available } = await begin()
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      chain.mine()
      await head()
      chain.fork(2)
      chain.mineEmpty(lifeBlocks - 1)
      expect(await finalizeAll()).toEqual([])
      const { id } = await deposit()
      expect((await deposit()).status).toBe('pending')
      chain.mine()
      await finalizeAll()
      expect(await deposit()).toMatchObject({ status: 'in_review', reviewCode: 'TRANSFER_DROPPED' })
      expect(await eventTypes(id)).toEqual(['deposit.pending', 'deposit.in_review'])
      expect(await credit('ana', id, 'known sender')).toEqual({ type: 'refused', code: 'not_creditable' })
      expect(await available()).toBe(0n)
    })

    test('that returns in the last possible block is credited', async () => {
      const { chain, topUp, head, finalizeAll, deposit } = await begin()
      const tx = chain.pay(topUp.account, 5_000_000n)
      chain.mine(tx)
      chain.mine()
      await head()
      chain.fork(2)
      chain.mineEmpty(lifeBlocks - 1)
      expect(chain.mine(tx).at).toEqual(tx.expiresAt)
      await finalizeAll()
      expect(await deposit()).toMatchObject({ status: 'credited' })
    })

    test('whose solid transaction failed or lacks this transfer is dropped at once', async () => {
      const { chain, topUp, head, finalizeAll, deposits } = await begin()
      const txs = [5n, 6n, 7n, 8n].map((usdts) => chain.pay(topUp.account, usdts * 1_000_000n))
      chain.mine(...txs)
      chain.mine()
      await head()
      const [first, second, third, fourth] = chain.fork(2)
      if (!first || !second || !third || !fourth) throw new Error('the fork removed fewer than four transactions')
      const moved = (tx: Tx, over: Partial<Move>) => ({ ...tx, moves: tx.moves.map((move) => ({ ...move, ...over })) })
      const elsewhere = moved(fourth, { to: accountOf('unknown') })
      chain.mine({ ...first, failed: true }, { ...second, moves: [] }, moved(third, { value: 0n }), elsewhere)
      await finalizeAll()
      expect(await deposits()).toMatchObject(txs.map(() => ({ status: 'in_review', reviewCode: 'TRANSFER_DROPPED' })))
    })

    test('that has another index in the solid block is dropped, and the one there is credited', async () => {
      const { chain, topUp, head, finalizeAll, deposits } = await begin()
      const tx = chain.pay(topUp.account, 5_000_000n)
      const other = { ...tx.moves[0], to: accountOf('unknown') } as Move
      chain.mine({ ...tx, moves: [other, ...tx.moves] })
      chain.mine()
      await head()
      chain.fork(2)
      chain.mine(tx)
      await finalizeAll()
      const found = (await deposits()).map(({ transferIndex, status }) => `${status} at ${transferIndex}`)
      expect(found.toSorted()).toEqual(['credited at 0', 'in_review at 1'])
    })

    test('is credited with the amount of the solid block', async () => {
      const { chain, topUp, head, finalizeAll, deposit, available } = await begin()
      const tx = chain.pay(topUp.account, 5_000_000n)
      chain.mine(tx)
      chain.mine()
      await head()
      chain.fork(2)
      chain.mine({ ...tx, moves: tx.moves.map((move) => ({ ...move, value: 4_900_000n })) })
      await finalizeAll()
      expect(await deposit()).toMatchObject({ status: 'credited', amount: usdt(4_900_000n) })
      expect(await available()).toBe(4_900_000n)
    })

    test('whose solid block has another top-up address is credited there, and dropped here', async () => {
      const { chain, topUp, head, finalizeAll, ensure, deposit, alerts } = await begin()
      const other = await ensure(await w.newWallet(usdt(0n)))
      const tx = chain.pay(topUp.account, 5_000_000n)
      chain.mine(tx)
      chain.mine()
      await head()
      chain.fork(2)
      chain.mine({ ...tx, moves: tx.moves.map((move) => ({ ...move, to: other.account })) })
      await finalizeAll()
      expect(await deposit()).toMatchObject({ status: 'in_review', reviewCode: 'TRANSFER_DROPPED' })
      expect(await w.wallets.find(other.tenantId)).toMatchObject({ available: usdt(5_000_000n) })
      expect(alerts).toEqual([])
    })

    test('that was dropped because the head reported a wrong expiry is credited when solid, with an alert', async () => {
      const { chain, topUp, head, finalizeAll, ensure, deposits, alerts, available, tenantId } = await begin()
      const other = await ensure(await w.newWallet(usdt(0n)))
      const tx = chain.pay(topUp.account, 5_000_000n)
      chain.mine({ ...tx, expiresAt: new Date(someInstant.getTime() + 12_000) })
      chain.mine()
      await head()
      chain.fork(2)
      chain.mineEmpty(4)
      await finalizeAll()
      expect(await deposits()).toMatchObject([{ reviewCode: 'TRANSFER_DROPPED' }])
      chain.mine(chain.pay(other.account, 5_000_000n), tx) // Together with a transfer to another tenant.
      await finalizeAll()
      const statuses = (await deposits()).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual(['credited', 'in_review'])
      expect(await available()).toBe(5_000_000n)
      expect(alerts).toMatchObject([{ code: 'CHAIN_CONTRADICTS', tenantId, subject: `${tx.hash}:0` }])
    })

    test('whose block is dated in the future occurred at the commit', async () => {
      const { chain, topUp, finalizeAll, events } = await begin()
      const later = new Date(someInstant.getTime() + 86_400_000)
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      chain.showBlock = (_, block) => ({ ...block, at: later })
      const [deposit] = await finalizeAll()
      const [pending, credited] = await events(deposit?.id ?? '')
      expect(pending).toMatchObject({ type: 'deposit.pending', occurredAt: credited?.recordedAt })
      expect(pending?.recordedAt).toEqual(credited?.recordedAt)
    })
  })
}
