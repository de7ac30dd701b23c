import { describe, expect, test } from 'vitest'
import { bob, type Payout, usdt } from '@quipu/core'
import type { PaymentRecord, ReconciledPeriod } from '@quipu/core/operator'
import { laterInstant, someInstant } from '../../fixtures/instants.ts'
import { paidAnswer } from '../../fixtures/builders.ts'
import { newTopUp } from '../../fixtures/deposit/addresses.ts'
import { buildersOfAnotherTenant, depositBuilders } from '../../fixtures/deposit/deposit-builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { credentialOf } from '../../fixtures/proposal/operators.ts'

type Paying = 'reconciliations' | 'payouts' | 'quotes' | 'wallets' | 'proposals' | 'tenants'
type Funding = 'reconciliations' | 'tenants' | 'addresses' | 'scans' | 'deposits' | 'proposals'

const later = (ms: number): Date => new Date(laterInstant.getTime() + ms)

export function comparedRecordsTests(open: OpenHarness<Paying | Funding>): void {
  describe('payments', () => {
    const w = useWorld(open, 'each')

    test('are found by reference in every state, of any tenant, each once', async () => {
      const [one, other] = [await w.newWallet(usdt(1_000n)), await w.newWallet(usdt(1_000n))]
      const processing = await payout(w, one)
      const completed = await paid(w, one, later(0))
      const failing = await payout(w, other)
      const failed = w.settleCommit(failing, { type: 'refused_payment' }, { at: later(1) })
      await w.payouts.commit(failed)
      const ended = w.insertEndedCommit(await quoteOf(w, other), { at: later(2) })
      await w.payouts.commit(ended)
      const all = [processing, completed, failed.step.payout, ended.step.payout]
      const references = [...all.map(({ id }) => id), 'po_unknown', 'ñ 💸', '']
      const found = await w.reconciliations.findPayments([...references, completed.id, processing.id])
      expect(sorted(found)).toEqual(sorted(all.map(recordOf)))
      expect(await w.reconciliations.findPayments(['po_unknown'])).toEqual([])
      expect(await w.reconciliations.findPayments([])).toEqual([])
    })

    test('completed in a period are read whole, of all tenants', async () => {
      const tenants = [await w.newWallet(usdt(1_000n)), await w.newWallet(usdt(1_000n))]
      const within: Payout[] = []
      for (const tenantId of tenants) {
        await paid(w, tenantId, later(-1))
        for (const ms of [0, 5, 5, 9]) within.push(await paid(w, tenantId, later(ms)))
        const failing = await payout(w, tenantId)
        const write = w.settleCommit(failing, { type: 'refused_qr' }, { at: later(9) })
        await w.payouts.commit(write)
        await paid(w, tenantId, later(10))
        await payout(w, tenantId)
      }
      const period = { from: later(0), to: later(10) }
      expect(sorted(await completedIn(w, period))).toEqual(sorted(within.map(recordOf)))
      expect(await completedIn(w, { from: later(11), to: later(20) })).toEqual([])
    })
  })

  describe('received funds', () => {
    const w = useWorld(open, 'each')

    test('of an address are its confirmed transfers, in any state, up to a block', async () => {
      const one = await depositBuilders(w)
      await one.credited({ value: 5_000_000n, block: 101 })
      await one.inReview({ value: 7_000_000n, block: 102 })
      const other = await buildersOfAnotherTenant(w, one)
      await other.credited({ value: 17_000_000n, block: 106 })
      await one.due({ value: 2n ** 256n - 1n, block: 103 })
      await one.gone({ value: 11_000_000n, block: 104 })
      await one.pending({ value: 13_000_000n, block: 105 })
      const funds = (block: number) => w.reconciliations.addressFunds('tron', 0, 10, block)
      expect(await funds(102)).toEqual([
        { ...addressOf(one.topUp), received: 12_000_000n + 2n ** 256n - 1n, receivedThrough: 12_000_000n },
        { ...addressOf(other.topUp), received: 17_000_000n, receivedThrough: 0n },
      ])
      expect((await funds(101))[0]).toMatchObject({ receivedThrough: 5_000_000n })
    })

    test('are read by index, retired addresses included', async () => {
      const tenantId = (await w.newTenant()).id
      const made = []
      for (let n = 0; n < 4; n++) {
        made.push(await newTopUp(w, tenantId))
        await w.addresses.retire(tenantId, 'tron', { ...credentialOf('ana'), at: someInstant })
      }
      const read = (index: number, limit: number) => w.reconciliations.addressFunds('tron', index, limit, 9)
      const none = { received: 0n, receivedThrough: 0n }
      const [first, second, third, fourth] = made.map((each) => ({ ...addressOf(each), ...none }))
      expect(await read(0, 2)).toEqual([first, second])
      expect(await read((second?.index ?? 0) + 1, 10)).toEqual([third, fourth])
      expect(await read((fourth?.index ?? 0) + 1, 10)).toEqual([])
    })
  })
}

const addressOf = ({ tenantId, index, account, address }: Awaited<ReturnType<typeof newTopUp>>) => ({
  tenantId,
  index,
  account,
  address,
})

const quoteOf = (w: World<Paying>, tenantId: string) => w.newQuote(tenantId, { source: usdt(30n), target: bob(5_000n) })

const payout = async (w: World<Paying>, tenantId: string) => w.newPayout(await quoteOf(w, tenantId))

async function paid(w: World<Paying>, tenantId: string, at: Date): Promise<Payout> {
  const processing = await payout(w, tenantId)
  const write = w.settleCommit(processing, paidAnswer(processing), { at })
  expect(await w.payouts.commit(write)).toBe('committed')
  return write.step.payout
}

async function completedIn(
  { reconciliations }: World<'reconciliations'>,
  period: ReconciledPeriod,
): Promise<readonly PaymentRecord[]> {
  const all: PaymentRecord[] = []
  for await (const page of reconciliations.completedPayments(period)) all.push(...page)
  return all
}

const recordOf = (payout: Payout): PaymentRecord => ({
  payoutId: payout.id,
  tenantId: payout.tenantId,
  status: payout.status,
  target: payout.target,
  settledPaid: null,
  isRefunded: false,
  isElsewhere: false,
  createdAt: payout.createdAt,
  endedAt: 'endedAt' in payout ? payout.endedAt : null,
  networkPaymentId: payout.status === 'completed' ? payout.networkPaymentId : null,
})

const sorted = (records: readonly PaymentRecord[]): readonly PaymentRecord[] =>
  records.toSorted((a, b) => (a.payoutId < b.payoutId ? -1 : 1))
