import {
  createFaultBox,
  noCommonFaults,
  type CommonFaults,
  type FaultBox,
  type Patch,
} from '../../control/fault-box.ts'
import type { ReferenceRequests as Requests } from '../../control/request-log.ts'
import type { Timers } from '../../timers.ts'
import type { StatementFaults } from '../payment/statement.ts'

/** The operations of the network's API. */
export const operations = ['read', 'put', 'get', 'cancel', 'statement', 'liquidity', 'issue'] as const
/** One of `operations`. */
export type Operation = (typeof operations)[number]

/** The operations that are counted by reference. */
export const countedOperations = ['put', 'get', 'cancel'] as const
/** The requests for one reference, and how many were PUTs, GETs and cancels. */
export type ReferenceRequests = Requests<Operation, (typeof countedOperations)[number]>

/**
 * Points where requests can hang: before or after the change of the ledger. `before_reading` is for
 * QRs, `before_status` for payments, `before_statement` for pages of the statement.
 */
export const hangPoints = [
  'before_reading',
  'before_paying',
  'after_paying',
  'before_status',
  'before_statement',
] as const
/** One of `hangPoints`. */
export type HangPoint = (typeof hangPoints)[number]

/** Active faults. Counts decrease as they are used; other faults last until cleared. */
export type Faults = CommonFaults<Operation, HangPoint> & {
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
export type FaultsPatch = Patch<Faults>

const noFaults: Faults = {
  ...noCommonFaults,
  drop_before_paying: 0,
  drop_answer_after_paying: 0,
  error_after_paying: 0,
  garble_after_paying: 0,
  wrong_amount: 0,
  duplicate_callbacks: 0,
  forge_callbacks: false,
  drop_callbacks: false,
  statement: {},
}

export type NetworkFaults = FaultBox<Operation, HangPoint, Faults>

export const createNetworkFaults = (timers: Timers): NetworkFaults =>
  createFaultBox(timers, noFaults, { status: 503, json: { code: 'UNAVAILABLE', message: 'The network is down.' } })
