import type { EventLoop } from '@quipu/contracts/simulation'
import type { Stores } from '@quipu/core'
import type { NewOperatorToken } from '@quipu/core/operator'
import { memoryDatabase, memoryStoresOver } from '@quipu/memory'
import { type RepeatablePrimary, repeatablePrimary } from './repeatable-primary.ts'
import { type Replication, replication } from './replication.ts'
import { isRead, type StoreMethod } from './store-methods.ts'

/**
 * A primary with a synchronous standby. Each store method is one transaction: its effect is visible at once, as after
 * a session whose wait for the standby was ended, and durable once the standby has it.
 */
export type SimulatedDatabase = {
  /** The primary, without faults. For invariants and for setting up. */
  readonly stores: Stores
  readonly standby: Pick<Replication, 'lagMs'>
  /** The primary, as its sessions call it. */
  readonly primary: Server
  /** The primary before the last fail-over, while it goes on answering. No standby acknowledges what it writes. */
  replaced(): Server | undefined
  /** Whether the server answers. */
  isUp(): boolean
  /** Counts crashes and promotions: an open session belongs to one. */
  generation(): number
  /** The server crashes and starts again, with everything that is in its log. */
  crash(downMs: number): void
  /** The standby becomes the primary: what it has not received is lost. Before it has caught up this is a crash. */
  failOver(failOver: FailOver): FailedOver
  /** The standby receives nothing until `resumeStandby`. */
  stallStandby(): void
  resumeStandby(): void
}

/** A server of the database. */
export type Server = {
  /** Calls a store's method. Its effect, if any, is complete when this returns. */
  execute(method: StoreMethod, args: readonly unknown[]): Promise<unknown>
  /** Resolves once everything executed up to now is durable. Rejects when sessions end before. */
  durable(): Promise<void>
  /** Milliseconds that its clock is ahead. */
  clockOffsetMs(): number
}

export type FailOver = {
  readonly downMs: number
  /** By how much the clock of the new primary is ahead. */
  readonly offsetMs: number
  /** How long the old primary goes on answering: nothing has stopped it. */
  readonly answeringMs: number
  /** After how long the new primary has a standby that has caught up. */
  readonly catchUpMs: number
}

export type FailedOver = {
  /** The number of promotions up to this one; undefined when there was no standby to promote. */
  readonly promotions: number | undefined
  /** The number of lost writes. */
  readonly lost: number
}

export function simulatedDatabase(loop: EventLoop, operatorTokens: readonly NewOperatorToken[]): SimulatedDatabase {
  const primary = openPrimary(loop, operatorTokens)
  const standby = replication(loop)
  let [generation, promotions, upAtMs] = [0, 0, 0]
  let replaced: { readonly server: Server; readonly untilMs: number } | undefined

  function endSessions(reason: string, downMs: number): void {
    generation += 1
    upAtMs = loop.now().getTime() + downMs
    standby.endSessions(reason)
  }
  function crash(downMs: number): void {
    endSessions('server crashed', downMs)
    if (!standby.isStalled() && standby.isCaughtUp()) standby.resume(primary.position())
  }
  function execute(method: StoreMethod, args: readonly unknown[]): Promise<unknown> {
    const result = primary.execute(method, args)
    if (!isRead(method)) standby.send(primary.position())
    return result
  }
  const { clockOffsetMs } = primary
  const durable = (): Promise<void> => standby.wait(primary.position())
  return {
    stores: primary.stores,
    standby,
    primary: { execute, durable, clockOffsetMs },
    replaced: () => (replaced !== undefined && loop.now().getTime() < replaced.untilMs ? replaced.server : undefined),
    isUp: () => loop.now().getTime() >= upAtMs,
    generation: () => generation,
    crash,
    failOver({ downMs, offsetMs, answeringMs, catchUpMs }) {
      if (!standby.isCaughtUp()) {
        crash(downMs)
        return { promotions: undefined, lost: 0 }
      }
      endSessions('standby promoted', downMs)
      promotions += 1
      replaced = undefined
      if (answeringMs > 0) {
        const old = openPrimary(loop, operatorTokens)
        old.follow(primary.log(), primary.clockOffsetMs())
        const untilMs = loop.now().getTime() + answeringMs
        replaced = { server: { ...old, durable: never }, untilMs }
      }
      const lost = primary.position() - standby.received()
      primary.follow(primary.log().slice(0, standby.received()), offsetMs)
      standby.replace(catchUpMs, primary.position)
      return { promotions, lost }
    },
    stallStandby: standby.stall,
    resumeStandby: () => standby.resume(primary.position()),
  }
}

/** No standby follows a primary that was replaced. */
const never = (): Promise<void> => new Promise(() => undefined)

function openPrimary({ now: clock }: EventLoop, operatorTokens: readonly NewOperatorToken[]): RepeatablePrimary {
  return repeatablePrimary(clock, {
    empty: (now) => memoryDatabase(now, { operatorTokens }),
    storesOver: memoryStoresOver,
  })
}
