/** What is done when it takes too long. */
export type Late = () => void

export type Deadlines = {
  /** Calls `late` in so long, unless it is deleted before. */
  add(ms: number, late: Late): void
  delete(ms: number, late: Late): void
}

/** Those that last equally long: when each ends, in that order. */
type Line = {
  readonly ends: Map<Late, number>
  timer: NodeJS.Timeout | undefined
  /** The end that the timer is for. */
  nextEnd: number
}

/**
 * Deadlines with one timer for all that last equally long: what begins first ends first, and nearly all are
 * deleted before. A timer for each would cost more than the signature of a request.
 */
export function newDeadlines(): Deadlines {
  const lines = new Map<number, Line>()
  const start = (line: Line, from: number): void => {
    const [first] = line.ends.values()
    line.nextEnd = first ?? 0
    line.timer = first === undefined ? undefined : setTimeout(fire, Math.max(0, first - from), line)
  }
  const fire = (line: Line): void => {
    const now = line.nextEnd
    for (const [late, end] of line.ends) {
      if (end > now) break
      line.ends.delete(late)
      late()
    }
    start(line, now)
  }
  return {
    add(ms, late) {
      let line = lines.get(ms)
      if (line === undefined) {
        line = { ends: new Map(), timer: undefined, nextEnd: 0 }
        lines.set(ms, line)
      }
      // Whole milliseconds: `now + ms - now` of fractions may round to just below `ms`, and a timer cuts it off.
      const now = Math.ceil(performance.now())
      line.ends.set(late, now + ms)
      if (line.timer === undefined) start(line, now)
    },
    delete(ms, late) {
      const line = lines.get(ms)
      if (line === undefined || !line.ends.delete(late) || line.ends.size > 0) return
      clearTimeout(line.timer)
      line.timer = undefined
    },
  }
}

export const deadlines: Deadlines = newDeadlines()
