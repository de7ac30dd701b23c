import type { Answer } from '../json-server.ts'
import type { Timers } from '../timers.ts'
import type { Operation } from './request-log.ts'
import type { StatementFaults } from './statement.ts'

/**
 * Where a request can be made to wait until it is released: on one side or the other of the
 * instant that changes the ledger. `status` is the read by reference.
 */
export type HoldPoint =
  | 'before_reading'
  | 'before_paying'
  | 'after_paying'
  | 'before_status'
  | 'before_closing'
  | 'after_closing'

export const holdPoints: readonly [HoldPoint, ...HoldPoint[]] = [
  'before_reading',
  'before_paying',
  'after_paying',
  'before_status',
  'before_closing',
  'after_closing',
]

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

export const noFaults: Faults = {
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
  /** Waits while the network holds requests at this point. */
  pass(point: HoldPoint, reference: string): Promise<void>
  /** References of the requests that are waiting, in order of arrival. */
  held(): string[]
  /** Resolves as soon as `count` requests are waiting. */
  untilHeld(count: number): Promise<void>
  /** Lets the requests of one reference go, or all of them and stops holding. @returns how many */
  release(reference?: string): number
}

export function createFaultBox(timers: Timers): FaultBox {
  let faults = noFaults
  let waiting: { readonly reference: string; readonly go: () => void }[] = []
  let watchers: { readonly count: number; readonly seen: () => void }[] = []

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
  const notice = (): void => {
    const ready = watchers.filter(({ count }) => waiting.length >= count)
    watchers = watchers.filter(({ count }) => waiting.length < count)
    for (const { seen } of ready) seen()
  }
  const release = (reference?: string): number => {
    const going = waiting.filter((one) => reference === undefined || one.reference === reference)
    waiting = waiting.filter((one) => !going.includes(one))
    if (reference === undefined) faults = { ...faults, hold: null }
    for (const { go } of going) go()
    return going.length
  }
  return {
    current: () => faults,
    change(patch) {
      const given = Object.entries(patch).filter(([, value]) => value !== undefined)
      faults = { ...faults, ...(Object.fromEntries(given) as Partial<Faults>) }
      if (patch.hold === null) release()
    },
    reset() {
      faults = noFaults
      release()
    },
    take,
    async arrival(operation) {
      if (faults.down === '503' || takeNext('fail_next', operation)) return unavailable
      if (operation === 'put' && take('drop_before_paying')) return 'drop'
      const { delay_ms } = faults
      await timers.wait(typeof delay_ms === 'number' ? delay_ms : (delay_ms[operation] ?? 0))
      return null
    },
    departure: (operation, answer) => (takeNext('drop_answer_next', operation) ? 'drop' : answer),
    async pass(point, reference) {
      if (faults.hold !== point) return
      await new Promise<void>((go) => {
        waiting.push({ reference, go })
        notice()
      })
    },
    held: () => waiting.map(({ reference }) => reference),
    async untilHeld(count) {
      if (waiting.length >= count) return
      await new Promise<void>((seen) => watchers.push({ count, seen }))
    },
    release,
  }
}

const unavailable: Answer = {
  status: 503,
  json: { code: 'UNAVAILABLE', message: 'The network is down.' },
}
