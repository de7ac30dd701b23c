import type { Answer } from '../json-server.ts'
import type { Timers } from '../timers.ts'
import { createHangGate, type HangGate } from './hang-gate.ts'

type PerOperation<Operation extends string> = { readonly [K in Operation]?: number | undefined }

/** Faults of any network: members of the network's own faults. */
export type CommonFaults<Operation extends string, Point extends string> = {
  /** Delays requests before they have any effect: all, or those of the given operations. */
  readonly delay_ms: number | PerOperation<Operation>
  /** The next requests are answered as by a network that is down, without effect. */
  readonly fail_next: PerOperation<Operation>
  /** The next requests take effect, and their connection is dropped without an answer. */
  readonly drop_answer_next: PerOperation<Operation>
  /** Requests hang at this point until released, even if their client disconnects. */
  readonly hang_at: Point | null
  /** `refuse` (or true) refuses connections; `503` answers every request as a network that is down. */
  readonly down: boolean | 'refuse' | '503'
}

/** Absent members keep their value. */
export type Patch<Faults> = { readonly [K in keyof Faults]?: Faults[K] | undefined }

export const noCommonFaults: CommonFaults<never, never> = {
  delay_ms: 0,
  fail_next: {},
  drop_answer_next: {},
  hang_at: null,
  down: false,
}

type Count<Faults> = { [K in keyof Faults]: Faults[K] extends number ? K : never }[keyof Faults]

/** The active faults of a network. Counts decrease as they are used; other faults last until cleared. */
export type FaultBox<Operation extends string, Point extends string, Faults> = {
  current(): Faults
  change(patch: Patch<Faults>): void
  /** Clears all faults and releases the requests that hang. */
  reset(): void
  /** Decreases the count of a fault. @returns false if it was 0 */
  take(fault: Count<Faults>): boolean
  /** Applies faults before a request. @returns an answer in its place, or null after any delay */
  arrival(operation: Operation): Promise<Answer | null>
  /** Applies faults to an answer. */
  departure(operation: Operation, answer: Answer): Answer
  /** Holds requests at the point `hang_at`. */
  readonly gate: HangGate<Point>
}

/** @param unavailable  the answer of a network that is down */
export function createFaultBox<
  Operation extends string,
  Point extends string,
  Faults extends CommonFaults<Operation, Point>,
>(timers: Timers, noFaults: Faults, unavailable: Answer): FaultBox<Operation, Point, Faults> {
  let faults = noFaults
  const gate = createHangGate<Point>(() => faults.hang_at)

  const takeNext = (fault: 'fail_next' | 'drop_answer_next', operation: Operation): boolean => {
    const left = faults[fault][operation] ?? 0
    if (left > 0) faults = { ...faults, [fault]: { ...faults[fault], [operation]: left - 1 } }
    return left > 0
  }
  const change = (patch: Patch<Faults>): void => {
    const changes = Object.entries(patch).filter(([, value]) => value !== undefined)
    faults = { ...faults, ...(Object.fromEntries(changes) as Partial<Faults>) }
    if (faults.hang_at === null) gate.release()
  }
  return {
    current: () => faults,
    change,
    reset: () => change(noFaults),
    take(fault) {
      const left = Number(faults[fault])
      if (left > 0) faults = { ...faults, [fault]: left - 1 }
      return left > 0
    },
    async arrival(operation) {
      if (faults.down === '503' || takeNext('fail_next', operation)) return unavailable
      const { delay_ms } = faults
      await timers.wait(typeof delay_ms === 'number' ? delay_ms : (delay_ms[operation] ?? 0))
      return null
    },
    departure: (operation, answer) => (takeNext('drop_answer_next', operation) ? 'drop' : answer),
    gate,
  }
}
