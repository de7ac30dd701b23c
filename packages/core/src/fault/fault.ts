import type { Alert, FaultCode } from '../alert.ts'
import type { Backlog } from '../backlog/backlog.ts'
import { toDecimal, usdt } from '../money.ts'
import { formatRate } from '../quote/rate.ts'
import { processPrograms, type ProcessRoll } from '../process/process.ts'
import type { NetworkRecord } from '../network/network-store.ts'
import { isoText } from '../time.ts'
import { isGenuine, type RunMacKeys } from '../reconciliation/run-mac.ts'
import type { RateReport } from '../quote/ports.ts'
import type { Exposure } from '../report/exposure.ts'

/** Something that does not work now, and that no row records. */
export type Fault = Pick<Alert, 'subject' | 'detail'> & { readonly code: FaultCode }

/** From when on a state is a fault. */
export type FaultLimits = {
  /** Silence of a process, and absence of workers. */
  readonly processMissingSeconds: number
  /** Difference of a process's clock from the store's, in either direction. */
  readonly clockApartMs: number
  /** Age of the oldest check of a wallet. */
  readonly ledgerUncheckedSeconds: number
  /** Age of the newest scanned block. */
  readonly scanBehindSeconds: number
  /** Age of the oldest pending deposit that solid blocks have decided. */
  readonly depositsBehindSeconds: number
  /** Age of the oldest notice to a technical contact, and of the oldest alert, that was not accepted. */
  readonly noticesBehindSeconds: number
  /** Age of the oldest deposit in review. */
  readonly reviewSeconds: number
  /** The sum of deposits in review. */
  readonly reviewMicroUsdt: bigint
  /** Age of the newest completed reconciliation run of a check that has one, and of scheduled ones that have not. */
  readonly reconciledSeconds: number
}

/** The default limits. */
export const defaultFaultLimits: FaultLimits = {
  processMissingSeconds: 30,
  clockApartMs: 2_000,
  ledgerUncheckedSeconds: 300,
  scanBehindSeconds: 300,
  depositsBehindSeconds: 300,
  noticesBehindSeconds: 300,
  reviewSeconds: 28_800,
  reviewMicroUsdt: 10_000_000_000n,
  reconciledSeconds: 180_000,
}

/** How often a wallet is checked, unless a setting says otherwise: well below `ledgerUncheckedSeconds`. */
export const defaultLedgerCheckSeconds = 30

/** Missing processes, the absence of workers, and clocks that differ from the store's. */
export function processFaults(
  { running, missing, workerlessSeconds }: ProcessRoll,
  { processMissingSeconds, clockApartMs }: FaultLimits,
): readonly Fault[] {
  return [
    ...processPrograms.flatMap((of) => missing.filter(({ program }) => program === of).map(missingFault)),
    ...(workerlessSeconds > processMissingSeconds
      ? [fault('NO_WORKER', 'worker', `no worker has run for ${seconds(processMissingSeconds)}`)]
      : []),
    ...running
      .filter(({ aheadMs }) => Math.abs(aheadMs) >= clockApartMs)
      .map(({ id, program, host, aheadMs }) => {
        const side = aheadMs > 0 ? 'ahead of' : 'behind'
        const by = (Math.abs(aheadMs) / 1000).toFixed(1)
        return fault('CLOCK_APART', id, `the ${program} on ${host} is ${by} s ${side} the database`)
      }),
  ]
}

const missingFault = ({ id, program, host, silentSeconds }: ProcessRoll['missing'][number]): Fault =>
  fault(
    'PROCESS_MISSING',
    id,
    `the ${program} on ${host} has not been seen for ${seconds(silentSeconds)}, and nothing has replaced it`,
  )

/** A ledger check and scans that have halted, deposits that are not decided, and reviews, notices and alerts that wait. */
export function backlogFaults(
  {
    scans,
    ledger,
    notices,
    undecidedDeposits,
    alerts,
    depositsInReview,
  }: Pick<Backlog, 'scans' | 'ledger' | 'notices' | 'undecidedDeposits' | 'alerts' | 'depositsInReview'>,
  limits: FaultLimits,
): readonly Fault[] {
  const { scanBehindSeconds, ledgerUncheckedSeconds, noticesBehindSeconds } = limits
  const { uncheckedSeconds } = ledger
  return [
    ...(uncheckedSeconds > ledgerUncheckedSeconds
      ? [fault('LEDGER_UNCHECKED', 'ledger', `a wallet was last checked ${seconds(uncheckedSeconds)} ago`)]
      : []),
    ...scans
      .filter(({ behindSeconds }) => behindSeconds > scanBehindSeconds)
      .map(({ chain, view, behindSeconds }) =>
        fault('SCAN_BEHIND', `${chain} ${view}`, `the newest scanned block is ${seconds(behindSeconds)} old`),
      ),
    ...depositFaults(undecidedDeposits, limits),
    ...reviewFaults(depositsInReview, limits),
    ...(alerts.waiting.oldestSeconds > noticesBehindSeconds
      ? [fault('ALERTS_BEHIND', 'alerts', `an alert has waited for ${seconds(alerts.waiting.oldestSeconds)}`)]
      : []),
    ...(notices.oldestSeconds > noticesBehindSeconds
      ? [
          fault(
            'NOTICES_BEHIND',
            'notices',
            `a notice to a technical contact has waited for ${seconds(notices.oldestSeconds)}`,
          ),
        ]
      : []),
  ]
}

/** A check whose newest completed run is old, whose oldest open one is, or whose newest completed run compared nothing although there was something, or is not genuine. */
export const reconciliationFaults = (
  { reconciliations }: Pick<Backlog, 'reconciliations'>,
  { reconciledSeconds }: FaultLimits,
  keys: RunMacKeys,
): readonly Fault[] =>
  reconciliations.flatMap(({ check, run, completedSeconds, openSeconds, hasSkipped }) => [
    ...(isGenuine(keys, run)
      ? []
      : [fault('RECONCILIATION_EMPTY', check, `the newest completed run, ${run.id}, was completed by no process`)]),
    ...(completedSeconds > reconciledSeconds
      ? [
          fault(
            'RECONCILIATION_LATE',
            check,
            `the newest run was completed ${Math.floor(completedSeconds / 3_600)} h ago`,
          ),
        ]
      : []),
    ...(openSeconds > reconciledSeconds && completedSeconds <= reconciledSeconds
      ? [
          fault(
            'RECONCILIATION_LATE',
            check,
            `a run that was opened ${Math.floor(openSeconds / 3_600)} h ago has not completed`,
          ),
        ]
      : []),
    ...(hasSkipped
      ? [
          fault(
            'RECONCILIATION_EMPTY',
            check,
            'the newest completed run compared nothing, although there was something to compare',
          ),
        ]
      : []),
  ])

/** Sessions that hold locks. */
export const lockFaults = ({ heldLocks }: Pick<Backlog, 'heldLocks'>): readonly Fault[] =>
  heldLocks.map(({ session, lock }) => fault('LOCK_HELD', session, `it holds ${lock}`))

/** Operators' tokens that end soon, without a successor. */
export const tokenFaults = ({ endingTokens }: Pick<Backlog, 'endingTokens'>): readonly Fault[] =>
  endingTokens.map(({ id, person, role, expiresAt }) =>
    fault('TOKEN_ENDS_SOON', id, `the token of ${person} (${role}) ends at ${isoText(expiresAt)}, without a successor`),
  )

function reviewFaults(
  { count, oldestSeconds, amountMicroUsdt }: Backlog['depositsInReview'],
  { reviewSeconds, reviewMicroUsdt }: FaultLimits,
): readonly Fault[] {
  const detail = `${count} of ${toDecimal(usdt(amountMicroUsdt))} USDT are in review, the oldest for ${seconds(oldestSeconds)}`
  return [
    ...(oldestSeconds > reviewSeconds ? [fault('REVIEWS_WAIT', 'deposits', detail)] : []),
    ...(count > 0 && amountMicroUsdt >= reviewMicroUsdt ? [fault('REVIEWS_LARGE', 'deposits', detail)] : []),
  ]
}

function depositFaults(
  { count, oldest, oldestSeconds }: Backlog['undecidedDeposits'],
  { depositsBehindSeconds }: FaultLimits,
): readonly Fault[] {
  if (oldest === null || oldestSeconds <= depositsBehindSeconds) return []
  const { depositId, problem } = oldest
  const detail = `${depositId}, the oldest of ${count}, has waited for ${seconds(oldestSeconds)} in a solid block: ${problem ?? 'no worker has tried'}`
  return [fault('DEPOSITS_BEHIND', 'deposits', detail)]
}

/** Processes whose network is not the one at which payouts are ordered, and a network that has lost its ledger. */
export const networkFaults = ({ network, halts }: NetworkRecord): readonly Fault[] =>
  halts.map(({ identity, payoutId }) =>
    fault(
      'NETWORK_CHANGED',
      identity,
      payoutId === null
        ? `a process uses this QR network, and payouts are ordered at ${network?.identity ?? 'none'}: it neither pays nor settles; correct its settings, or confirm the move`
        : `the QR network does not know payout ${payoutId}, which is completed: nothing is paid or settled until an admin confirms it`,
    ),
  )

/**
 * Sources of the rate that fail or contradict each other, and the lack of a rate.
 *
 * @param problem  why there is no rate; null when there is one
 */
export function rateFaults({ sources, agreement }: RateReport, problem: string | null): readonly Fault[] {
  const failed = sources.flatMap(({ name, problem }) =>
    problem === null ? [] : [fault('RATE_SOURCE_FAILED', name, problem)],
  )
  const disagree =
    agreement !== null && agreement.spreadBps > agreement.maxSpreadBps
      ? [fault('RATE_SOURCES_DISAGREE', 'rates', bidsOf(sources))]
      : []
  const missing = problem === null ? [] : [fault('RATE_UNAVAILABLE', 'rates', problem)]
  return [...failed, ...disagree, ...missing]
}

/** An exposure above its limit. */
export const exposureFaults = ({ isAbove, exposure, limit }: Exposure): readonly Fault[] =>
  isAbove && limit !== null
    ? [
        fault(
          'EXPOSURE_ABOVE_LIMIT',
          'exposure',
          `${toDecimal(exposure)} USDT were received beyond the BOB that is left, above the limit of ${toDecimal(limit)} USDT: no quotes are given`,
        ),
      ]
    : []

const bidsOf = (sources: RateReport['sources']): string =>
  sources.flatMap(({ name, reading }) => (reading ? [`${name} bids ${formatRate(reading.bid)}`] : [])).join(', ')

const fault = (code: FaultCode, subject: string, detail: string): Fault => ({ code, subject, detail })

const seconds = (value: number): string => `${Math.round(value)} s`
