import type { EndedPayout } from '@quipu/core/adapter'
import { type ActivityQuery, activityPayoutsMax, type ActivityStep, type PayoutActivity } from '@quipu/core/operator'
import type { Database } from '../table/database.ts'

export function payoutActivity(database: Database, { from, stepSeconds }: ActivityQuery): PayoutActivity {
  const newest = Array.from(database.tenants.values(), (data) => [...data.payouts.values()])
    .flat()
    .flatMap(({ payout }) => (payout.status === 'processing' ? [] : [payout]))
    .filter(({ createdAt }) => createdAt >= from)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, activityPayoutsMax)
  const oldest = newest.length < activityPayoutsMax ? undefined : newest.at(-1)?.createdAt
  const steps = Map.groupBy(newest, ({ createdAt }) => {
    const stepMs = stepSeconds * 1000
    return Math.floor(createdAt.getTime() / stepMs) * stepMs
  })
  return {
    completeFrom: oldest ?? from,
    steps: Array.from(steps, ([at, payouts]) => stepOf(new Date(at), payouts)).toSorted(
      (a, b) => a.at.getTime() - b.at.getTime(),
    ),
  }
}

function stepOf(at: Date, payouts: readonly EndedPayout[]): ActivityStep {
  const count = (wanted: EndedPayout['status']): number => payouts.filter(({ status }) => status === wanted).length
  const took = payouts
    .map(({ endedAt, createdAt }) => endedAt.getTime() - createdAt.getTime())
    .toSorted((a, b) => a - b)
  const within = (share: number): number => took[Math.ceil(share * took.length) - 1] ?? 0
  return {
    at,
    outcomes: {
      completed: count('completed'),
      failed: count('failed'),
      rejected: count('rejected'),
      cancelled: count('cancelled'),
    },
    medianMs: within(0.5),
    p95Ms: within(0.95),
  }
}
