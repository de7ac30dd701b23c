import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { answerLog } from '../agreement/answer-log.ts'
import { until } from '@quipu/local/testing'
import { mulberry32 } from '@quipu/contracts/simulation'
import { type ChainDriver, driveChain } from './system/chain-driver.ts'
import { type ChaosViolation, compareRecords, type Records } from './compare.ts'
import { runFault } from './fault/faults.ts'
import type { FaultContext } from './fault/injection.ts'
import { type Load, type Rate, startLoad } from '../load/load.ts'
import { baseOf } from './system/supervised.ts'
import type { Episode, Step } from './plan.ts'
import { measureRecovery, type Recovery } from './recovery.ts'
import { clientOf, settle } from './settle.ts'
import { startApprovers } from './system/approvers.ts'
import { loadFaucet } from './system/faucet-load.ts'
import { startSystem, type System, type SystemOptions } from './system/system.ts'
import type { AnswerCounts } from '../load/tenant-client.ts'

export type StepReport = Recovery & {
  readonly faults: Step
  /** The longest time without an accepted payout, from the first fault to the recovery. */
  readonly stoppedMs: number
  /** Requests of tenants during the step that got no answer, or a 5xx. */
  readonly failedRequests: number
}

export type EpisodeReport = {
  readonly seed: number
  readonly seconds: number
  readonly steps: readonly StepReport[]
  readonly orders: number
  readonly payments: number
  /** Payouts that two people settled by evidence. */
  readonly settledByPeople: number
  /** Payouts whose money came back after their end. */
  readonly returned: number
  readonly deposits: number
  /** Sends of the faucet that the chain has. */
  readonly sends: number
  readonly events: number
  /** Promotions of a cluster under Patroni. */
  readonly promotions: number
  /** The tenants' requests by method and status. */
  readonly answers: AnswerCounts
  readonly violations: readonly ChaosViolation[]
}

export type EpisodeOptions = SystemOptions & {
  readonly say: (line: string) => void
  /** Where the logs go if there is a violation. */
  readonly logs: string
  /** Time of load without a fault, before each step. */
  readonly quietMs: number
  readonly rate: Rate
  /** Runs once the records agree. @returns violations */
  readonly afterwards?: (system: System, load: Load) => Promise<readonly ChaosViolation[]>
}

/** Runs the steps of an episode under load, then compares the records of every party. */
export async function runEpisode(episode: Episode, options: EpisodeOptions): Promise<EpisodeReport> {
  const startedAt = performance.now()
  const random = mulberry32(episode.seed)
  await using system = await startSystem(options)
  const timeline = await system.database.patroni?.timeline()
  await using driver = driving(driveChain(system.chain, random))
  const log = answerLog()
  const load = await startFundedLoad(system, driver, options.rate, { prefix: `chaos-${episode.seed}`, random, log })
  const approvers = startApprovers(system)
  const faucet = loadFaucet(system.tenants, (tenant) => clientOf(system, tenant))
  const steps: StepReport[] = []
  const violations: ChaosViolation[] = []
  let records: Records | undefined
  try {
    await system.database.restore()
    for (const faults of episode.steps) {
      await pause(options.quietMs)
      const report: Running['report'] = (detail, kind = 'unconfirmed') => void violations.push({ kind, detail })
      const step = await reportStep({ system, load, report, say: options.say }, faults, random)
      steps.push(step)
      options.say(`  ${faults.join(' + ')}: ${textOf(step)}`)
      if (step.payoutMs === null || step.backlogMs === null)
        violations.push({ kind: 'not_recovered', detail: faults.join(' + ') })
    }
    records = await settle(system, { load, faucet, driver }, log)
    violations.push(...compareRecords(records))
    violations.push(...((await options.afterwards?.(system, load)) ?? []))
  } catch (error) {
    violations.push({ kind: 'broken', detail: error instanceof Error ? `${error.stack}` : '' })
    await Promise.all([load.stop(), faucet.stop()])
  } finally {
    await approvers.stop()
  }
  violations.push(...log.violations, ...unexpectedEnds(system))
  const lastTimeline = await system.database.patroni?.timeline().catch(() => undefined)
  if (violations.length > 0) await keepLogs(system, options.logs)
  const tenants = records?.tenants ?? []
  return {
    seed: episode.seed,
    seconds: Math.round((performance.now() - startedAt) / 1e3),
    steps,
    orders: load.intents.length,
    promotions: (lastTimeline ?? 0) - (timeline ?? 0),
    answers: load.counts,
    violations,
    payments: system.network.payments().length,
    settledByPeople: approvers.settled.size,
    returned: system.network.kind === 'openhub' ? system.network.returned.size : 0,
    deposits: tenants.reduce((sum, { transfers }) => sum + transfers.length, 0),
    sends: records?.sends.filter(({ transfers }) => transfers.length > 0).length ?? 0,
    events: tenants.reduce((sum, { eventIds }) => sum + eventIds.length, 0),
  }
}

type Running = Omit<FaultContext, 'between'>

async function reportStep(running: Running, faults: Step, random: () => number): Promise<StepReport> {
  const { load } = running
  const before = failedRequests(load.counts)
  const since = performance.now()
  const recovery = await runStep(running, faults, random)
  return {
    faults,
    ...recovery,
    stoppedMs: load.longestPauseMs(since),
    failedRequests: failedRequests(load.counts) - before,
  }
}

const textOf = ({ stoppedMs, payoutMs, backlogMs, failedRequests: failed }: StepReport): string =>
  `${stoppedMs} ms without payouts, payouts after ${payoutMs ?? 'the limit'} ms, no backlog after ${backlogMs ?? 'the limit'} ms, ${failed} requests failed`

export const failedRequests = (counts: AnswerCounts): number =>
  Object.entries(counts)
    .filter(([key]) => / (?:0|5\d\d)$/.test(key))
    .reduce((sum, [, count]) => sum + count, 0)

export function driving(driver: ChainDriver): ChainDriver & AsyncDisposable {
  return { ...driver, [Symbol.asyncDispose]: () => driver.stop() }
}

/** The figures of each tenant of chaos. */
export const chaosRate: Rate = { writers: 2, readers: 1, reserve: 0, quoters: 0, twice: 0.2, pauseMs: [200, 800] }
const initialFunds = 2_000_000_000n

async function startFundedLoad(
  system: System,
  driver: ChainDriver,
  rate: Rate,
  use: { readonly prefix: string; readonly random: () => number; readonly log: ReturnType<typeof answerLog> },
): Promise<Load> {
  await fundTenants(system, driver)
  const { network, tenants } = system
  const urls = system.apis.flatMap(({ inbound }) => (inbound ? [baseOf(inbound)] : []))
  return startLoad({ network, tenants, urls }, rate, use)
}

async function runStep(running: Running, faults: Step, random: () => number): Promise<Recovery> {
  const between = (low: number, high: number): number => low + random() * (high - low)
  const healed = await Promise.all(
    faults.map(async (fault) => {
      await pause(between(0, 1_500))
      return runFault(fault, { ...running, between })
    }),
  )
  const { system, load } = running
  await system.database.restore()
  return measureRecovery(system, load, Math.max(...healed))
}

/** Resolves when the first deposit of each tenant is credited. */
export async function fundTenants(system: System, driver: ChainDriver): Promise<void> {
  for (const { address } of system.tenants) driver.fund(address, initialFunds)
  await until('the first deposits are credited', async () => {
    const credited = 'select count(*)::int as count from quipu.wallet where available >= $1'
    const [row] = await system.database.query<{ count: number }>(credited, [String(initialFunds)])
    return row?.count === system.tenants.length
  })
}

export const unexpectedEnds = ({ programs }: System): ChaosViolation[] =>
  programs.flatMap((program) => program.unexpectedEnds().map((detail) => ({ kind: 'program_ended', detail }) as const))

async function keepLogs({ programs, network, database }: System, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const program of programs) await writeFile(path.join(folder, `${program.name}.log`), program.output())
  await database.patroni?.keepLogs(folder)
  await writeFile(path.join(folder, 'network.json'), JSON.stringify(network.ledger(), null, 2))
}
