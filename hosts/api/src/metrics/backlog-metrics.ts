import {
  type Backlog,
  type Clock,
  deliveryPaces,
  type Timer,
  type BacklogCount,
  withTimeout,
} from '@quipu/core'
import type { Metrics } from '@quipu/runtime'

/** What waits in the database; undefined when it does not tell in time. */
export type ReadBacklog = () => Promise<Backlog | undefined>

/** Whoever scrapes is asked for 10 s to wait, and has figures of the process itself to take home. */
const patienceMs = 2_000
const keptMs = 5_000

/**
 * Reads the backlog at most every five seconds, however many figures and scrapes there are, and gives
 * a database up that does not answer.
 */
export function backlogReader(
  read: () => Promise<Backlog>,
  { timer, now }: { readonly timer: Timer; readonly now: Clock },
): ReadBacklog {
  let kept: { readonly at: Date; readonly reading: Promise<Backlog | undefined> } | undefined
  const inTime = (): Promise<Backlog | undefined> =>
    withTimeout(
      timer,
      patienceMs,
      read().catch(() => undefined),
    )
  return () => {
    const at = now()
    const ageMs = kept === undefined ? keptMs : Math.abs(at.getTime() - kept.at.getTime())
    if (kept === undefined || ageMs >= keptMs) kept = { at, reading: inTime() }
    return kept.reading
  }
}

/** Shows figures of the whole service, which each of its processes tells alike; none while the database is away. */
export function backlogFigures(metrics: Metrics, read: ReadBacklog): void {
  const one = (value: (backlog: Backlog) => number) => async () => {
    const backlog = await read()
    return backlog ? [[{}, value(backlog)] as const] : []
  }
  metrics.observed(
    { name: 'quipu_payouts_processing', help: 'Payouts in processing, counted up to 10,000.' },
    one(({ payouts }) => payouts.count),
  )
  metrics.observed(
    {
      name: 'quipu_payouts_processing_oldest_seconds',
      help: 'How long the oldest payout in processing has been, by the database’s clock; 0 when there is none.',
    },
    one(({ payouts }) => payouts.oldestSeconds),
  )
  deliveryFigures(metrics, read)
  metrics.observed(
    { name: 'quipu_webhook_endpoints_paused', help: 'Webhook endpoints that are paused.' },
    one(({ pausedEndpoints }) => pausedEndpoints),
  )
  metrics.observed(
    {
      name: 'quipu_deposits_in_review',
      help: 'Deposits that wait for an operator, counted up to 10,000.',
    },
    one(({ depositsInReview }) => depositsInReview),
  )
  metrics.observed(
    {
      name: 'quipu_ledger_differences',
      help: 'Differences between the ledger and its sources that a worker has found; 0 is right.',
    },
    one(({ ledger }) => ledger.differences),
  )
  metrics.observed(
    {
      name: 'quipu_ledger_unchecked_seconds',
      help: 'How long ago a worker compared the wallet with its postings that it compared longest ago.',
    },
    one(({ ledger }) => ledger.uncheckedSeconds),
  )
  metrics.observed(
    {
      name: 'quipu_scan_behind_seconds',
      help: 'How old the newest block is that was scanned, by chain and view.',
      labels: ['chain', 'view'],
    },
    async () =>
      ((await read())?.scans ?? []).map(({ chain, view, behindSeconds }) => [
        { chain, view },
        behindSeconds,
      ]),
  )
}

function deliveryFigures(metrics: Metrics, read: ReadBacklog): void {
  const each = (value: (waiting: BacklogCount) => number) => async () => {
    const backlog = await read()
    if (!backlog) return []
    return deliveryPaces.map((pace) => [{ pace }, value(backlog.deliveries[pace])] as const)
  }
  metrics.observed(
    {
      name: 'quipu_deliveries_due',
      help: 'Webhook deliveries that are due and not under way, counted up to 10,000, by what keeps them.',
      labels: ['pace'],
    },
    each(({ count }) => count),
  )
  metrics.observed(
    {
      name: 'quipu_deliveries_due_oldest_seconds',
      help: 'For how long the oldest of them has been due; 0 when there is none.',
      labels: ['pace'],
    },
    each(({ oldestSeconds }) => oldestSeconds),
  )
}
