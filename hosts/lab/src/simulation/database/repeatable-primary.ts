import type { Clock, Stores } from '@quipu/core'
import { recordedArguments, type RecordedArguments } from './recorded-arguments.ts'
import { isRead, type StoreMethod } from './store-methods.ts'

/** A write in a primary's log. */
export type LogEntry = {
  readonly method: StoreMethod
  readonly args: RecordedArguments
  /** By the primary's clock. */
  readonly at: Date
}

/** How stores in memory are opened. */
export type OpenMemory<Contents> = {
  /** The contents of an empty database. */
  empty(now: Clock): Contents
  /** Stores over the contents that are current when they are called. */
  storesOver(current: () => Contents): Stores
}

/** A database in memory with a log of its writes. */
export type RepeatablePrimary = {
  readonly stores: Stores
  /** Calls a store's method. Its effect, if any, is complete when this returns. */
  execute(method: StoreMethod, args: readonly unknown[]): Promise<unknown>
  /** Milliseconds that its clock is ahead. */
  clockOffsetMs(): number
  log(): readonly LogEntry[]
  /** The length of the log. */
  position(): number
  /** Becomes the database that has only the writes of this log. */
  follow(log: readonly LogEntry[], clockOffsetMs: number): void
}

export function repeatablePrimary<Contents>(
  clock: Clock,
  { empty, storesOver }: OpenMemory<Contents>,
): RepeatablePrimary {
  let offsetMs = 0
  let repeatedAt: Date | undefined
  const now = (): Date => repeatedAt ?? new Date(clock().getTime() + offsetMs)
  let database = empty(now)
  const stores = storesOver(() => database)
  let log: LogEntry[] = []

  const call = ({ store, name }: StoreMethod, args: readonly unknown[]): Promise<unknown> => {
    const methods = stores[store] as unknown as Record<string, (...args: unknown[]) => unknown>
    const method = methods[name]
    if (method === undefined) throw new Error(`no store method ${store}.${name}`)
    return Promise.resolve(method(...args))
  }
  return {
    stores,
    execute(method, args) {
      if (isRead(method)) return call(method, args)
      const recorded = recordedArguments(args)
      log.push({ method, args: recorded, at: now() })
      return call(method, recorded.first)
    },
    clockOffsetMs: () => offsetMs,
    log: () => log,
    position: () => log.length,
    follow(followed, clockOffsetMs) {
      log = [...followed]
      database = empty(now)
      for (const { method, args, at } of log) {
        repeatedAt = at
        call(method, args.repeat()).catch(() => undefined)
      }
      repeatedAt = undefined
      offsetMs = clockOffsetMs
    },
  }
}
