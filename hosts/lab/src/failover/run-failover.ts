import { setTimeout as pause } from 'node:timers/promises'
import type { Program } from '@quipu/local/testing'
import { openFinalState } from '../agreement/final-state.ts'
import { violationsOf } from '../agreement/invariants.ts'
import { repeatUntilEnded, type RunningLoad, startLoad } from './load.ts'
import { mulberry32 } from '@quipu/contracts/simulation'
import type { Plan } from './plan.ts'
import { openSetup, type Setup } from './setup.ts'
import { stall } from './stall.ts'
import { type TenantClient, tenantClient } from './tenant-client.ts'
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
  const random = mulberry32(plan.seed)
  const client = tenantClient({
    urls: setup.apiUrls,
    apiKey: setup.apiKey,
    seed: plan.seed,
    random,
    contents: setup.contents,
    log,
  })
  const load = await startLoad(plan.load, client, random)
  await failOver(plan, setup, load)
  const violations = await compare(setup, load, client, log)
  return {
    orders: load.orders.length,
    answered: log.payouts.size,
    payments: setup.network.ledger().payments.length,
    webhooks: (await setup.receiver.until(0)).length,
    answers: client.answers,
    slowestMs: client.slowestMs(),
    violations,
  }
}

async function failOver(plan: Plan, { pair }: Setup, load: RunningLoad): Promise<void> {
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
  load: RunningLoad,
  client: TenantClient,
  log: AnswerLog,
): Promise<Violation[]> {
  const state = await openFinalState(standbyUrl())
  try {
    await load.stopOrders()
    const open = await repeatUntilEnded(load.orders, client, () => state.makeDue())
    await load.stop()
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
      ...open.map(({ transaction_id: detail }) => ({ kind: 'not_ended', detail }) as const),
      ...programs.filter((program) => !program.isRunning()).map(programEnded),
    ]
  } finally {
    await state.close()
  }
}

const programEnded = (program: Program): Violation => ({
  kind: 'program_ended',
  detail: program.output().slice(-2_000),
})

function addWebhook(log: AnswerLog, body: Buffer): void {
  const { type, data } = JSON.parse(body.toString()) as { type: string; data: AnsweredPayout }
  if (type.startsWith('payout.')) log.add('webhook', data, 0)
}
