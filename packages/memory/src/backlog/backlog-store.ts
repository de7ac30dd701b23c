import {
  type Backlog,
  type BacklogStore,
  backlogCountMax,
  type Chain,
  type DeliveryPace,
  type ChainView,
  type BacklogCount,
  endingTokensMax,
} from '@quipu/core/adapter'
import {
  type DifferenceCheck,
  differenceChecks,
  reconciliationChecks,
  type ReconciliationRun,
  tokensEndingSoon,
  lineMarginMs,
} from '@quipu/core/operator'
import type { Database } from '../table/database.ts'
import { paymentsOf } from '../reconciliation/compared-records.ts'
import { alertsSent } from '../operator-alert/operator-alert-store.ts'
import { entriesToNotice } from '../notice/notice-store.ts'
import { dueSince } from '../webhook/delivery-claims.ts'
import type { WebhookRow } from '../table/webhook-row.ts'

export const memoryBacklogStore = (database: Database): BacklogStore => ({
  read: async () => {
    const now = database.now()
    return {
      payouts: waiting(
        now,
        Array.from(database.leases.values(), ({ openedAt }) => openedAt),
      ),
      deliveries: {
        fast: waiting(now, dueAt(database, 'fast', now)),
        slow: waiting(now, dueAt(database, 'slow', now)),
        catching_up: waiting(now, dueAt(database, 'catching_up', now)),
      },
      retryingDeliveries: counted(
        rows(database).flatMap(({ open }) =>
          Array.from(open).filter(
            ({ nextAt, inFlightUntil, attempts }) => inFlightUntil === null && nextAt > now && attempts.length > 0,
          ),
        ).length,
      ),
      pausedEndpoints: rows(database).filter(({ endpoint }) => endpoint.status === 'paused').length,
      failingEndpoints: waiting(
        now,
        rows(database).flatMap(({ endpoint, failingSince, isFailingLong }) =>
          isFailingLong && failingSince && endpoint.status === 'active' ? [failingSince] : [],
        ),
      ),
      notices: waitingNotices(database, now),
      isQuotingPaused: database.quoting.status === 'paused',
      screeningCases: waiting(
        now,
        Array.from(database.screeningCases.values()).flatMap(({ status, openedAt }) =>
          status === 'open' ? [openedAt] : [],
        ),
      ),
      depositsInReview: reviewsOf(database, now),
      proposals: waiting(
        now,
        Array.from(database.proposals.values()).flatMap(({ status, expiresAt, createdAt }) =>
          status === 'open' && expiresAt > now ? [createdAt] : [],
        ),
      ),
      alerts: alertsSent(database),
      undecidedDeposits: undecidedOf(database, now),
      differences: differencesOf(database, now),
      // A balance changes together with its transfers.
      ledger: { uncheckedSeconds: 0, unrecheckedSeconds: 0, driftMicroUsdt: 0n },
      reconciliations: reconciliationsOf(database, now),
      endingTokens: tokensEndingSoon(
        Array.from(database.operatorTokens.values(), ({ token }) => token),
        now,
      )
        .slice(0, endingTokensMax)
        .map(({ id, person, role, expiresAt }) => ({ id, person, role, expiresAt })),
      heldLocks: [],
      scans: scansOf(database, now),
    }
  },
})

const rows = ({ webhooks }: Database): readonly WebhookRow[] => Array.from(webhooks.values())

const counted = (count: number): number => Math.min(count, backlogCountMax)

const seconds = (from: Date, to: Date): number => Math.max(0, (to.getTime() - from.getTime()) / 1000)

function waiting(now: Date, since: readonly Date[]): BacklogCount {
  const oldest = since.reduce((least, at) => (at < least ? at : least), now)
  return { count: counted(since.length), oldestSeconds: seconds(oldest, now) }
}

function reviewsOf({ deposits }: Database, now: Date): Backlog['depositsInReview'] {
  const open = Array.from(deposits.values(), ({ deposit }) => deposit).filter(
    (deposit) => deposit.status === 'in_review' && deposit.closed === null,
  )
  const since = open.map(({ createdAt }) => createdAt)
  return { ...waiting(now, since), amountMicroUsdt: open.reduce((sum, { amount }) => sum + amount.minor, 0n) }
}

function undecidedOf({ deposits }: Database, now: Date): Backlog['undecidedDeposits'] {
  const undecided = Array.from(deposits.values())
    .flatMap(({ deposit, problem, solidAt }) =>
      deposit.status === 'pending' && solidAt ? [{ depositId: deposit.id, problem, solidAt }] : [],
    )
    .toSorted((a, b) => a.solidAt.getTime() - b.solidAt.getTime())
  const { solidAt: _, ...oldest } = undecided[0] ?? { solidAt: now }
  return {
    ...waiting(
      now,
      undecided.map(({ solidAt }) => solidAt),
    ),
    oldest: 'depositId' in oldest ? oldest : null,
  }
}

function waitingNotices(database: Database, now: Date): BacklogCount {
  const entries = entriesToNotice(database).map(({ at }) => at)
  const { failingSince } = database.noticeCursor
  const { oldestSeconds } = waiting(now, failingSince ? [...entries, failingSince] : entries)
  return { count: counted(entries.length), oldestSeconds }
}

const paceOf = ({ catchUpAt, isSlow }: WebhookRow): DeliveryPace => {
  if (catchUpAt !== null) return 'catching_up'
  return isSlow ? 'slow' : 'fast'
}

const dueAt = (database: Database, pace: DeliveryPace, now: Date): readonly Date[] =>
  rows(database)
    .filter((row) => row.endpoint.status === 'active' && paceOf(row) === pace)
    .flatMap(({ open }) => Array.from(open))
    .filter(({ nextAt, inFlightUntil, isLeased }) => nextAt <= now || (inFlightUntil !== null && !isLeased))
    .map(dueSince)

function differencesOf(database: Database, now: Date): Backlog['differences'] {
  const open = Array.from(database.differences.byId.values()).filter(({ status }) => status === 'open')
  const countOf = (check: DifferenceCheck): BacklogCount =>
    waiting(
      now,
      open.filter((each) => each.check === check).map(({ foundAt }) => foundAt),
    )
  return Object.fromEntries(differenceChecks.map((check) => [check, countOf(check)])) as Backlog['differences']
}

const reconciliationsOf = (database: Database, now: Date): Backlog['reconciliations'] =>
  reconciliationChecks.toSorted().flatMap((check) => {
    const [newest] = Array.from(database.reconciliations.rows.values(), ({ run }) => run)
      .flatMap(({ completedAt, ...run }) => (completedAt ? [{ ...run, completedAt }] : []))
      .filter((run) => run.check === check)
      .toSorted((a, b) => b.completedAt.getTime() - a.completedAt.getTime())
    if (newest === undefined) return []
    const { slices, compared, completedAt } = newest
    const hasSkipped = compared === 0 && newest.differences === 0 && hadSomething(database, newest)
    const open = Array.from(database.reconciliations.rows.values(), ({ run }) => run).filter(
      (run) => run.check === check && run.completedAt === null && run.scheduledFor !== null,
    )
    const { oldestSeconds: openSeconds } = waiting(
      now,
      open.map(({ createdAt }) => createdAt),
    )
    return [
      { check, run: newest, completedSeconds: seconds(completedAt, now), openSeconds, slices, compared, hasSkipped },
    ]
  })

/** Whether the run had something to compare. */
function hadSomething(
  database: Database,
  { period, createdAt }: Pick<ReconciliationRun, 'period' | 'createdAt'>,
): boolean {
  if (period === null)
    return Array.from(database.deposits.values()).some(
      ({ solid, solidAt }) => solid?.type === 'confirmed' && solidAt !== null && solidAt < createdAt,
    )
  return paymentsOf(database).some(
    ({ status, endedAt, isRefunded, createdAt: begun }) =>
      status === 'completed' &&
      !isRefunded &&
      begun.getTime() >= period.from.getTime() + lineMarginMs &&
      endedAt !== null &&
      endedAt.getTime() < period.to.getTime() - lineMarginMs,
  )
}

const scansOf = ({ scans }: Database, now: Date): Backlog['scans'] =>
  Array.from(scans)
    .flatMap(([key, { at }]) => {
      if (at === undefined) return []
      const [chain, view] = key.split(':') as [Chain, ChainView]
      return [{ chain, view, behindSeconds: seconds(at.at, now) }]
    })
    .toSorted((a, b) => (a.view < b.view ? -1 : 1))
