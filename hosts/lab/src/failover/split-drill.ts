import { mulberry32 } from '@quipu/contracts/simulation'
import { migrateWithOperators, repository, sweepOperator, treasury, until } from '@quipu/local/testing'
import { migrate, type SplitStep } from '@quipu/postgres'
import { type AnswerLog, answerLog } from '../agreement/answer-log.ts'
import { patroniStarter } from '../chaos/patroni.ts'
import { compareRecords } from '../chaos/compare.ts'
import { driving, failedRequests, fundTenants, unexpectedEnds } from '../chaos/run-episode.ts'
import { settle } from '../chaos/settle.ts'
import { type ChainDriver, driveChain } from '../chaos/system/chain-driver.ts'
import type { ChaosDatabase } from '../chaos/system/database.ts'
import { loadFaucet } from '../chaos/system/faucet-load.ts'
import { baseOf, type Supervised } from '../chaos/system/supervised.ts'
import { startSystem, type System } from '../chaos/system/system.ts'
import type { ChaosTenant } from '../chaos/system/tenants.ts'
import { type Load, type Rate, startLoad } from '../load/load.ts'
import type { PatroniPrograms } from '../patroni/programs.ts'
import { runSql } from '../run/run-sql.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { type SplitCommand, splitCommand, splitSteps } from './split-command.ts'
import { type Copy, startCopy } from './split-copy.ts'

export type SplitPlan = {
  readonly seed: number
  /** Ends the command at each step, first going back, then forwards, and the primary at this one. */
  readonly failsAt: SplitStep | undefined
}

export type SplitDrill = {
  readonly orders: number
  readonly deposits: number
  readonly events: number
  readonly promotions: number
  /** From the step `stop` to the end of `enter`, of a command that was not ended. */
  readonly moveMs: number | undefined
  /** The longest time without an accepted payout of the moved tenants, with the start of the new cell's API, and of the others. */
  readonly movedStoppedMs: number
  readonly othersStoppedMs: number
  /** Requests of the others without an answer, or with a 5xx. */
  readonly othersFailed: number
  readonly violations: readonly string[]
}

const rate: Rate = { writers: 3, readers: 1, reserve: 0, quoters: 0, twice: 0.05, pauseMs: [50, 200] }
const settings = { SWEEP_TREASURY_ADDRESS: treasury }

/** A load of some tenants, whose requests go to `urls`, also to one that is written there later. */
type Part = {
  readonly tenants: readonly ChaosTenant[]
  readonly prefix: string
  readonly urls: string[]
  readonly log: AnswerLog
  readonly load: Load
}

/** Splits a cell under Patroni, with the processes of both cells, and compares the records of all parties in both. */
export async function drillSplit({ seed, failsAt }: SplitPlan, programs: PatroniPrograms): Promise<SplitDrill> {
  await using folder = await temporaryFolder('split')
  await using system = await startSystem({
    root: repository,
    network: 'http',
    folder: folder.path,
    processes: 1,
    receivers: [['ok'], ['ok'], ['ok', 'error']],
    settings: { ...settings, CELL: 'g' },
    startDatabase: patroniStarter(async (url) => {
      await migrateWithOperators(url)
      await migrate(url, { cell: 'g' })
    }),
  })
  const { patroni } = system.database
  if (!patroni) throw new Error('the database has no cluster')
  await using copy = await startCopy(patroni, programs, folder.path)
  const random = mulberry32(seed)
  await using driver = driving(driveChain(system.chain, random))
  await fundTenants(system, driver)
  const [others, moved] = await startParts(system, random)
  const sweeps = await planSweeps(system)
  const files = { folder: folder.path, from: system.database.url(), copy }
  const command = await splitCommand(
    files,
    moved.tenants.map(({ id }) => id),
  )
  const [before, since, failedBefore] = [
    await patroni.timeline(),
    performance.now(),
    failedRequests(others.load.counts),
  ]
  await payOn(moved)
  const failOver = async (): Promise<void> => (await patroni.roles()).primary.killPostgres()
  const moveMs = failsAt ? await splitEnded(command, moved, { failsAt, failOver }) : await splitWhole(command)
  await using h = await startNewCell(system, copy)
  moved.urls.splice(0, 1, baseOf(h.inbound))
  await payOn(moved)
  await payOn(others)
  const stopped = [moved, others].map(({ load }) => load.longestPauseMs(since))
  const othersFailed = failedRequests(others.load.counts) - failedBefore
  await system.database.restore()
  const promotions = (await patroni.timeline()) - before
  const sweptTwice = await sweeps.sweep(h.system)
  const sides = [viewOf(system, system, others), viewOf(system, h.system, moved)]
  const found = await compareSides(sides, [others, moved], driver)
  const [movedStoppedMs = 0, othersStoppedMs = 0] = stopped
  const isKept = failsAt === undefined || promotions > 0
  return {
    orders: others.load.intents.length + moved.load.intents.length,
    ...found,
    promotions,
    moveMs,
    movedStoppedMs,
    othersStoppedMs,
    othersFailed,
    violations: [
      ...found.violations,
      ...sweptTwice,
      ...(isKept ? [] : ['nothing failed over']),
      ...[system, h.system].flatMap(unexpectedEnds).map(({ detail }) => detail),
    ],
  }
}

async function startParts(system: System, random: () => number): Promise<readonly [others: Part, moved: Part]> {
  const { network, tenants, apis } = system
  const start = async (prefix: string, of: readonly ChaosTenant[]): Promise<Part> => {
    const [urls, log] = [apis.flatMap(({ inbound }) => (inbound ? [baseOf(inbound)] : [])), answerLog()]
    const load = await startLoad({ network, tenants: of, urls }, rate, { prefix, random, log })
    return { tenants: of, prefix, urls, log, load }
  }
  return [await start('others', tenants.slice(0, 1)), await start('moved', tenants.slice(1))]
}

/** Resolves when a payout is accepted that was sent after this call. */
async function payOn({ load, prefix }: Part): Promise<void> {
  const since = performance.now()
  await until(`a payout of the ${prefix} tenants is accepted`, () => load.sentSince(since).accepted > 0)
}

/** A split without a fault. */
async function splitWhole(command: SplitCommand): Promise<number | undefined> {
  const { reached } = await command.forwards()
  const [stop, leave] = [reached.get('stop'), reached.get('leave')]
  return stop === undefined || leave === undefined ? undefined : Math.round(leave - stop)
}

/** Ends the command at each step: until the promotion it goes back first, and payments go on. */
async function splitEnded(
  command: SplitCommand,
  moved: Part,
  { failsAt, failOver }: { readonly failsAt: SplitStep; readonly failOver: () => Promise<void> },
): Promise<undefined> {
  for (const step of ['prepare', 'drain', 'stop', 'replay', 'promote'] as const) {
    await command.forwards(step)
    await command.back()
    await payOn(moved)
  }
  for (const step of splitSteps) {
    await command.forwards(step)
    if (step === failsAt) await failOver()
  }
  await command.forwards()
}

/** The processes of the new cell, and a view of it as a system. */
async function startNewCell(system: System, copy: Copy) {
  await using started = new AsyncDisposableStack()
  const on = { databaseUrl: copy.roleUrl, settings: { ...settings, CELL: 'h', DATABASE_STANDBY: 'none' } }
  const start = async (kind: 'api' | 'worker'): Promise<Supervised> =>
    started.adopt(await system.start(kind, `${kind}-h`, on), (it) => it.stop())
  const [api, worker] = [await start('api'), await start('worker')]
  const programs = [api, worker]
  await Promise.all(programs.map((program) => program.untilStarted()))
  const { inbound } = api
  if (!inbound) throw new Error('no API was started')
  await until('the API of the new cell is ready', () =>
    fetch(`${baseOf(inbound)}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const database: ChaosDatabase = {
    roleUrl: copy.roleUrl,
    url: () => copy.url,
    restore: async () => undefined,
    query: (sql, values) => runSql({ connectionString: copy.url, query_timeout: 30_000 }, sql, values),
    stop: async () => undefined,
  }
  const parts = started.move()
  return {
    inbound,
    system: { ...system, database, apis: [api], workers: [worker], programs },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

/** A cell with its tenants alone, and their payments in the network's ledger. */
const viewOf = ({ network }: System, cell: System, { tenants, prefix }: Part): System => ({
  ...cell,
  tenants,
  network: {
    ...network,
    payments: () => network.payments().filter(({ description }) => description.startsWith(`${prefix}-`)),
  },
})

async function compareSides(sides: readonly System[], parts: readonly Part[], driver: ChainDriver) {
  const records = await Promise.all(
    sides.map((side, place) => {
      const { load, log } = parts[place] as Part
      const faucet = loadFaucet([], () => {
        throw new Error('no tenant has a faucet')
      })
      return settle(side, { load, faucet, driver }, log)
    }),
  )
  const tenants = records.flatMap((each) => each.tenants)
  const violations = [...records.flatMap(compareRecords), ...parts.flatMap(({ log }) => log.violations)]
  return {
    deposits: tenants.reduce((sum, { transfers }) => sum + transfers.length, 0),
    events: tenants.reduce((sum, { eventIds }) => sum + eventIds.length, 0),
    violations: violations.map(({ kind, detail }) => `${kind}: ${detail}`),
  }
}

/** A batch of sweeps of every address, signed before the split. */
async function planSweeps(system: System) {
  const { chain, tenants } = system
  for (const { address } of tenants) chain.fund(address, { sun: 100_000_000n })
  const operatorOf = (cell: System) =>
    sweepOperator({ chain, database: cell.database }, { operatorUrl: cell.apis[0]?.operatorUrl() ?? '' })
  const batch = await operatorOf(system).plan()
  const signed = await operatorOf(system).sign(batch)
  const swept = () => chain.transfers('solid').filter(({ to }) => to === treasury)
  return {
    /** Gives both cells all signatures. @returns violations */
    sweep: async (newCell: System): Promise<readonly string[]> => {
      for (const cell of [system, newCell]) await operatorOf(cell).importSigned(batch, signed)
      await until(
        () => `every address is swept: ${swept().length} are`,
        () => swept().length >= tenants.length,
      )
      return tenants.flatMap(({ address }) => {
        const count = swept().filter(({ from }) => from === address).length
        return count === 1 ? [] : [`${address} was swept ${count} times`]
      })
    },
  }
}
