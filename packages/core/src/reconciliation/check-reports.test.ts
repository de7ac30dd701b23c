import { expect, test } from 'vitest'
import type { FoundDifference } from '../difference/difference.ts'
import { bob, usdt } from '../money.ts'
import { namedPeriod, type Period } from '../period/period.ts'
import { rate } from '../quote/rate.ts'
import { ids } from './reconciliation.fixture.ts'
import { checkReports, type CheckReportsPorts } from './check-reports.ts'
import type { PayoutSums, RefundSums } from '../report/ports.ts'

const day = namedPeriod('2026-11-20', 'UTC') as Period
const at = new Date('2026-11-20T12:00:00.000Z')
const quote = { target: bob(100_00n), bid: rate(99_500n), principal: usdt(10_203_353n), fee: usdt(151_017n) }
const captured = usdt(10_354_370n)
const sums: PayoutSums = {
  key: 'ten_1',
  name: null,
  completed: 1,
  target: quote.target,
  source: captured,
  spread: usdt(153_101n),
  fee: quote.fee,
  outcomes: [],
  answers: null,
}
const refunds: RefundSums = {
  key: 'ten_1',
  name: null,
  refunds: 1,
  amount: captured,
  spread: sums.spread,
  fee: quote.fee,
}
const payment = {
  payoutId: 'po_1',
  tenantId: 'ten_1',
  status: 'completed',
  target: quote.target,
  settledPaid: null,
  isRefunded: false,
  isElsewhere: false,
  createdAt: at,
  endedAt: at,
  networkPaymentId: 'np',
} as const

/** The differences that are recorded when the sums, the statement or a payment are other ones. */
async function kindsOf(over: {
  payouts?: Partial<PayoutSums>
  refunds?: Partial<RefundSums>
  paid?: bigint
  createdAt?: Date
}) {
  const recorded: FoundDifference[] = []
  const record = { ...payment, createdAt: over.createdAt ?? at }
  const ports: CheckReportsPorts = {
    reports: {
      payouts: async () => [
        { ...sums, ...over.payouts },
        { ...sums, key: null },
      ],
      refunds: async () => [{ ...refunds, ...over.refunds }],
      async *rawPayouts() {
        yield [{ ...quote, payoutId: 'po_1', tenantId: 'ten_1', endedAt: at, captured }]
      },
      rawRefunds: async () => [{ ...quote, tenantId: 'ten_1', at, amount: captured }],
    },
    reconciliations: {
      findPayments: async (references) => (references.includes('po_1') ? [record] : []),
      async *completedPayments() {
        yield [record]
      },
    },
    network: {
      async *statement() {
        const line = { networkRef: 'n', paymentId: 'np', paidAt: at }
        yield { ...line, type: 'payment', reference: 'po_1', amount: bob(over.paid ?? 100_00n) }
        yield { ...line, type: 'return', reference: 'po_1', amount: bob(1n) }
      },
    },
    differences: { record: async (found) => void recorded.push(...found), resolveUnseen: async () => 0 },
    ids,
    now: () => at,
  }
  expect(await checkReports(ports)(day)).toBe(recorded.length)
  return recorded.map(({ kind, subject, detail }) => `${kind} ${subject}: ${detail}`)
}

test('figures that follow from postings, quotes and the statement have no difference', async () => {
  expect(await kindsOf({})).toEqual([])
})

test.each([
  ['spread of ten_1', 'revenue', { payouts: { spread: usdt(153_102n) } }],
  ['fee of ten_1', 'revenue', { payouts: { fee: usdt(0n) } }],
  ['undone of ten_1', 'revenue', { refunds: { fee: usdt(0n) } }],
  ['captured of ten_1', 'volume', { payouts: { source: usdt(1n) } }],
  ['target of ten_1', 'volume', { payouts: { target: bob(1n) } }],
  ['the amount paid', 'statement', { paid: 100_01n }],
] as const)('%s that differs is a difference of %s', async (name, kind, over) => {
  expect(await kindsOf(over)).toEqual([expect.stringMatching(`^${kind} 2026-11-20: ${name} of 2026-11-20 is `)])
})

test('a payment of an earlier day is left to the comparison of its line', async () => {
  expect(await kindsOf({ paid: 1n, createdAt: new Date(at.getTime() - 3_600_000) })).toEqual([])
})
