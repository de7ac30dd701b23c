import { toDecimal, usdt } from '@quipu/core'
import { type Backlog, type BacklogCount, backlogCountMax } from '@quipu/core/adapter'
import { differenceChecks, reconciliationChecks } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { instantToJson } from '../json/instant.ts'
import { usdtAmount } from '../json/money.ts'

const seconds = z.int().min(0)
const waiting = z.object({
  count: z
    .int()
    .min(0)
    .meta({ description: `Counted up to ${backlogCountMax.toLocaleString('en')}.` }),
  oldest_seconds: seconds.meta({ description: 'The age of the oldest; 0 when there is none.' }),
})

/** Backlog and checks, for the whole service. */
export const backlogReport = z
  .object({
    payouts_processing: waiting,
    deliveries: z
      .object({ fast: waiting, slow: waiting, catching_up: waiting })
      .meta({ description: 'Due and not under way, by the pace of their endpoints.' }),
    retrying_deliveries: z.int().min(0).meta({ description: 'Failed ones that wait for their next attempt.' }),
    paused_endpoints: z.int().min(0),
    failing_endpoints: waiting,
    notices: waiting.meta({ description: 'Notices to technical contacts that wait.' }),
    screening_cases: waiting.meta({ description: 'Open cases of screening.' }),
    deposits_in_review: z.object({ ...waiting.shape, amount: usdtAmount.meta({ description: 'Their sum.' }) }),
    proposals: waiting.meta({ description: 'Proposals that wait for an approval.' }),
    alerts: z
      .object({
        gateway: z
          .enum(['set', 'none'])
          .meta({ description: '`none`: `OPERATOR_ALERT_URL` is not set; alerts are lines of the log.' }),
        waiting: waiting.meta({ description: 'Alerts of which the gateway has accepted no message.' }),
        accepted_at: time.nullable().meta({ description: 'When the gateway last accepted a message.' }),
        digest_day: z
          .string()
          .nullable()
          .meta({ description: 'The day of the last accepted digest.', examples: ['2026-11-20'] }),
      })
      .meta({ description: 'Whether alerts reach people.' }),
    undecided_deposits: waiting.meta({
      description: 'Pending deposits that solid blocks have decided; ages since then.',
    }),
    differences: z
      .array(z.object({ check: z.enum(differenceChecks), ...waiting.shape }))
      .meta({ description: 'Open differences of each check.' }),
    network_liquidity: z
      .enum(['watched', 'not_watched'])
      .meta({ description: '`not_watched`: `NETWORK_LIQUIDITY_FLOOR_BOB` is not set, or `off`.' }),
    ledger: z.object({
      drift: usdtAmount.meta({ description: 'By which wallets differ from their postings, in open differences.' }),
      unchecked_seconds: seconds.meta({ description: 'Since the oldest check of a wallet.' }),
      unrechecked_seconds: seconds.meta({ description: 'Since the oldest complete recheck of a wallet.' }),
    }),
    reconciliations: z.array(
      z.object({
        check: z.enum(reconciliationChecks),
        completed_seconds: seconds.meta({ description: 'Since its newest run was completed.' }),
      }),
    ),
    scans: z.array(
      z.object({
        chain: z.string(),
        view: z.string(),
        behind_seconds: seconds.meta({ description: 'The age of its newest block.' }),
      }),
    ),
  })
  .meta({ id: 'Backlog', description: 'As the metrics show it. Ages are rounded down.' })
export type BacklogJson = z.output<typeof backlogReport>

/** The parts that the settings of the answering process watch. */
export type Watched = {
  /** Whether a floor of the network's liquidity is set. */
  readonly isLiquidityWatched: boolean
  /** Whether a gateway receives alerts. */
  readonly hasGateway: boolean
}

export const backlogToJson = (backlog: Backlog, { isLiquidityWatched, hasGateway }: Watched): BacklogJson => ({
  payouts_processing: countToJson(backlog.payouts),
  deliveries: {
    fast: countToJson(backlog.deliveries.fast),
    slow: countToJson(backlog.deliveries.slow),
    catching_up: countToJson(backlog.deliveries.catching_up),
  },
  retrying_deliveries: backlog.retryingDeliveries,
  paused_endpoints: backlog.pausedEndpoints,
  failing_endpoints: countToJson(backlog.failingEndpoints),
  notices: countToJson(backlog.notices),
  screening_cases: countToJson(backlog.screeningCases),
  deposits_in_review: {
    ...countToJson(backlog.depositsInReview),
    amount: toDecimal(usdt(backlog.depositsInReview.amountMicroUsdt)),
  },
  proposals: countToJson(backlog.proposals),
  alerts: {
    gateway: hasGateway ? 'set' : 'none',
    waiting: countToJson(backlog.alerts.waiting),
    accepted_at: backlog.alerts.acceptedAt && instantToJson(backlog.alerts.acceptedAt),
    digest_day: backlog.alerts.digestDay,
  },
  undecided_deposits: countToJson(backlog.undecidedDeposits),
  differences: differenceChecks.map((check) => ({ check, ...countToJson(backlog.differences[check]) })),
  network_liquidity: isLiquidityWatched ? 'watched' : 'not_watched',
  ledger: {
    drift: toDecimal(usdt(backlog.ledger.driftMicroUsdt)),
    unchecked_seconds: Math.floor(backlog.ledger.uncheckedSeconds),
    unrechecked_seconds: Math.floor(backlog.ledger.unrecheckedSeconds),
  },
  reconciliations: backlog.reconciliations.map(({ check, completedSeconds }) => ({
    check,
    completed_seconds: Math.floor(completedSeconds),
  })),
  scans: backlog.scans.map(({ chain, view, behindSeconds }) => ({
    chain,
    view,
    behind_seconds: Math.max(0, Math.floor(behindSeconds)),
  })),
})

const countToJson = ({ count, oldestSeconds }: BacklogCount): z.output<typeof waiting> => ({
  count,
  oldest_seconds: Math.floor(oldestSeconds),
})
