import {
  createFaultBox,
  noCommonFaults,
  type CommonFaults,
  type FaultBox,
  type Patch,
} from '../../control/fault-box.ts'
import type { Answer } from '../../json-server.ts'
import type { Timers } from '../../timers.ts'
import type { Course, Reply } from './replies.ts'

/** The operations of the network's API. */
export const operations = ['token', 'scan', 'confirm', 'status', 'saldos', 'debitos', 'creditos'] as const
/** One of `operations`. */
export type Operation = (typeof operations)[number]

/** Points where requests can hang: before or after the change of the ledger. */
export const hangPoints = [
  'before_reading',
  'before_paying',
  'after_paying',
  'before_status',
  'before_statement',
] as const
/** One of `hangPoints`. */
export type HangPoint = (typeof hangPoints)[number]

/** The answers of the next calls, each used once. A course belongs to `confirm`. */
export type NextReply = {
  readonly operation: Exclude<Operation, 'token'>
  readonly reply: Reply
  readonly course?: Course | undefined
  readonly later_ms?: number | undefined
  /** 1 by default. */
  readonly times?: number | undefined
}

/** All that a test can change; each lasts until it is changed, but the counts and lists of the next calls. */
export type Switches = CommonFaults<Operation, HangPoint> & {
  /** Whether an order has a reference of its own, or that of its reading. */
  readonly reference_at_confirm: 'new' | 'same'
  /** The reference that `status` knows. */
  readonly status_by: 'confirm' | 'scan' | 'both'
  /** A second confirm of a reading is answered 14; otherwise it pays again. */
  readonly reading_single_use: boolean
  /** A second confirm with a `transaccionId`: pays again, is refused with 14 or 02, or gets the first one's answer. */
  readonly transaction_id_unique: 'off' | '14' | '02' | 'replay'
  /** The status of a reading without an order. */
  readonly unconfirmed_status: 'PENDIENTE_PAGO' | '04'
  /** Where a used QR is refused: by `scan` with this code, or by `confirm` with 14. */
  readonly used_qr: 'at_confirm' | '08' | '09' | '14'
  /** A confirm of a closed QR that carries its amount. */
  readonly closed_amount: 'refused' | 'ignored'
  readonly account_state: 'ACTIVA' | 'BLOQUEADA' | 'SUSPENDIDA' | 'CERRADA'
  /** Delay until the later state of a course. */
  readonly later_ms: number
  readonly status_lag_seconds: number
  readonly statement_lag_seconds: number

  readonly token_life_seconds: number
  readonly token_status: 200 | 201
  /** Every token ends the earlier ones. */
  readonly token_single: boolean
  readonly token_refused: boolean

  readonly ids: 'string' | 'number'
  /** `1.5`, `1.50`, `"1.50"`. */
  readonly amounts: 'short' | 'number' | 'string'
  /** The form of an empty member. */
  readonly empty: '' | 'null' | 'absent' | 'N/A'
  /** New names of members. */
  readonly renamed: Readonly<Record<string, string>>
  /** `2026-11-20` or `20261120`. */
  readonly expiry: 'dashed' | 'compact'
  /** With milliseconds in the answer to confirm only, everywhere, nowhere. */
  readonly times: 'documented' | 'milliseconds' | 'seconds'

  readonly debits_with_transaction_id: boolean
  readonly debits_operation: string
  readonly debits_unsorted: boolean
  /** Most days between the first and the last date. */
  readonly debits_days_max: number
  /** BOB for each payment, such as `"0.50"`. */
  readonly commission: string
  /** As a part of the payment's row, or as a row of its own. */
  readonly commission_as: 'part' | 'row'

  readonly reply_next: readonly NextReply[]
}

/** Members to change; the others stay. */
export type SwitchesPatch = Patch<Switches>

/** The worst of each that an integrator must survive, and the documented formats. */
const defaults: Switches = {
  ...noCommonFaults,
  reference_at_confirm: 'new',
  status_by: 'confirm',
  reading_single_use: true,
  transaction_id_unique: '14',
  unconfirmed_status: 'PENDIENTE_PAGO',
  used_qr: 'at_confirm',
  closed_amount: 'refused',
  account_state: 'ACTIVA',
  later_ms: 3_000,
  status_lag_seconds: 0,
  statement_lag_seconds: 0,
  token_life_seconds: 3_600,
  token_status: 201,
  token_single: false,
  token_refused: false,
  ids: 'string',
  amounts: 'short',
  empty: '',
  renamed: {},
  expiry: 'dashed',
  times: 'documented',
  debits_with_transaction_id: true,
  debits_operation: 'PAYOUT QR',
  debits_unsorted: true,
  debits_days_max: 31,
  commission: '0.00',
  commission_as: 'part',
  reply_next: [],
}

export type SwitchBox = FaultBox<Operation, HangPoint, Switches> & {
  /** Takes the reply of the next call. */
  takeReply(operation: Operation): NextReply | undefined
}

export function createSwitches(timers: Timers, initial: SwitchesPatch): SwitchBox {
  const first = Object.fromEntries(Object.entries(initial).filter(([, value]) => value !== undefined))
  const box = createFaultBox<Operation, HangPoint, Switches>(timers, { ...defaults, ...first }, gatewayText(502))
  return {
    ...box,
    takeReply(operation) {
      const { reply_next } = box.current()
      const index = reply_next.findIndex((next) => next.operation === operation)
      const next = reply_next[index]
      if (!next) return undefined
      const left = (next.times ?? 1) - 1
      const rest = left > 0 ? [{ ...next, times: left }] : []
      box.change({ reply_next: reply_next.toSpliced(index, 1, ...rest) })
      return next
    },
  }
}

const texts: Readonly<Record<number, string>> = {
  401: 'Unauthorized: access_token',
  403: 'Forbidden: client_id',
  404: 'Route without destination',
  429: 'Too many requests',
}

/** An error of the gateway in front of the network: a text, not an envelope. */
export const gatewayText = (status: number): Extract<Answer, { plain: string }> => ({
  status,
  plain: texts[status] ?? 'Failed to forward the request',
  ...(status === 429 && { retryAfterSeconds: 1 }),
})
