import type { Answer } from '../../json-server.ts'
import type { Timers } from '../../timers.ts'
import { createHangGate, type HangGate, type HangPoint } from './hang-gate.ts'
import type { Operation } from './request-log.ts'
import type { StatementFaults } from '../payment/statement.ts'

type PerOperation = { readonly [K in Operation]?: number | undefined }

/** Active faults. Counts decrease as they are used; other faults last until cleared. */
export type Faults = {
  /** Delays requests before they have any effect: all, or those of the given operations. */
  readonly delay_ms: number | PerOperation
  /** The next requests are answered 503 without effect. */
  readonly fail_next: PerOperation
  /** The next requests take effect, and their connection is dropped without an answer. */
  readonly drop_answer_next: PerOperation
  /** The next PUTs are dropped before they have any effect. */
  readonly drop_before_paying: number
  /** The next new payments are paid, and their connection is dropped. */
  readonly drop_answer_after_paying: number
  /** The next new payments are paid and answered 500. */
  readonly error_after_paying: number
  /** The next new payments are paid and answered 200 with a body that is not JSON. */
  readonly garble_after_paying: number
  /** The next new payments pay and report 1.00 more than requested. */
  readonly wrong_amount: number
  /** Requests hang at this point until released, even if their client disconnects. */
  readonly hang_at: HangPoint | null
  /** `refuse` (or true) refuses connections; `503` answers every request with 503. */
  readonly down: boolean | 'refuse' | '503'
  /** Number of additional copies of each callback, with the same event id. */
  readonly duplicate_callbacks: number
  /** Sends a callback with the opposite outcome and a wrong signature before each genuine one. */
  readonly forge_callbacks: boolean
  /** Sends no callbacks. */
  readonly drop_callbacks: boolean
  /** Differences between the statement and the ledger. */
  readonly statement: StatementFaults
}

/** The faults to change. */
export type FaultsPatch = { readonly [K in keyof Faults]?: Faults[K] | undefined }

const noFaults: Faults = {
  delay_ms: 0,
  fail_next: {},
  drop_answer_next: {},
  drop_before_paying: 0,
  drop_answer_after_paying: 0,
  error_after_paying: 0,
  garble_after_paying: 0,
  wrong_amount: 0,
  hang_at: null,
  down: false,
  duplicate_callbacks: 0,
  forge_callbacks: false,
  drop_callbacks: false,
  statement: {},
}

type Count =
  | 'drop_before_paying'
  | 'drop_answer_after_paying'
  | 'error_after_paying'
  | 'garble_after_paying'
  | 'wrong_amount'

export type FaultBox = {
  current(): Faults
  change(patch: FaultsPatch): void
  /** Clears all faults and releases the requests that hang. */
  reset(): void
  /** Decreases the count of a fault. @returns false if it was 0 */
  take(fault: Count): boolean
  /** Applies faults before a request. @returns an answer in its place, or null after any delay */
  arrival(operation: Operation): Promise<Answer | null>
  /** Applies faults to an answer. */
  departure(operation: Operation, answer: Answer): Answer
  /** Holds requests at the point `hang_at`. */
  readonly gate: HangGate
}

export function createFaultBox(timers: Timers): FaultBox {
  let faults = noFaults
  const gate = createHangGate(() => faults.hang_at)

  const takeNext = (fault: 'fail_next' | 'drop_answer_next', operation: Operation): boolean => {
    const left = faults[fault][operation] ?? 0
    if (left > 0) faults = { ...faults, [fault]: { ...faults[fault], [operation]: left - 1 } }
    return left > 0
  }
  const take = (fault: Count): boolean => {
    const left = faults[fault]
    if (left > 0) faults = { ...faults, [fault]: left - 1 }
    return left > 0
  }
  const change = (patch: FaultsPatch): void => {
    const changes = Object.entries(patch).filter(([, value]) => value !== undefined)
    faults = { ...faults, ...(Object.fromEntries(changes) as Partial<Faults>) }
    if (faults.hang_at === null) gate.release()
  }
  return {
    current: () => faults,
    change,
    reset: () => change(noFaults),
    take,
    async arrival(operation) {
      if (faults.down === '503' || takeNext('fail_next', operation)) return unavailable
      if (operation === 'put' && take('drop_before_paying')) return 'drop'
      const { delay_ms } = faults
      await timers.wait(typeof delay_ms === 'number' ? delay_ms : (delay_ms[operation] ?? 0))
      return null
    },
    departure: (operation, answer) => (takeNext('drop_answer_next', operation) ? 'drop' : answer),
    gate,
  }
}

const unavailable: Answer = { status: 503, json: { code: 'UNAVAILABLE', message: 'The network is down.' } }
