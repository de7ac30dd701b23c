import { checkFinal, type Answered } from '../invariant/final.ts'
import type { NetworkKind } from '../../run/network-kind.ts'
import { checkReversals } from '../invariant/reversals.ts'
import { noPlants, type Plants } from '../plant/plants.ts'
import { unfinished } from '../invariant/quiescence.ts'
import { watch } from '../invariant/watch.ts'
import { otherActions } from '../action/other-actions.ts'
import { settleDoubtful } from '../action/propose.ts'
import { pay, type PaymentRecord, submit } from '../action/pay.ts'
import { allProcesses, type Fleet, replaceApi, replaceWorker, startFleet } from '../process/fleet.ts'
import { calm, detailsOf, faultyMs, type Scenario } from '../scenario/scenario.ts'
import { thisRelease } from '../release/release.ts'
import { newWorld, type Releases, type World } from '../world/world.ts'
import { inject } from './inject.ts'
import { type Statistics, statistics } from '../statistics.ts'

/** The result of one seed. */
export type RunResult = {
  readonly scenario: Scenario
  /** Empty when every invariant held. */
  readonly violations: readonly string[]
  /** The digest of everything that was executed: equal for equal scenarios. */
  readonly trace: string
  readonly statistics: Statistics
  readonly events: number
}

/** The code that runs: by default this release, without a planted bug. */
export type RunOptions = {
  readonly plants?: Plants | undefined
  readonly releases?: Releases
  /** That at which the planted bug shows, by default. */
  readonly network?: NetworkKind | undefined
}

const [stepMs, healingMs] = [5_000, 3_600_000]

/**
 * Runs a scenario: a minute and a half of requests and faults, then without faults until everything has ended, then
 * every request once more. Ends at the first violation.
 */
export async function runScenario(
  scenario: Scenario,
  { plants = noPlants, releases = [thisRelease], network = plants.at }: RunOptions = {},
): Promise<RunResult> {
  const counted = statistics()
  const world = await newWorld(scenario, { plants, releases, kind: network })
  const trace = watch(world, counted)
  const { loop, violations } = world
  const fleet = startFleet(world)
  const answers: Answered[] = []
  const record: PaymentRecord = {
    offers: new Map(),
    requests: [],
    onAnswer: (tenant, request, answer) => {
      answers.push({ tenant, request, answer })
      counted.count(`answer ${answer.type === 'payout' ? answer.payout.status : answer.code}`)
    },
  }
  scheduleActions(world, fleet, record)
  inject(world, fleet, counted)
  const isOver = (): boolean => violations.length > 0
  const run = async (ms: number): Promise<void> => {
    for (let past = 0; past < ms && !isOver(); past += stepMs) await loop.run(stepMs)
  }
  /** Runs until everything has ended. */
  const finish = async (): Promise<void> => {
    let left: readonly string[] = ['the first wait']
    for (let past = 0; past < healingMs && left.length > 0 && !isOver(); past += 30_000) {
      settleDoubtful(world, fleet).catch((error: unknown) => world.onUnexpected('settling by evidence failed', error))
      await run(30_000)
      left = await unfinished(world)
    }
    if (!isOver()) violations.push(...left.map((each) => `not live: ${each}`))
  }
  await run(faultyMs)
  heal(world, fleet)
  await run(30_000)
  await finish()
  world.chain.stop()
  world.hasChainStopped = true
  await finish()
  if (!isOver()) {
    for (const each of record.requests) void submit(world, fleet, record, each)
    await run(60_000)
    await checkReversals(world, fleet, counted, run)
  }
  if (!isOver()) {
    await checkFinal(world, answers, counted)
  }
  if (world.startedBeside > 0) counted.count('process of the other release', world.startedBeside)
  return { scenario, violations, trace: trace.digest(), statistics: counted, events: loop.ran() }
}

function scheduleActions(world: World, fleet: Fleet, record: PaymentRecord): void {
  const { loop, scenario } = world
  for (const action of scenario.actions)
    loop.after(action.at, () => {
      const details = detailsOf(action)
      const acting =
        action.kind === 'pay' ? pay(world, fleet, record, details) : otherActions[action.kind](world, fleet, details)
      acting.catch((error: unknown) => world.onUnexpected(`the action ${action.kind} failed`, error))
    })
}

/** Ends every fault, and starts processes that are not halted. */
function heal(world: World, fleet: Fleet): void {
  const { database, databaseFaults, network, withoutCancel, chain, receivers } = world
  world.conditions = calm
  world.loopPauses = 8
  Object.assign(databaseFaults, { refused: 0, lost: 0, diskMs: () => 0, isFull: false })
  database.resumeStandby()
  Object.assign(network, { faults: 0, isDown: false })
  if (withoutCancel) withoutCancel.faults = 0
  Object.assign(chain.nodes, { faults: 0, forgeries: 0, staleness: 0 })
  chain.stopForking()
  Object.assign(receivers, { faults: 0, isDown: false })
  const now = world.loop.now().getTime()
  for (const { link } of allProcesses(fleet)) link.cutUntilMs = now
  for (const target of fleet.apis.keys()) replaceApi(world, fleet, target)
  for (const target of fleet.workers.keys()) replaceWorker(world, fleet, target, false)
}
