import type { Answer } from '../../json-server.ts'
import type { Timers } from '../../timers.ts'
import { createGate, type Gate, type HoldPoint } from './gate.ts'
import type { Operation } from './request-log.ts'
import type { StatementFaults } from '../payment/statement.ts'

type PerOperation = { readonly [K in Operation]?: number | undefined }

/** What is wrong with the network. Counts go down as they are used; the rest stays until cleared. */
export type Faults = {
  /** Waits before doing anything: for every operation, or for those named. */
  readonly delay_ms: number | PerOperation
  /** The next requests are answered 503 and do nothing. */
  readonly fail_next: PerOperation
  /** The next requests do what they should, and their connection is dropped instead of answered. */
  readonly drop_answer_next: PerOperation
  /** The next PUTs are dropped before they are looked at: nothing is paid, nothing is written. */
  readonly drop_before_paying: number
  /** The next new payments are paid, and then: the connection is dropped, */
  readonly drop_answer_after_paying: number
  /** or 500 is answered, */
  readonly error_after_paying: number
  /** or 200 with a body that is not JSON. */
  readonly garble_after_paying: number
  /** The next new payments move and report 1.00 more than was asked for. */
  readonly wrong_amount: number
  /** Requests wait at this point until they are released, whether or not the asker is still there. */
  readonly hold: HoldPoint | null
  /** `refuse` (or true): no connection is taken. `503`: every request is answered so. */
  readonly down: boolean | 'refuse' | '503'
  /** How many more times each callback is sent, with the same event id. */
  readonly duplicate_callbacks: number
  /** Before each true callback goes one with the opposite outcome and a wrong signature. */
  readonly forge_callbacks: boolean
  /** No callback is sent. */
  readonly drop_callbacks: boolean
  /** How the statement differs from the ledger. */
  readonly statement: StatementFaults
}

/** The members to change; the others stay as they are. */
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
  hold: null,
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
  /** Clears every fault and lets every waiting request go. */
  reset(): void
  /** Uses up one of a counted fault; false when there is none left. */
  take(fault: Count): boolean
  /** What befalls a request on arrival: an answer that ends it, or null after any delay. */
  arrival(operation: Operation): Promise<Answer | null>
  /** The answer as the asker gets it. */
  departure(operation: Operation, answer: Answer): Answer
  /** Where requests wait while `hold` names the point. */
  readonly gate: Gate
}

export function createFaultBox(timers: Timers): FaultBox {
  let faults = noFaults
  const gate = createGate(() => faults.hold)

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
    const given = Object.entries(patch).filter(([, value]) => value !== undefined)
    faults = { ...faults, ...(Object.fromEntries(given) as Partial<Faults>) }
    if (faults.hold === null) gate.release()
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

const unavailable: Answer = {
  status: 503,
  json: { code: 'UNAVAILABLE', message: 'The network is down.' },
}
