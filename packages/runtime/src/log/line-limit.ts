import type { Timer } from '@quipu/core'

/** Levels whose lines are limited. */
export type LimitedLevel = 'fatal' | 'error' | 'warn'

/** Lines of one kind that were suppressed. */
export type Suppressed = { readonly level: LimitedLevel; readonly line: string; readonly count: number }

export type LineLimit = {
  /** Whether to write this line. Counts it. */
  admits(level: LimitedLevel, line: string, error: unknown): boolean
}

/** Lines of one kind that are written in each period. */
const perPeriod = 10
const periodMs = 10_000

/**
 * Limits repeated lines. Lines are of one kind when level, text, and the error's name and code are equal.
 *
 * @param report  called at the end of each period in which lines were suppressed
 */
export function lineLimit(timer: Timer, report: (suppressed: Suppressed) => void): LineLimit {
  const counts = new Map<string, number>()
  return {
    admits(level, line, error) {
      const kind = `${level} ${kindOf(error)} ${line}`
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      if (count === 1) {
        void timer(periodMs).done.then(() => {
          const suppressed = (counts.get(kind) ?? 0) - perPeriod
          counts.delete(kind)
          if (suppressed > 0) report({ line, level, count: suppressed })
        })
      }
      return count <= perPeriod
    },
  }
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? `${error.name} ${code}` : error.name
}
