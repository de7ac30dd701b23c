import type { Clock, Timer } from '@quipu/core'
import { type Backlog, backlogCountMax, deliveryPaces, type BacklogCount } from '@quipu/core/adapter'
import { differenceChecks } from '@quipu/core/operator'
import { cachedReading } from './cached-reading.ts'
import type { Metrics } from './metrics.ts'

/** @returns undefined when the database has not answered in time */
export type ReadBacklog = () => Promise<Backlog | undefined>

const maxAgeMs = 5_000

const countedUpTo = `counted up to ${backlogCountMax.toLocaleString('en')}`

/** Reads the backlog at most once in `maxAgeMs`. */
export const backlogReader = (
  read: () => Promise<Backlog>,
  system: { readonly timer: Timer; readonly now: Clock },
): ReadBacklog => cachedReading(read, system, maxAgeMs)

/** Metrics of the whole service: every process exposes the same values, none during an outage. */
export function backlogMetrics(metrics: Metrics, read: ReadBacklog): void {
  const gauge: BacklogGauge = (name, help, value) =>
    metrics.observed({ name, help }, async () => {
      const backlog = await read()
      return backlog ? [[{}, value(backlog)]] : []
    })
  for (const expose of Object.values(exposed)) expose?.({ metrics, read, gauge })
}

type BacklogGauge = (name: string, help: string, value: (backlog: Backlog) => number) => void
type Expose = (to: { readonly metrics: Metrics; readonly read: ReadBacklog; readonly gauge: BacklogGauge }) => void

/** A gauge of how many there are, and one of for how long the oldest has waited: each by its name and what it counts. */
function counted(
  [name, counts]: readonly [name: string, counts: string],
  [oldestName, oldest]: readonly [name: string, oldest: string],
  of: (backlog: Backlog) => BacklogCount,
): Expose {
  return ({ gauge }) => {
    gauge(name, `${counts}, ${countedUpTo}.`, (backlog) => of(backlog).count)
    gauge(oldestName, oldest, (backlog) => of(backlog).oldestSeconds)
  }
}

/** The metrics of each member; null for one that faults alone are found from. */
const exposed: Readonly<Record<keyof Backlog, Expose | null>> = {
  payouts: counted(
    ['quipu_payouts_processing', 'Payouts in processing'],
    [
      'quipu_payouts_processing_oldest_seconds',
      'Age of the oldest payout in processing by the database’s clock; 0 when there is none.',
    ],
    ({ payouts }) => payouts,
  ),
  deliveries: ({ metrics, read }) => deliveryMetrics(metrics, read),
  retryingDeliveries: ({ gauge }) =>
    gauge(
      'quipu_deliveries_retrying',
      `Failed webhook deliveries that wait for their next attempt, ${countedUpTo}.`,
      ({ retryingDeliveries }) => retryingDeliveries,
    ),
  pausedEndpoints: ({ gauge }) =>
    gauge(
      'quipu_webhook_endpoints_paused',
      'Webhook endpoints that are paused.',
      ({ pausedEndpoints }) => pausedEndpoints,
    ),
  failingEndpoints: counted(
    ['quipu_webhook_endpoints_failing', 'Active webhook endpoints that have failed for long'],
    [
      'quipu_webhook_endpoints_failing_oldest_seconds',
      'Seconds since the first failed attempt at the one that fails longest; 0 when none fails.',
    ],
    ({ failingEndpoints }) => failingEndpoints,
  ),
  notices: counted(
    ['quipu_notices_waiting', 'Notices to technical contacts that were not accepted'],
    [
      'quipu_notices_waiting_oldest_seconds',
      'Age of the oldest of them, or seconds since the first failed attempt at the next; 0 when none waits.',
    ],
    ({ notices }) => notices,
  ),
  isQuotingPaused: ({ gauge }) =>
    gauge('quipu_quoting_paused', 'Whether an operator has paused quoting.', ({ isQuotingPaused }) =>
      Number(isQuotingPaused),
    ),
  screeningCases: counted(
    ['quipu_screening_cases_open', 'Open cases of screening'],
    ['quipu_screening_cases_oldest_seconds', 'Age of the oldest open case of screening; 0 when there is none.'],
    ({ screeningCases }) => screeningCases,
  ),
  depositsInReview: ({ gauge, ...to }) => {
    const oldest = 'Age of the oldest of them; 0 when there is none.'
    const names = ['quipu_deposits_in_review', 'Deposits in review'] as const
    counted(
      names,
      ['quipu_deposits_in_review_oldest_seconds', oldest],
      ({ depositsInReview }) => depositsInReview,
    )({ ...to, gauge })
    gauge(
      'quipu_deposits_in_review_micro_usdt',
      'Micro-USDT of the deposits in review.',
      ({ depositsInReview }) => Number(depositsInReview.amountMicroUsdt), // Loses precision above 2⁵³, which does not matter.
    )
  },
  proposals: counted(
    ['quipu_proposals_open', 'Proposals that wait for an approval'],
    ['quipu_proposals_open_oldest_seconds', 'Age of the oldest of them; 0 when there is none.'],
    ({ proposals }) => proposals,
  ),
  alerts: counted(
    ['quipu_alerts_waiting', 'Alerts that the operator’s gateway has not accepted'],
    ['quipu_alerts_waiting_oldest_seconds', 'Age of the oldest of them; 0 when none waits.'],
    ({ alerts }) => alerts.waiting,
  ),
  undecidedDeposits: counted(
    ['quipu_deposits_undecided', 'Pending deposits that solid blocks have decided'],
    [
      'quipu_deposits_undecided_oldest_seconds',
      'Seconds since solid blocks have decided the oldest of them; 0 when there is none.',
    ],
    ({ undecidedDeposits }) => undecidedDeposits,
  ),
  differences: ({ metrics, read }) => differenceMetrics(metrics, read),
  reconciliations: ({ metrics, read }) => reconciliationMetrics(metrics, read),
  ledger: ({ gauge }) => ledgerMetrics(gauge),
  endingTokens: null,
  heldLocks: null,
  scans: ({ metrics, read }) =>
    metrics.observed(
      {
        name: 'quipu_scan_behind_seconds',
        help: 'Age of the newest scanned block, by chain and view.',
        labels: ['chain', 'view'],
      },
      async () =>
        ((await read())?.scans ?? []).map(({ chain, view, behindSeconds }) => [{ chain, view }, behindSeconds]),
    ),
}

function ledgerMetrics(gauge: BacklogGauge): void {
  gauge(
    'quipu_ledger_drift_micro_usdt',
    'Micro-USDT by which wallets differ from their postings, as the ledger check found; must be 0.',
    ({ ledger }) => Number(ledger.driftMicroUsdt), // Loses precision above 2⁵³, which does not matter.
  )
  gauge(
    'quipu_ledger_unrechecked_seconds',
    'Seconds since the ledger check last compared all postings of the wallet that it did longest ago.',
    ({ ledger }) => ledger.unrecheckedSeconds,
  )
  gauge(
    'quipu_ledger_unchecked_seconds',
    'Seconds since the ledger check compared the wallet that it checked longest ago.',
    ({ ledger }) => ledger.uncheckedSeconds,
  )
}

function reconciliationMetrics(metrics: Metrics, read: ReadBacklog): void {
  type Run = Backlog['reconciliations'][number]
  const gauge = (name: string, help: string, value: (run: Run) => number): void =>
    metrics.observed({ name, help, labels: ['check'] }, async () =>
      ((await read())?.reconciliations ?? []).map((run) => [{ check: run.check }, value(run)]),
    )
  gauge(
    'quipu_reconciliation_completed_seconds',
    'Seconds since a reconciliation run of the check was completed.',
    ({ completedSeconds }) => completedSeconds,
  )
  gauge('quipu_reconciliation_slices', 'Slices of the newest completed run of the check.', ({ slices }) => slices)
  gauge(
    'quipu_reconciliation_compared',
    'Statement lines or balances that the newest completed run of the check compared.',
    ({ compared }) => compared,
  )
}

function differenceMetrics(metrics: Metrics, read: ReadBacklog): void {
  const gauge = (name: string, help: string, value: (open: BacklogCount) => number): void =>
    metrics.observed({ name, help, labels: ['check'] }, async () => {
      const backlog = await read()
      if (!backlog) return []
      return differenceChecks.map((check) => [{ check }, value(backlog.differences[check])] as const)
    })
  gauge(
    'quipu_differences_open',
    `Differences that are open, ${countedUpTo}, by the check that found them; must be 0.`,
    ({ count }) => count,
  )
  gauge(
    'quipu_differences_open_oldest_seconds',
    'Age of the oldest of them; 0 when there is none.',
    ({ oldestSeconds }) => oldestSeconds,
  )
}

function deliveryMetrics(metrics: Metrics, read: ReadBacklog): void {
  const gauge = (name: string, help: string, value: (due: BacklogCount) => number): void =>
    metrics.observed({ name, help, labels: ['pace'] }, async () => {
      const backlog = await read()
      if (!backlog) return []
      return deliveryPaces.map((pace) => [{ pace }, value(backlog.deliveries[pace])] as const)
    })
  gauge(
    'quipu_deliveries_due',
    `Webhook deliveries that are due and unclaimed, queued or not, ${countedUpTo}, by what limits them.`,
    ({ count }) => count,
  )
  gauge(
    'quipu_deliveries_due_oldest_seconds',
    'Seconds since the oldest of them became due; 0 when there is none.',
    ({ oldestSeconds }) => oldestSeconds,
  )
}
