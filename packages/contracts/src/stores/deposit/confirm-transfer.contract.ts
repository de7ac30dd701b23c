import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { accountOf, hashOf, newTopUp, testAddresses } from '../../fixtures/deposit/addresses.ts'
import { refOf, scanner, newObservedTransfer, type TransferOptions } from '../../fixtures/deposit/observed-transfers.ts'
import { type DepositStores, type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { eventsAbout } from '../../fixtures/events-about.ts'

export function confirmTransferTests(open: OpenHarness<DepositStores>): void {
  describe('a transfer in a solid block', () => {
    const w = useWorld(open, 'each')

    async function begin(w: World<DepositStores>) {
      const tenantId = await w.newWallet(usdt(0n))
      const topUp = await newTopUp(w, tenantId)
      const [head, solid] = [await scanner(w, 'head'), await scanner(w, 'solid')]
      const txHash = hashOf('the transfer')
      const seen = (options: TransferOptions = {}) => newObservedTransfer(w, topUp, { txHash, ...options })
      const claimed = async () => (await w.deposits.claimDue(10, 100))[0]
      return { tenantId, topUp, head, solid, seen, claimed }
    }

    test('makes the deposit of the head due, without another event', async () => {
      const { tenantId, topUp, head, solid, seen, claimed } = await begin(w)
      const first = seen({ block: 100 })
      await head.scan({ observedTransfers: [first] })
      expect(await solid.scan({ observedTransfers: [seen({ block: 100 })] })).toEqual([])
      const { deposit } = first.step
      expect(await claimed()).toMatchObject({
        deposit,
        sender: first.sender,
        solid: { type: 'confirmed', block: 100 },
        topUp,
        tenantStatus: 'active',
        claimCount: 1,
        claim: { tenantId, depositId: deposit.id },
      })
      expect(await eventsAbout(w, tenantId, deposit.id)).toHaveLength(1)
      expect(await w.scans.unconfirmed('tron', 1_000)).toEqual([])
    })

    test('inserts a due deposit with its event when the head has not shown it', async () => {
      const { tenantId, solid, seen, claimed } = await begin(w)
      const observed = seen({ block: 100 })
      await solid.scan({ observedTransfers: [observed] })
      const { deposit } = observed.step
      expect(await claimed()).toMatchObject({ deposit, solid: { type: 'confirmed', block: 100 } })
      const [event, ...others] = await eventsAbout(w, tenantId, deposit.id)
      expect(event).toMatchObject({ id: observed.step.event.id, type: 'deposit.pending' })
      expect(others).toEqual([])
    })

    test('replaces the amount and sender that the head has shown', async () => {
      const { tenantId, head, solid, seen, claimed } = await begin(w)
      const first = seen({ block: 100, value: 2n ** 256n - 1n })
      await head.scan({ observedTransfers: [first] })
      const from = accountOf('the true sender')
      await solid.scan({ observedTransfers: [seen({ block: 100, value: 31n, from })] })
      const corrected = { ...first.step.deposit, amount: usdt(31n), fromAddress: testAddresses.format(from) }
      expect(await claimed()).toMatchObject({ deposit: corrected, sender: from })
      expect(await w.deposits.get(tenantId, corrected.id)).toEqual(corrected)
    })

    test('does not change when the head shows it later', async () => {
      const { tenantId, head, solid, seen } = await begin(w)
      const first = seen({ block: 100 })
      await solid.scan({ observedTransfers: [first] })
      expect(await head.scan({ observedTransfers: [seen({ block: 100, value: 1n })] })).toEqual([])
      const { items } = await w.deposits.list(tenantId, { limit: 10 })
      expect(items).toEqual([first.step.deposit])
      expect(await w.deposits.claimDue(10, 100)).toHaveLength(1)
      expect(await w.scans.unconfirmed('tron', 1_000)).toEqual([])
    })

    test('is due also with an amount of 2²⁵⁶ − 1', async () => {
      const { solid, seen, claimed } = await begin(w)
      const observed = seen({ value: 2n ** 256n - 1n })
      await solid.scan({ observedTransfers: [observed] })
      expect((await claimed())?.deposit).toEqual(observed.step.deposit)
    })

    test('changes and contradicts nothing when it is shown again', async () => {
      const { solid, seen } = await begin(w)
      await solid.scan({ observedTransfers: [seen()] })
      expect(await solid.scan({ observedTransfers: [seen({ value: 1n })], gone: [refOf(seen())] })).toEqual([])
      const due = await w.deposits.claimDue(10, 100)
      expect(due).toHaveLength(1)
      expect(due[0]).toMatchObject({ deposit: { amount: usdt(25_000_000n) }, solid: { type: 'confirmed' } })
    })

    test('that is ruled out makes its deposit due as gone', async () => {
      const { topUp, head, solid, seen, claimed } = await begin(w)
      const [first, other] = [seen({ block: 100 }), newObservedTransfer(w, topUp, { block: 100 })]
      await head.scan({ observedTransfers: [first, other] })
      expect(await solid.scan({ gone: [refOf(first)] })).toEqual([])
      expect(await claimed()).toMatchObject({ deposit: first.step.deposit, solid: { type: 'gone' } })
      expect(await w.scans.unconfirmed('tron', 1_000)).toHaveLength(1)
      expect(await w.deposits.claimDue(10, 100)).toEqual([])
    })

    test('that was never observed cannot be gone', async () => {
      const { solid, seen } = await begin(w)
      expect(await solid.scan({ gone: [refOf(seen())] })).toEqual([])
      expect(await w.deposits.claimDue(10, 100)).toEqual([])
      expect((await w.deposits.listAll({ limit: 10 })).items).toEqual([])
    })

    test('that was gone gets a new deposit, and is reported as contradicted', async () => {
      const { tenantId, head, solid, seen } = await begin(w)
      const first = seen({ block: 100 })
      await head.scan({ observedTransfers: [first] })
      await solid.scan({ gone: [refOf(first)] })
      const shown = seen({ value: 31n })
      expect(await solid.scan({ observedTransfers: [shown] })).toEqual([refOf(first)])
      const due = await w.deposits.claimDue(10, 100)
      expect(due).toHaveLength(2)
      expect(due).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ deposit: first.step.deposit, solid: { type: 'gone' } }),
          expect.objectContaining({ deposit: shown.step.deposit }),
        ]),
      )
      expect(await eventsAbout(w, tenantId, shown.step.deposit.id)).toHaveLength(1)
      expect(await solid.scan({ observedTransfers: [seen()] })).toEqual([])
      expect((await w.deposits.list(tenantId, { limit: 10 })).items).toHaveLength(2)
    })

    test('that is gone gets no new deposit when the head still shows it', async () => {
      const { tenantId, head, solid, seen } = await begin(w)
      const first = seen({ block: 100 })
      await head.scan({ observedTransfers: [first] })
      await solid.scan({ gone: [refOf(first)] })
      await head.scan({ observedTransfers: [seen({ block: 101 })] })
      expect((await w.deposits.list(tenantId, { limit: 10 })).items).toEqual([first.step.deposit])
    })

    test.each([true, false])(
      'at another address than the head has shown is a deposit there, and gone here (listed as gone: %s)',
      async (isListed) => {
        const { tenantId, head, solid, seen } = await begin(w)
        const first = seen({ block: 100 })
        await head.scan({ observedTransfers: [first] })
        const other = await newTopUp(w, await w.newWallet(usdt(0n)))
        const { txHash } = first.step.deposit
        const elsewhere = newObservedTransfer(w, other, { txHash, value: 31n })
        const gone = isListed ? [refOf(first)] : []
        expect(await solid.scan({ observedTransfers: [elsewhere], gone })).toEqual([])
        const due = await w.deposits.claimDue(10, 100)
        expect(due).toHaveLength(2)
        expect(due).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ deposit: first.step.deposit, solid: { type: 'gone' } }),
            expect.objectContaining({ deposit: elsewhere.step.deposit, topUp: other }),
          ]),
        )
        expect((await w.deposits.list(tenantId, { limit: 10 })).items).toEqual([first.step.deposit])
      },
    )

    test('that was confirmed at another address is reported as contradicted, and changes nothing', async () => {
      const { solid, seen, claimed } = await begin(w)
      const first = seen()
      await solid.scan({ observedTransfers: [first] })
      const other = await newTopUp(w, await w.newWallet(usdt(0n)))
      const elsewhere = newObservedTransfer(w, other, { txHash: first.step.deposit.txHash })
      expect(await solid.scan({ observedTransfers: [elsewhere] })).toEqual([refOf(first)])
      expect((await claimed())?.deposit).toEqual(first.step.deposit)
      expect((await w.deposits.listAll({ limit: 10 })).items).toEqual([first.step.deposit])
    })
  })
}
