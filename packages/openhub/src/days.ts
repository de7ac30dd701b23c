import type { Clock, Monotonic } from '@quipu/core'
import { endOfDate } from './bolivian-time.ts'
import { type Movement, movementsIn } from './movements.ts'
import type { MovementKind, OpenHubCalls } from './openhub-calls.ts'

/** The slices of one reconciliation run read the same dates within this time. */
const completeFreshMs = 10 * 60_000
/** A slice needs two dates, each with debits and credits; payouts in doubt some more. */
const keptMax = 16

export type MovementDays = {
  /**
   * The movements of a Bolivian date, requested at most `freshMs` ago; ten minutes for a date that is complete.
   *
   * @throws Unavailable
   */
  of(kind: MovementKind, date: string, freshMs: number): Promise<readonly Movement[]>
}

type Kept = {
  readonly sentAtMs: number
  readonly isComplete: boolean
  readonly movements: Promise<readonly Movement[]>
}

type Ports = { readonly calls: Pick<OpenHubCalls, 'movements'>; readonly now: Clock; readonly monotonic: Monotonic }

/**
 * Keeps the days that were read last.
 *
 * @param completeAfterMs  how long after its end a date gets no further movement
 */
export function movementDays({ calls, now, monotonic }: Ports, completeAfterMs: number): MovementDays {
  const kept = new Map<string, Kept>()
  const isOver = (date: string): boolean =>
    now().getTime() - (endOfDate(date)?.getTime() ?? Infinity) >= completeAfterMs
  return {
    of(kind, date, freshMs) {
      const key = `${kind} ${date}`
      const found = kept.get(key)
      const sentAtMs = monotonic()
      if (found && sentAtMs - found.sentAtMs < (found.isComplete ? completeFreshMs : freshMs)) return found.movements
      const movements = calls.movements(kind, date).then((heard) => movementsIn(heard, kind, date))
      kept.delete(key)
      kept.set(key, { sentAtMs, isComplete: isOver(date), movements })
      for (const oldest of kept.keys()) {
        if (kept.size <= keptMax) break
        kept.delete(oldest)
      }
      movements.catch(() => {
        if (kept.get(key)?.movements === movements) kept.delete(key)
      })
      return movements
    },
  }
}
