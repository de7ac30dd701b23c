import type { FoundDifference } from '../difference/difference.ts'
import type { DifferenceStore } from '../difference/ports.ts'
import type { Ids } from '../ids.ts'
import { bob, type Money, toDecimal, usdt } from '../money.ts'
import type { QrNetwork } from '../network/qr-network.ts'
import type { Period } from '../period/period.ts'
import type { ReconciliationStore } from './ports.ts'
import type { Clock } from '../time.ts'
import type { ReportStore } from '../report/ports.ts'
import { payoutRevenue, refundedRevenue } from '../report/revenue.ts'

/** The ports of `checkReports`. */
export type CheckReportsPorts = {
  readonly reports: Pick<ReportStore, 'payouts' | 'refunds' | 'rawPayouts' | 'rawRefunds'>
  readonly reconciliations: Pick<ReconciliationStore, 'findPayments' | 'completedPayments'>
  readonly network: Pick<QrNetwork, 'statement'>
  readonly differences: Pick<DifferenceStore, 'record' | 'resolveUnseen'>
  readonly ids: Ids
  readonly now: Clock
}

/** Payouts that took longer may be in an earlier day's statement; the comparison of each line has them. */
const promptMs = 3_600_000
const linesAtOnce = 500

type Figure = 'captured' | 'target' | 'spread' | 'fee' | 'refunded' | 'undone'
type Figures = Record<Figure, bigint>
const zero = (): Figures => ({ captured: 0n, target: 0n, spread: 0n, fee: 0n, refunded: 0n, undone: 0n })
type FiguresByTenant = Map<string, Figures>

/** The tenant's figures, which start at zero. */
function figuresOf(figures: FiguresByTenant, tenantId: string): Figures {
  const found = figures.get(tenantId) ?? zero()
  figures.set(tenantId, found)
  return found
}

/**
 * Recomputes the reports of a day from raw postings and quotes, row by row, and what was paid from the network's
 * statement, and records each figure that differs.
 *
 * @returns how many differ
 * @throws Unavailable when the network or the database cannot be read; repeat the day
 * @example
 * ```ts
 * const day = namedPeriod('2026-11-20', 'UTC')
 * console.log(day && (await checkReports(ports)(day))) // 0
 * ```
 */
export function checkReports(ports: CheckReportsPorts): (day: Period) => Promise<number> {
  const { differences, ids, now } = ports
  return async (day) => {
    const at = now()
    const shown = await shownFigures(ports, day)
    const raw = await rawFigures(ports, day)
    const found: FoundDifference[] = []
    const compare = (kind: string, name: string, expected: Money, is: Money): void => {
      if (is.minor === expected.minor || found.some((each) => each.kind === kind)) return
      const detail = `${name} of ${day.name} is ${toDecimal(is)} ${is.currency} instead of ${toDecimal(expected)} ${is.currency}`
      const about = { id: ids.next('dif', at), check: 'report', kind, scope: day.name, tenantId: null } as const
      found.push({ ...about, subject: day.name, detail, expected, found: is })
    }
    for (const tenant of new Set([...shown.keys(), ...raw.keys()])) {
      const [is, expected] = [shown.get(tenant) ?? zero(), raw.get(tenant) ?? zero()]
      for (const figure of ['spread', 'fee', 'undone'] as const)
        compare('revenue', `${figure} of ${tenant}`, usdt(expected[figure]), usdt(is[figure]))
      for (const figure of ['captured', 'refunded'] as const)
        compare('volume', `${figure} of ${tenant}`, usdt(expected[figure]), usdt(is[figure]))
      compare('volume', `target of ${tenant}`, bob(expected.target), bob(is.target))
    }
    compare('statement', 'the amount paid', bob(await statementSum(ports, day)), bob(await promptSum(ports, day)))
    if (found.length > 0) await differences.record(found, at)
    await differences.resolveUnseen({ check: 'report', scope: day.name }, at)
    return found.length
  }
}

async function shownFigures({ reports }: CheckReportsPorts, day: Period): Promise<FiguresByTenant> {
  const figures: FiguresByTenant = new Map()
  for (const { key, source, target, spread, fee } of await reports.payouts(day, 'tenant'))
    if (key !== null)
      Object.assign(figuresOf(figures, key), {
        captured: source.minor,
        target: target.minor,
        spread: spread.minor,
        fee: fee.minor,
      })
  for (const { key, amount, spread, fee } of await reports.refunds(day, 'tenant'))
    if (key !== null)
      Object.assign(figuresOf(figures, key), { refunded: amount.minor, undone: spread.minor + fee.minor })
  return figures
}

async function rawFigures({ reports }: CheckReportsPorts, day: Period): Promise<FiguresByTenant> {
  const figures: FiguresByTenant = new Map()
  for await (const page of reports.rawPayouts(day))
    for (const payout of page) {
      const sums = figuresOf(figures, payout.tenantId)
      const { spread, fee } = payoutRevenue(payout)
      sums.captured += payout.captured.minor
      sums.target += payout.target.minor
      sums.spread += spread.minor
      sums.fee += fee.minor
    }
  for (const refund of await reports.rawRefunds(day)) {
    const sums = figuresOf(figures, refund.tenantId)
    const { spread, fee } = refundedRevenue(refund, refund.amount)
    sums.refunded += refund.amount.minor
    sums.undone += spread.minor + fee.minor
  }
  return figures
}

type Payment = Awaited<ReturnType<ReconciliationStore['findPayments']>>[number]

const isPrompt = ({ status, isElsewhere, createdAt, endedAt }: Payment, { from, to }: Period): boolean =>
  status === 'completed' &&
  !isElsewhere &&
  endedAt !== null &&
  endedAt >= from &&
  endedAt < to &&
  endedAt.getTime() - createdAt.getTime() < promptMs

/** The amounts that these payouts were to pay. */
async function promptSum({ reconciliations }: CheckReportsPorts, day: Period): Promise<bigint> {
  let sum = 0n
  for await (const page of reconciliations.completedPayments(day))
    for (const payment of page) if (isPrompt(payment, day)) sum += (payment.settledPaid ?? payment.target).minor
  return sum
}

/** The amounts that the network's statement has for them. */
async function statementSum({ network, reconciliations }: CheckReportsPorts, day: Period): Promise<bigint> {
  const lines = new Map<string, bigint>()
  let sum = 0n
  const flush = async (): Promise<void> => {
    for (const payment of await reconciliations.findPayments([...lines.keys()]))
      if (isPrompt(payment, day)) sum += lines.get(payment.payoutId) ?? 0n
    lines.clear()
  }
  const from = new Date(day.from.getTime() - 2 * promptMs)
  const to = new Date(day.to.getTime() + promptMs)
  for await (const row of network.statement(from, to)) {
    if (row.type !== 'payment') continue
    lines.set(row.reference, (lines.get(row.reference) ?? 0n) + row.amount.minor)
    if (lines.size === linesAtOnce) await flush()
  }
  await flush()
  return sum
}
