import type { Monotonic, Timer } from './time.ts'

/** A pending deadline of a `DeadlineQueue`, linked to the ones added before and after it. */
export type QueuedDeadline = {
  readonly expire: () => void
  /** By the monotonic clock; each pause moves it by its length. */
  dueAt: number
  pausedAt: number | undefined
  older: QueuedDeadline | undefined
  newer: QueuedDeadline | undefined
  isQueued: boolean
}

/** Deadlines of one length. */
export type DeadlineQueue = {
  /** Calls `expire` after the queue's length, pauses not counted. `expire` must not throw. */
  add(expire: () => void): QueuedDeadline
  /** Safe to repeat, also after the deadline has expired. */
  remove(deadline: QueuedDeadline): void
  /** Milliseconds until it is due, constant during a pause. */
  leftMs(deadline: QueuedDeadline): number
  pause(deadline: QueuedDeadline): void
  resume(deadline: QueuedDeadline): void
}

/**
 * A queue of deadlines that all are `ms` milliseconds long.
 *
 * One timer serves them all, and almost all are removed before they are due: a timer for each would cost more
 * than signing a request. A linked list, because adding to and deleting from a `Set` costs more.
 */
export function deadlineQueue(
  { timer, monotonic }: { readonly timer: Timer; readonly monotonic: Monotonic },
  ms: number,
): DeadlineQueue {
  const list = linkedList()
  let wait: ReturnType<Timer> | undefined

  const leftMs = ({ dueAt, pausedAt }: QueuedDeadline): number => dueAt - (pausedAt ?? monotonic())

  const startTimer = (forMs: number): void => {
    const started = (wait = timer(forMs))
    void started.done.then(() => {
      if (wait === started) expireDue()
    })
  }

  /** Checks every deadline: after pauses they are not in the order of their instants. */
  const expireDue = (): void => {
    const due: QueuedDeadline[] = []
    let nextMs = Infinity
    for (let each = list.oldest(); each !== undefined; each = each.newer) {
      const left = leftMs(each)
      if (left <= 0) due.push(each)
      else nextMs = Math.min(nextMs, left)
    }
    wait = undefined
    if (nextMs < Infinity) startTimer(nextMs)
    for (const each of due) if (list.remove(each)) each.expire()
  }

  return {
    leftMs,
    add(expire) {
      const dueAt = monotonic() + ms
      const deadline = list.add({
        expire,
        dueAt,
        pausedAt: undefined,
        older: undefined,
        newer: undefined,
        isQueued: true,
      })
      if (!wait) startTimer(ms)
      return deadline
    },
    remove(deadline) {
      if (!list.remove(deadline) || list.oldest()) return
      wait?.cancel()
      wait = undefined
    },
    pause(deadline) {
      deadline.pausedAt = monotonic()
    },
    resume(deadline) {
      if (deadline.pausedAt === undefined) return
      deadline.dueAt += monotonic() - deadline.pausedAt
      deadline.pausedAt = undefined
    },
  }
}

function linkedList() {
  let oldest: QueuedDeadline | undefined
  let newest: QueuedDeadline | undefined
  return {
    oldest: () => oldest,
    add(deadline: QueuedDeadline): QueuedDeadline {
      deadline.older = newest
      if (newest) newest.newer = deadline
      else oldest = deadline
      return (newest = deadline)
    },
    /** False when it is not in the list. */
    remove(deadline: QueuedDeadline): boolean {
      if (!deadline.isQueued) return false
      const { older, newer } = deadline
      if (older) older.newer = newer
      else oldest = newer
      if (newer) newer.older = older
      else newest = older
      deadline.isQueued = false
      return true
    },
  }
}
