import { isOfOtherCell } from '../ids.ts'
import type { QrNetwork, StatementRow } from '../network/qr-network.ts'
import { type Clock, isoText } from '../time.ts'
import type { PaymentRecord, ReconciliationStore } from './ports.ts'
import { type DifferenceRecorder, differenceRecorder, type RecordDifferencesPorts } from './record-differences.ts'
import { type ReconciledPeriod, sliceStart, statementSliceMs } from './run.ts'
import { absentPayment, lineDifference } from './statement-differences.ts'

/** The ports of `compareStatement`. */
export type CompareStatementPorts = RecordDifferencesPorts & {
  readonly network: Pick<QrNetwork, 'statement'>
  readonly reconciliations: Pick<ReconciliationStore, 'findPayments' | 'completedPayments'>
  readonly now: Clock
}

/** The counts of one slice. */
export type ComparedStatement = { readonly compared: number; readonly differences: number }

/**
 * A line may be this long before or after the end of its payout: the clocks of the network and of
 * this service differ, and a late answer ends a payout later than its payment.
 */
export const lineMarginMs: number = 5 * 60_000
const batchSize = 1_000

/**
 * Compares a slice of the network's statement, or a part of one, with the payouts, in both directions. Records the
 * differences under the slice's start. Leaves to other cells what is theirs. Repeating it records nothing twice; what a whole slice no longer has is gone.
 *
 * Memory holds the references of the slice and of `lineMarginMs` around it. A payout that ended in the slice and
 * was paid earlier is searched for in a second read of the statement, from the payout's creation on; so is an earlier
 * payment of one that stayed open for long and has no id of its payment, and an earlier line of a return.
 *
 * @throws Unavailable when the statement or the database cannot be read; repeat the slice
 */
export const compareStatement =
  (ports: CompareStatementPorts) =>
  async ({ from, to }: ReconciledPeriod): Promise<ComparedStatement> => {
    const { network, reconciliations, now } = ports
    const recorder = differenceRecorder(ports, {
      scope: isoText(sliceStart(from)),
      isWhole: to.getTime() - sliceStart(from).getTime() === statementSliceMs && from <= sliceStart(from),
      at: now(),
    })
    const references = { payment: new Set<string>(), return: new Set<string>() }
    let compared = 0
    let batch: NumberedLine[] = []
    const flush = async (): Promise<void> => {
      await compareLines(ports, recorder, batch, moved(from, -lineMarginMs))
      batch = []
    }
    for await (const line of network.statement(moved(from, -lineMarginMs), moved(to, lineMarginMs))) {
      const isRepeated = references[line.type].has(line.reference)
      references[line.type].add(line.reference)
      if (line.paidAt < from || line.paidAt >= to) continue
      compared++
      batch.push({ line, isRepeated })
      if (batch.length === batchSize) await flush()
    }
    await flush()
    for await (const page of reconciliations.completedPayments({ from, to })) {
      // The statement leaves out what the network returned; a refund has booked it.
      const missing = page.filter(
        ({ payoutId, isRefunded, isElsewhere }) => !isRefunded && !isElsewhere && !references.payment.has(payoutId),
      )
      for (const payment of await absentBefore(ports, missing, moved(from, -lineMarginMs)))
        await recorder.add(absentPayment(payment))
    }
    return { compared, differences: await recorder.complete() }
  }

type NumberedLine = { readonly line: StatementRow; readonly isRepeated: boolean }

async function compareLines(
  { reconciliations, network, ids }: CompareStatementPorts,
  recorder: DifferenceRecorder,
  lines: readonly NumberedLine[],
  readFrom: Date,
): Promise<void> {
  if (lines.length === 0) return
  const found = await reconciliations.findPayments(lines.map(({ line }) => line.reference))
  // Two tenants have one reference only where a payout of it is forged: the network pays it once.
  const payments = Map.groupBy(found, ({ payoutId }) => payoutId)
  const paidBefore = await paidBeforeOf({ network }, found, readFrom)
  const returned = new Set(lines.filter(({ line }) => line.type === 'return').map(({ line }) => line.reference))
  const unbooked = found.filter(({ payoutId, isRefunded }) => returned.has(payoutId) && !isRefunded)
  const returnedBefore = await listedBefore({ network }, unbooked, readFrom, 'return')
  for (const { line, isRepeated } of lines) {
    const all = payments.get(line.reference) ?? []
    const named = all.filter(({ isElsewhere }) => !isElsewhere)
    if (named.length === 0 && (all.length > 0 || isOfOtherCell(line.reference, ids.cell))) continue
    const isSecond = isRepeated || (line.type === 'return' ? returnedBefore : paidBefore).has(line.reference)
    for (const payment of named.length === 0 ? [undefined] : named) {
      const difference = lineDifference(line, payment, isSecond, lineMarginMs)
      if (difference) await recorder.add(difference)
    }
    const completed = named.filter(({ status }) => status === 'completed')
    for (const payment of completed.slice(1)) await recorder.add(absentPayment(payment))
  }
}

/**
 * The payouts among these that the statement also has before this instant. Only those are asked about of which no id says
 * which payment is theirs, and that were open before it: in all others a second payment shows by its id or time.
 */
async function paidBeforeOf(
  ports: Pick<CompareStatementPorts, 'network'>,
  payments: readonly PaymentRecord[],
  before: Date,
): Promise<ReadonlySet<string>> {
  const unsure = payments.filter(
    ({ status, networkPaymentId, createdAt }) =>
      status === 'completed' && networkPaymentId === null && createdAt < before,
  )
  return listedBefore(ports, unsure, before, 'payment')
}

async function listedBefore(
  ports: Pick<CompareStatementPorts, 'network'>,
  payments: readonly PaymentRecord[],
  before: Date,
  type: StatementRow['type'],
): Promise<ReadonlySet<string>> {
  if (payments.length === 0) return new Set()
  const absent = new Set(await absentBefore(ports, payments, before, type))
  return new Set(payments.filter((each) => !absent.has(each)).map(({ payoutId }) => payoutId))
}

/**
 * The payouts among these of which the statement has no line of this type before the slice either. Reads it from the
 * creation of the oldest of them, until it has found all.
 */
async function absentBefore(
  { network }: Pick<CompareStatementPorts, 'network'>,
  payments: readonly PaymentRecord[],
  before: Date,
  wanted: StatementRow['type'] = 'payment',
): Promise<readonly PaymentRecord[]> {
  const since = Math.min(...payments.map(({ createdAt }) => createdAt.getTime())) - lineMarginMs
  if (!(since < before.getTime())) return payments
  const missing = new Map(payments.map((payment) => [payment.payoutId, payment]))
  for await (const { type, reference } of network.statement(new Date(since), before)) {
    if (type === wanted) missing.delete(reference)
    if (missing.size === 0) break
  }
  return Array.from(missing.values())
}

const moved = (at: Date, ms: number): Date => new Date(at.getTime() + ms)
