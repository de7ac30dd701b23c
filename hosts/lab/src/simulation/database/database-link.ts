import type { EventLoop, Machine } from '@quipu/contracts/simulation'
import { type Stores, Unavailable } from '@quipu/core'
import type { FoundForCreate, ReadConsistency } from '@quipu/core/adapter'
import { linkedStores } from './linked-stores.ts'
import type { Server, SimulatedDatabase } from './simulated-database.ts'
import { isIterated, isRead, type StoreMethod } from './store-methods.ts'

/** The faults between the processes and the database, which change during a run. */
export type DatabaseFaults = {
  /** Probability that a call never reaches the server, and the caller knows. */
  refused: number
  /** Probability that a call takes effect and its answer is lost; before it is durable, half of the time. */
  lost: number
  /** Milliseconds that a message travels. */
  latencyMs(): number
  /** Milliseconds that a statement takes on the server. */
  diskMs(): number
  /** Whether the disk takes no writes. */
  isFull: boolean
}

/** The report of the link about each executed call. */
export type Executed = {
  readonly process: string
  readonly method: StoreMethod
  readonly args: readonly unknown[]
  /** The answer of the store; an error that it threw. */
  readonly result: unknown
  /** Whether it was on a primary that was replaced: the database does not have its effect. */
  readonly isReplaced: boolean
}

export type DatabaseLink = {
  readonly stores: Stores
  ping(): Promise<{ readonly now: Date; readonly sentAt: number; readonly answeredAt: number }>
  /** Until then the process and the database do not reach each other, in virtual milliseconds. */
  cutUntilMs: number
  /** Probability that a call has a session with the replaced primary, while it answers. */
  replacedShare: number
}

export type LinkOptions = {
  readonly process: string
  readonly loop: EventLoop
  readonly database: SimulatedDatabase
  readonly machine: Machine
  readonly faults: DatabaseFaults
  /** Whether a read waits until what it has read is durable; without it a bug is planted. */
  readonly confirmsReads: boolean
  /** Whether a call waits for a standby on a primary that has lost its own; without it a bug is planted. */
  readonly confirmsReplaced: boolean
  readonly onExecuted: (executed: Executed) => void
}

/** As the adapter's. */
const answerTimeoutMs = 10_000

/** The stores as a process calls them: one transaction a call, with the faults of a connection. */
export function databaseLink(options: LinkOptions): DatabaseLink {
  const { loop, database, machine } = options
  const link: DatabaseLink = {
    stores: linkedStores(database.stores, (method, args) => send(options, link, method, args)),
    ping: async () => {
      const sentAt = machine.monotonic()
      const now = (await send(options, link, 'ping', [])) as Date
      return { now, sentAt, answeredAt: machine.monotonic() }
    },
    cutUntilMs: loop.now().getTime(),
    replacedShare: 0,
  }
  return link
}

/** A call on its way. */
type Call = {
  readonly options: LinkOptions
  readonly link: DatabaseLink
  readonly method: StoreMethod | 'ping'
  readonly args: readonly unknown[]
  readonly isWrite: boolean
  /** Ends the call in the process, once, after this time. */
  answer(ms: number, result: unknown): void
  /** Ends the call: its outcome is unknown to the process. */
  fail(reason: string, ms?: number): void
}

function send(
  options: LinkOptions,
  link: DatabaseLink,
  method: StoreMethod | 'ping',
  args: readonly unknown[],
): Promise<unknown> {
  const { loop, machine, faults } = options
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  let isOver = false
  const end = (ms: number, act: () => void): void => {
    if (isOver) return
    isOver = true
    loop.after(ms, () => machine.deliver(act))
  }
  const call: Call = {
    options,
    link,
    method,
    args,
    isWrite: method === 'ping' || !isRead(method),
    answer: (ms, result) => end(ms, () => (result instanceof Error ? reject(result) : resolve(result))),
    fail: (reason, ms = faults.latencyMs()) => end(ms, () => reject(new Unavailable('store', reason))),
  }
  loop.after(faults.latencyMs(), () => arrive(call))
  return promise
}

const isCut = ({ options, link }: Call): boolean => options.loop.now().getTime() < link.cutUntilMs

/** The call reaches the server, or does not. */
function arrive(call: Call): void {
  const { options, link, isWrite, fail } = call
  const { loop, database, machine, faults } = options
  if (!machine.isAlive() && loop.chance(0.5)) return // It crashed before it sent the call.
  if (isCut(call)) return fail('no answer in time', answerTimeoutMs)
  const replaced = database.replaced()
  if (replaced !== undefined && loop.chance(link.replacedShare)) return execute(call, replaced, true)
  if (!database.isUp() || loop.chance(faults.refused)) return fail('connection refused')
  if (isWrite && faults.isFull) return fail('no space left on device')
  const generation = database.generation()
  const diskMs = faults.diskMs()
  if (diskMs === 0) return execute(call, database.primary, false)
  loop.after(diskMs, () => {
    if (database.generation() === generation) execute(call, database.primary, false)
    else fail('connection lost')
  })
}

function execute(call: Call, server: Server, isReplaced: boolean): void {
  const { options, answer, fail } = call
  const { loop, faults } = options
  const isLost = loop.chance(faults.lost)
  if (isLost && loop.chance(0.5)) fail('session ended')
  run(call, server, isReplaced).then(
    (result) => (isLost || isCut(call) ? fail('connection lost') : answer(faults.latencyMs(), result)),
    (error: unknown) => answer(faults.latencyMs(), asError(error)),
  )
}

/** @returns once the result may leave the server */
async function run(call: Call, server: Server, isReplaced: boolean): Promise<unknown> {
  const { options, method, args, isWrite } = call
  const { loop, process, confirmsReads, confirmsReplaced, onExecuted } = options
  const confirms = confirmsReplaced || !isReplaced
  if (method === 'ping') {
    await durable(call, server)
    return new Date(loop.now().getTime() + server.clockOffsetMs())
  }
  const result = await resultOf(server, method, args)
  onExecuted({ process, method, args, result, isReplaced })
  if (result instanceof Error) throw result
  const isWaiting = isWrite || (confirmsReads && isConfirmed(method, args, result))
  if (isWaiting && confirms) await durable(call, server)
  return result
}

/** Fails the call when the standby does not acknowledge it in time. */
function durable({ options, fail }: Call, server: Server): Promise<void> {
  const { loop } = options
  const acknowledged = server.durable()
  loop.after(answerTimeoutMs, () => fail('no answer in time', 0))
  return acknowledged
}

/** The answer of the store, or the error that it threw. */
async function resultOf(server: Server, method: StoreMethod, args: readonly unknown[]): Promise<unknown> {
  try {
    const result = await server.execute(method, args)
    return isIterated(method) ? await rowsOf(result as AsyncIterable<unknown>) : result
  } catch (error) {
    return asError(error)
  }
}

async function rowsOf(rows: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const all: unknown[] = []
  for await (const row of rows) all.push(row)
  return all
}

/** Readings that the PostgreSQL adapter does not confirm: a later write decides, or none depends on them. */
const latest = new Set([
  'apiKeys.findCaller',
  'addresses.match',
  'addresses.listByOtherKeys',
  'scans.refsAbove',
  'scans.unconfirmed',
  'webhooks.listByOtherKeys',
  'backlog.read',
  'processes.list',
  'reconciliations.lastScheduled',
  'restores.gate',
  'reconciliations.findPayments',
  'reconciliations.completedPayments',
  'reconciliations.addressFunds',
])

function isConfirmed({ store, name }: StoreMethod, args: readonly unknown[], result: unknown): boolean {
  if (name !== 'findForCreate') return !latest.has(`${store}.${name}`)
  const reading = args[3] as ReadConsistency
  return reading === 'confirmed' || (result as FoundForCreate).stored !== undefined
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error('unknown', { cause: error }))
