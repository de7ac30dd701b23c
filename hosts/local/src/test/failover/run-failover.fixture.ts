import { setTimeout as pause } from 'node:timers/promises'
import type { Program } from '../harness/process.fixture.ts'
import { openFinalState } from './final-state.fixture.ts'
import { violationsOf } from './invariants.fixture.ts'
import { repeatUntilEnded, type RunningLoad, startLoad } from './load.fixture.ts'
import { type Plan, randomOf } from './plan.fixture.ts'
import { openSetup, type Setup } from './setup.fixture.ts'
import { stall } from './stall.fixture.ts'
import { type TenantClient, tenantClient } from './tenant-client.fixture.ts'
import { toldLog, type ToldLog, type ToldPayout, type Violation } from './answer-log.fixture.ts'

/** What one fail-over came to. */
export type FailoverReport = {
  readonly orders: number
  /** Payouts that the tenant was told of. */
  readonly told: number
  /** Payments in the network's ledger, of any outcome. */
  readonly payments: number
  readonly webhooks: number
  /** How often each status was answered, by method. */
  readonly answers: Readonly<Record<string, number>>
  /** The longest that any answer took. */
  readonly slowestMs: number
  readonly violations: readonly Violation[]
}

/** Where a run keeps its servers. */
export type Places = {
  /** Of `makeTemplate`. */
  readonly template: string
  /** Where the run makes, and removes, a folder of its own. */
  readonly folder: string
}

/**
 * Plays one fail-over with real processes, and compares in the end what the tenant was told, what
 * the database has, and what the network has paid.
 */
export async function runFailover(plan: Plan, places: Places): Promise<FailoverReport> {
  await using setup = await openSetup(places.template, places.folder, plan.load)
  const told = toldLog()
  const random = randomOf(plan.seed)
  const client = tenantClient({
    urls: setup.apiUrls,
    apiKey: setup.apiKey,
    seed: plan.seed,
    random,
    contents: setup.contents,
    told,
  })
  const load = await startLoad(plan.load, client, random)
  await failOver(plan, setup, load)
  const violations = await compare(setup, load, client, told)
  return {
    orders: load.orders.length,
    told: told.payouts.size,
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
  told: ToldLog,
): Promise<Violation[]> {
  const state = await openFinalState(standbyUrl())
  try {
    await load.stopOrders()
    const open = await repeatUntilEnded(load.orders, client, () => state.hasten())
    await load.stop()
    for (const { body } of await receiver.until(0)) addHook(told, body)
    const outcome = {
      told: told.payouts.values(),
      stored: await state.payouts(),
      payments: network.ledger().payments,
      wallets: await state.wallets(),
    }
    return [
      ...told.violations,
      ...violationsOf(outcome),
      ...open.map(({ transaction_id: what }) => ({ kind: 'not_ended', what }) as const),
      ...programs.filter((program) => !program.isRunning()).map(ended),
    ]
  } finally {
    await state.close()
  }
}

const ended = (program: Program): Violation => ({
  kind: 'program_ended',
  what: program.output().slice(-2_000),
})

function addHook(told: ToldLog, body: Buffer): void {
  const { type, data } = JSON.parse(body.toString()) as { type: string; data: ToldPayout }
  if (type.startsWith('payout.')) told.add('webhook', data, 0)
}
