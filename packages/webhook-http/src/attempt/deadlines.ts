/** Called when a deadline is missed. */
export type OnDeadline = () => void

export type Deadlines = {
  /** Calls `onDeadline` in `ms`, unless it is deleted before. */
  add(ms: number, onDeadline: OnDeadline): void
  delete(ms: number, onDeadline: OnDeadline): void
}

/** The deadlines of one length, in the order in which they end. */
type DeadlineGroup = {
  readonly ends: Map<OnDeadline, number>
  timer: NodeJS.Timeout | undefined
  /** The end that the timer is for. */
  nextEnd: number
}

/**
 * Deadlines with one timer for each length: deadlines of one length end in the order in which they start,
 * and nearly all are deleted before. A timer for each deadline would cost more than signing a request.
 */
export function newDeadlines(): Deadlines {
  const byLength = new Map<number, DeadlineGroup>()
  const start = (group: DeadlineGroup, from: number): void => {
    const [first] = group.ends.values()
    group.nextEnd = first ?? 0
    group.timer =
      first === undefined ? undefined : setTimeout(fire, Math.max(0, first - from), group)
  }
  const fire = (group: DeadlineGroup): void => {
    const now = group.nextEnd
    for (const [onDeadline, end] of group.ends) {
      if (end > now) break
      group.ends.delete(onDeadline)
      onDeadline()
    }
    start(group, now)
  }
  return {
    add(ms, onDeadline) {
      let group = byLength.get(ms)
      if (group === undefined) {
        group = { ends: new Map(), timer: undefined, nextEnd: 0 }
        byLength.set(ms, group)
      }
      // A whole number: with fractions `now + ms - now` may be just below `ms`, which a timer cuts off.
      const now = Math.ceil(performance.now())
      group.ends.set(onDeadline, now + ms)
      if (group.timer === undefined) start(group, now)
    },
    delete(ms, onDeadline) {
      const group = byLength.get(ms)
      if (group === undefined || !group.ends.delete(onDeadline) || group.ends.size > 0) return
      clearTimeout(group.timer)
      group.timer = undefined
    },
  }
}

export const deadlines: Deadlines = newDeadlines()
