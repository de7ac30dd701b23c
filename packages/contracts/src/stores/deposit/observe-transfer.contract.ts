import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { accountOf, hashOf, newTopUp } from '../../fixtures/deposit/addresses.ts'
import { blockRef, refOf, scanner, newObservedTransfer } from '../../fixtures/deposit/observed-transfers.ts'
import { newestFirst } from '../../fixtures/pages.ts'
import { type DepositStores, type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { eventsAbout, plainEvent } from '../../fixtures/events-about.ts'

export function observeTransferTests(open: OpenHarness<DepositStores>): void {
  describe('a transfer observed at the head', () => {
    const w = useWorld(open, 'each')

    async function begin(w: World<DepositStores>) {
      const tenantId = await w.newWallet(usdt(0n))
      return { tenantId, topUp: await newTopUp(w, tenantId), head: await scanner(w, 'head') }
    }

    test('is a pending deposit with its event, byte for byte, and moves no money', async () => {
      const { tenantId, topUp, head } = await begin(w)
      const observed = newObservedTransfer(w, topUp)
      const { deposit } = observed.step
      expect(await head.scan({ observedTransfers: [observed] })).toEqual([])
      expect(await w.deposits.get(tenantId, deposit.id)).toEqual(deposit)
      const [event, ...others] = await eventsAbout(w, tenantId, deposit.id)
      expect(others).toEqual([])
      expect(event && plainEvent(event)).toEqual(plainEvent(observed.step.event))
      expect(await w.wallets.find(tenantId)).toMatchObject({ available: usdt(0n) })
      expect(await w.deposits.claimDue(10, 100)).toEqual([])
    })

    test('is unconfirmed from its block on', async () => {
      const { topUp, head } = await begin(w)
      const expiresAt = new Date('2026-07-01T00:00:01.234Z')
      const observed = newObservedTransfer(w, topUp, { block: 101, index: 3, expiresAt })
      await head.scan()
      await head.scan({ observedTransfers: [observed] })
      expect(await w.scans.unconfirmed('tron', 100)).toEqual([])
      const unconfirmed = [{ ...refOf(observed), address: topUp.address, expiresAt }]
      expect(await w.scans.unconfirmed('tron', 101)).toEqual(unconfirmed)
      expect(await w.scans.unconfirmed('tron', 1_000)).toEqual(unconfirmed)
    })

    test('is the same deposit when observed again, on another branch and with other values', async () => {
      const { tenantId, topUp, head } = await begin(w)
      const txHash = hashOf('seen twice')
      const first = newObservedTransfer(w, topUp, { txHash, block: 100 })
      await head.scan({ observedTransfers: [first] })
      const options = { txHash, block: 101, value: 7n, from: accountOf('another') }
      const again = newObservedTransfer(w, topUp, options)
      expect(await head.scan({ observedTransfers: [again] })).toEqual([])
      const { items } = await w.deposits.list(tenantId, { limit: 10 })
      expect(items).toEqual([first.step.deposit])
      expect(await eventsAbout(w, tenantId, first.step.deposit.id)).toHaveLength(1)
      expect(await eventsAbout(w, tenantId, again.step.deposit.id)).toEqual([])
      expect(await w.scans.unconfirmed('tron', 100)).toHaveLength(1)
    })

    test('stays pending when the head is rewound', async () => {
      const { tenantId, topUp, head } = await begin(w)
      await head.scan()
      const observed = newObservedTransfer(w, topUp, { block: 101 })
      await head.scan({ observedTransfers: [observed] })
      await w.scans.rewind(head.claim, blockRef(101), blockRef(100))
      expect(await w.deposits.get(tenantId, observed.step.deposit.id)).toEqual(observed.step.deposit)
      expect(await w.scans.unconfirmed('tron', 101)).toHaveLength(1)
    })

    test('is identified by its index within its transaction', async () => {
      const { tenantId, topUp, head } = await begin(w)
      const txHash = hashOf('many at once')
      const observedTransfers = [0, 1, 7].map((index) => newObservedTransfer(w, topUp, { txHash, index }))
      await head.scan({ observedTransfers })
      const { items } = await w.deposits.list(tenantId, { limit: 10 })
      expect(items).toEqual(newestFirst(observedTransfers.map(({ step }) => step.deposit)))
    })

    test('can be one of hundreds, of several tenants, in several blocks', async () => {
      const { topUp, head } = await begin(w)
      const other = await newTopUp(w, await w.newWallet(usdt(0n)))
      const observedTransfers = Array.from({ length: 300 }, (_, n) =>
        newObservedTransfer(w, n % 3 === 0 ? other : topUp, { block: 101 + (n % 4) }),
      )
      await head.scan()
      await head.scan({ blocks: [101, 102, 103, 104].map((n) => blockRef(n)), observedTransfers })
      expect((await w.deposits.list(topUp.tenantId, { limit: 1_000 })).items).toHaveLength(200)
      expect((await w.deposits.list(other.tenantId, { limit: 1_000 })).items).toHaveLength(100)
      expect(await w.scans.unconfirmed('tron', 102)).toHaveLength(150)
    })

    test.each([2n ** 63n - 1n, 2n ** 63n, 2n ** 256n - 1n])(
      'can have any amount that a token can report: %d',
      async (value) => {
        const { tenantId, topUp, head } = await begin(w)
        const observed = newObservedTransfer(w, topUp, { value })
        await head.scan({ observedTransfers: [observed] })
        const { deposit } = observed.step
        expect(await w.deposits.get(tenantId, deposit.id)).toEqual(deposit)
        expect((await w.deposits.list(tenantId, { limit: 1 })).items).toEqual([deposit])
      },
    )
  })
}
