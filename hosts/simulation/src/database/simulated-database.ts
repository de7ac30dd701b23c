import type { EventLoop } from '@quipu/contracts/simulation'
import type { Stores } from '@quipu/core'
import type { NewOperatorToken } from '@quipu/core/operator'
import { type MemoryDatabase, memoryDatabase, memoryStoresOver } from '@quipu/memory'
import { replication, type Replication } from './replication.ts'
import { isRead, type StoreMethod } from './store-methods.ts'
import { recordedArguments, type RecordedArguments } from './recorded-arguments.ts'

/** A write in the primary's log. */
type LogEntry = {
  readonly method: StoreMethod
  readonly args: RecordedArguments
  /** By the primary's clock. */
  readonly at: Date
}

/**
 * A primary with a synchronous standby. Each store method is one transaction: its effect is visible at once, as after
 * a session whose wait for the standby was ended, and durable once the standby has it.
 */
export type SimulatedDatabase = {
  /** The primary, without faults. For invariants and for setting up. */
  readonly stores: Stores
  readonly standby: Pick<Replication, 'lagMs'>
  /** Calls a store's method on the primary. Its effect, if any, is complete when this returns. */
  execute(method: StoreMethod, args: readonly unknown[]): Promise<unknown>
  /** Resolves once everything executed up to now is durable. Rejects when sessions end before. */
  durable(): Promise<void>
  /** Whether the server answers. */
  isUp(): boolean
  /** Counts crashes and promotions: an open session belongs to one. */
  generation(): number
  /** The server crashes and starts again, with everything that is in its log. */
  crash(downMs: number): void
  /** The standby becomes the primary: what it has not received is lost. @returns the number of lost writes */
  failOver(downMs: number, clockOffsetMs: number): number
  /** The standby receives nothing until `resumeStandby`. */
  stallStandby(): void
  resumeStandby(): void
  /** Milliseconds that the server's clock is ahead. */
  clockOffsetMs(): number
}

export function simulatedDatabase(
  loop: EventLoop,
  operatorTokens: readonly NewOperatorToken[],
): SimulatedDatabase {
  const primary = repeatablePrimary(loop, operatorTokens)
  const standby = replication(loop)
  let generation = 0
  let upAtMs = 0

  function endSessions(reason: string, downMs: number): void {
    generation += 1
    upAtMs = loop.now().getTime() + downMs
    standby.endSessions(reason)
  }
  return {
    stores: primary.stores,
    standby,
    execute(method, args) {
      const result = primary.execute(method, args)
      if (!isRead(method)) standby.send(primary.position())
      return result
    },
    durable: () => standby.wait(primary.position()),
    isUp: () => loop.now().getTime() >= upAtMs,
    generation: () => generation,
    crash(downMs) {
      endSessions('server crashed', downMs)
      if (!standby.isStalled()) standby.resume(primary.position())
    },
    failOver(downMs, clockOffsetMs) {
      endSessions('standby promoted', downMs)
      const lost = primary.position() - standby.received()
      primary.repeat(standby.received(), clockOffsetMs)
      standby.resume(primary.position())
      return lost
    },
    stallStandby: standby.stall,
    resumeStandby: () => standby.resume(primary.position()),
    clockOffsetMs: primary.clockOffsetMs,
  }
}

/** A database in memory with a log of its writes. */
type Primary = Pick<SimulatedDatabase, 'stores' | 'execute' | 'clockOffsetMs'> & {
  /** The length of the log. */
  position(): number
  /** Becomes the database that has only the first writes of the log. */
  repeat(position: number, clockOffsetMs: number): void
}

function repeatablePrimary(loop: EventLoop, operatorTokens: readonly NewOperatorToken[]): Primary {
  let offsetMs = 0
  let repeatedAt: Date | undefined
  const now = (): Date => repeatedAt ?? new Date(loop.now().getTime() + offsetMs)
  const open = (): MemoryDatabase => memoryDatabase(now, operatorTokens)
  let database = open()
  const stores = memoryStoresOver(() => database)
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
    position: () => log.length,
    repeat(position, clockOffsetMs) {
      log = log.slice(0, position)
      database = open()
      for (const { method, args, at } of log) {
        repeatedAt = at
        call(method, args.repeat()).catch(() => undefined)
      }
      repeatedAt = undefined
      offsetMs = clockOffsetMs
    },
  }
}
