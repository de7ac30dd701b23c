import { setTimeout as pause } from 'node:timers/promises'
import type { Program } from '@quipu/local/testing'
import { openFinalState } from '../agreement/final-state.ts'
import { violationsOf } from '../agreement/invariants.ts'
import { type Load, type Rate, startLoad } from '../load/load.ts'
import type { Intent } from '../load/tenant-client.ts'
import { mulberry32 } from '@quipu/contracts/simulation'
import type { Plan } from './plan.ts'
import { openSetup, type Setup } from './setup.ts'
import { stall } from './stall.ts'
import { answerLog, type AnswerLog, type AnsweredPayout, type Violation } from '../agreement/answer-log.ts'

/** Result of one fail-over. */
export type FailoverReport = {
  readonly orders: number
  /** Number of payouts in the tenant's answers. */
  readonly answered: number
  /** Payments in the network's ledger, of any outcome. */
  readonly payments: number
  readonly webhooks: number
  /** Number of answers by method and status. */
  readonly answers: Readonly<Record<string, number>>
  /** Longest response time. */
  readonly slowestMs: number
  readonly violations: readonly Violation[]
}

export type Folders = {
  /** Created by `makeTemplate`. */
  readonly template: string
  /** The run creates and removes a subfolder in it. */
  readonly folder: string
}

/**
 * Runs one fail-over with real processes, then compares the tenant's answers, the database, and the
 * network's ledger.
 */
export async function runFailover(plan: Plan, folders: Folders): Promise<FailoverReport> {
  await using setup = await openSetup(folders.template, folders.folder, plan.load)
  const log = answerLog()
  const use = { prefix: `order-${plan.seed}`, random: mulberry32(plan.seed), log }
  const load = await startLoad(setup, rates[plan.load], use)
  await failOver(plan, setup, load)
  const violations = await compare(setup, load, log)
  return {
    orders: load.intents.length,
    answered: log.payouts.size,
    payments: setup.network.ledger().payments.length,
    webhooks: (await setup.receiver.until(0)).length,
    answers: load.counts,
    slowestMs: load.slowestMs(),
    violations,
  }
}

const pauseMs = [20, 20] as const
const rates: Readonly<Record<Plan['load'], Rate>> = {
  quiet: { writers: 1, readers: 1, reserve: 60, quoters: 0, twice: 0, pauseMs },
  busy: { writers: 32, readers: 6, reserve: 300, quoters: 4, twice: 1, pauseMs },
}

async function failOver(plan: Plan, { pair }: Setup, load: Load): Promise<void> {
  await pause(plan.beforeStallMs)
  await stall(pair, plan, load.untilAnswered)
  await pair.primary.kill()
  if (plan.earlyAddress) pair.address.pointTo(pair.standby)
  await pause(plan.outageMs)
  await pair.promote()
  pair.address.pointTo(pair.standby)
}

async function compare(
  { standbyUrl, network, receiver, programs }: Setup,
  load: Load,
  log: AnswerLog,
): Promise<Violation[]> {
  const state = openFinalState(standbyUrl())
  try {
    let isOver = false
    const repeating = load.repeatAndStop().finally(() => (isOver = true))
    // Payouts that are open end by the worker, whose retries are not waited for.
    for (; !isOver; await pause(100)) await state.makeDue()
    await repeating
    for (const { body } of await receiver.until(0)) addWebhook(log, body)
    const outcome = {
      answered: log.payouts.values(),
      stored: await state.payouts(),
      payments: network.ledger().payments,
      wallets: await state.wallets(),
    }
    return [
      ...log.violations,
      ...violationsOf(outcome),
      ...load.intents.flatMap(wrongEnd),
      ...programs.filter((program) => !program.isRunning()).map(programEnded),
    ]
  } finally {
    await state.close()
  }
}

/** An expired quote is the only refusal that an order without a payout can get. */
function wrongEnd({ request: { transaction_id: id }, ended }: Intent): Violation[] {
  if (ended === undefined) return [{ kind: 'not_ended', detail: id }]
  const isExpected = [...finalStatuses, 'QUOTE_EXPIRED'].includes(ended)
  return isExpected ? [] : [{ kind: 'denied', detail: `${id}: ${ended}` }]
}

const finalStatuses = ['completed', 'failed', 'cancelled', 'rejected']

const programEnded = (program: Program): Violation => ({
  kind: 'program_ended',
  detail: program.output().slice(-2_000),
})

function addWebhook(log: AnswerLog, body: Buffer): void {
  const { type, data } = JSON.parse(body.toString()) as { type: string; data: AnsweredPayout }
  if (type.startsWith('payout.')) log.add('webhook', data, 0)
}
