import { Unavailable } from '@quipu/core'
import type { EventLoop } from '@quipu/contracts/simulation'

/** The log records that travel from the primary to its synchronous standby: positions in the primary's log. */
export type Replication = {
  /** The position up to which the standby has the log. */
  received(): number
  /** Sends the log up to this position. */
  send(position: number): void
  /** Resolves when the standby has this position. Rejects when sessions end before. */
  wait(position: number): Promise<void>
  /** Ends the sessions that wait, and what travels. */
  endSessions(reason: string): void
  /** The standby receives nothing until `resume`. */
  stall(): void
  /** The standby catches up with the log. */
  resume(position: number): void
  /** Another standby takes its place, which has nothing and acknowledges nothing before it has caught up. */
  replace(catchUpMs: number, position: () => number): void
  /** Whether the standby once had the whole log: only then it can be promoted. */
  isCaughtUp(): boolean
  isStalled(): boolean
  /** How long a write travels. */
  lagMs: () => number
}

type Waiter = { readonly position: number; readonly resolve: () => void; readonly reject: (error: Unavailable) => void }

export function replication(loop: EventLoop): Replication {
  let [received, connection, isStalled, isCaughtUp] = [0, 0, false, true]
  let waiters: Waiter[] = []

  function receive(position: number): void {
    received = Math.max(received, position)
    for (const { resolve } of waiters.filter((each) => each.position <= received)) resolve()
    waiters = waiters.filter((each) => each.position > received)
  }
  const standby: Replication = {
    lagMs: () => 0,
    received: () => received,
    send(position) {
      if (isStalled || !isCaughtUp) return
      const [lagMs, sentOver] = [standby.lagMs(), connection]
      if (lagMs === 0) return receive(position)
      loop.after(lagMs, () => {
        if (!isStalled && sentOver === connection) receive(position)
      })
    },
    wait: (position) =>
      position <= received
        ? Promise.resolve()
        : new Promise((resolve, reject) => {
            waiters.push({ position, resolve, reject })
          }),
    endSessions(reason) {
      connection += 1
      for (const { reject } of waiters) reject(new Unavailable('store', reason))
      waiters = []
    },
    stall: () => {
      isStalled = true
    },
    resume: (position) => {
      isStalled = false
      isCaughtUp = true
      receive(position)
    },
    replace(catchUpMs, position) {
      connection += 1
      received = 0
      isCaughtUp = false
      loop.after(catchUpMs, () => {
        if (!isStalled) standby.resume(position())
      })
    },
    isCaughtUp: () => isCaughtUp,
    isStalled: () => isStalled,
  }
  return standby
}
