import type { EventLoop, Machine } from '@quipu/contracts/simulation'
import { type Alert, type Clock, type Ids, idSource, type RandomBytes, Unavailable } from '@quipu/core'
import {
  databaseClock,
  type DatabaseClock,
  databaseWatch,
  heartbeats,
  type Logger,
  type Metrics,
  type PollingLoop,
} from '@quipu/runtime'
import type { DatabaseLink } from '../database/database-link.ts'

/** The log lines of a process that name an alert or an error. */
export type LogSink = {
  alert(alert: Alert): void
  /** Called with each error that is not an outage. */
  unexpected(message: string, error: unknown): void
}

type Fields = {
  readonly alert?: Alert['code']
  readonly err?: unknown
  readonly tenant_id?: string | null
  readonly subject?: string
  readonly detail?: string
}

/** A log that keeps alerts and unexpected errors. */
function sinkLog(sink: LogSink): Logger {
  const error = (fields: Fields, message: string): void => {
    const { alert, err, tenant_id: tenantId = null, subject = '', detail = '' } = fields
    if (alert !== undefined) sink.alert({ code: alert, tenantId, subject, detail })
    else if (!(err instanceof Unavailable)) sink.unexpected(message, err)
  }
  const none = (): void => undefined
  return { error, fatal: error, warn: none, info: none, debug: none } as unknown as Logger
}

/** Metrics that nobody reads. */
export const noMetrics: Metrics = {
  gauge: () => () => undefined,
  counter: () => () => undefined,
  observed: () => undefined,
  observedCounter: () => undefined,
  histogram: () => () => undefined,
  text: () => Promise.resolve(''),
  contentType: 'text/plain',
}

/** Random bytes from the simulation's seed. */
const seededBytes =
  (loop: EventLoop): RandomBytes =>
  (size) =>
    Uint8Array.from({ length: size }, () => Math.floor(loop.random() * 256))

/** Time and randomness of one process, as its host wires them. */
export type ProcessSystem = {
  readonly clock: DatabaseClock
  readonly now: Clock
  readonly ids: Ids
  readonly random: RandomBytes
  readonly log: Logger
  /** Compares the clocks, and records that the process runs. */
  readonly loops: readonly PollingLoop[]
  /** Resolves once the clocks were compared. */
  readonly compared: Promise<void>
}

export function processSystem(
  name: string,
  program: 'api' | 'worker',
  loop: EventLoop,
  { machine, link, sink }: { readonly machine: Machine; readonly link: DatabaseLink; readonly sink: LogSink },
): ProcessSystem {
  const { timer, monotonic } = machine
  const log = sinkLog(sink)
  const clock = databaseClock(machine.now, monotonic)
  const raiseAlert = sink.alert
  const whySilent = async (): Promise<string> => 'no answer'
  const watch = databaseWatch({
    ping: link.ping,
    whySilent,
    isStandbyMissing: () => false,
    clock,
    raiseAlert,
    log,
    timer,
    monotonic,
  })
  const random = seededBytes(loop)
  const ids = idSource(random)
  const report = (error: unknown): void => sink.unexpected('recording the process failed', error)
  const identity = { id: ids.next('prc', machine.now()), program, host: name }
  const { processes } = link.stores
  const beats = heartbeats({ processes, aheadMs: clock.aheadMs, timer, report }, identity)
  return { clock, now: clock.now, ids, random, log, loops: [watch, beats], compared: watch.compared }
}
