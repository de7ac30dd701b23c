/** How a call is answered in place of its own answer. Codes and HTTP statuses are given by their digits. */
export const namedReplies = [
  /** The answer of the call. */
  'normal',
  /** The connection is dropped without an answer. */
  'lost',
  /** The answer is cut in its middle. */
  'truncated',
  /** 00 without `data`. */
  'no_data',
  /** Wrong members of an answer that has `data`. */
  'unknown_state',
  'other_transaction',
  'no_transaction',
  'other_reference',
  'no_order_number',
  'amount_zero',
  'amount_wrong',
  'no_amount',
  'usd',
  'no_name',
] as const
/** One of `namedReplies`, or digits: two are a code of the envelope, three an HTTP status. */
export type Reply = (typeof namedReplies)[number] | `${number}`

/** Two digits are a code of the envelope; three are the status of a text of the gateway. */
export const isReply = (text: string): text is Reply =>
  /^(\d\d|[45]\d\d)$/.test(text) || (namedReplies as readonly string[]).includes(text)

/** The end of an order after a confirm. */
export const courses = [
  /** Approved at once. */
  'paid',
  'rejected',
  /** `EN_PROCESO`, and decided after `later_ms`, or only by the admin port. */
  'in_process_paid',
  'in_process_rejected',
  'in_process',
  /** The same with `PENDIENTE_CONFIRMACION`. */
  'pending_paid',
  'pending_rejected',
  'pending',
  /** The network has the order, shows it nowhere, and decides it after `later_ms`, or never. */
  'unconfirmed_paid',
  'unconfirmed_rejected',
  'unpaid',
  /** Approved, and reversed after `later_ms`: the money comes back as a credit. */
  'paid_returned',
  /** The order has no effect: another confirm can follow. */
  'none',
] as const
/** One of `courses`. */
export type Course = (typeof courses)[number]

/** Answers and end for a QR or for the next calls. */
export type Plan = {
  readonly scan?: Reply | undefined
  readonly confirm?: Reply | undefined
  readonly status?: Reply | undefined
  readonly course?: Course | undefined
  /** Delay until the later state of the course; that of the switches by default. */
  readonly later_ms?: number | undefined
}

/** Refusals that the network gives before it has an order; all others leave its payment open. */
const withoutEffect = new Set<string>([
  '02',
  '04',
  '08',
  '09',
  '10',
  '11',
  '12',
  '13',
  '15',
  '401',
  '403',
  '404',
  '429',
])

/** The course of a plan: given, or else that of its answer. An order whose answer says nothing is not paid. */
export const courseOf = ({ confirm = 'normal', course }: Plan): Course =>
  course ?? (withoutEffect.has(confirm) ? 'none' : /^\d/.test(confirm) ? 'unpaid' : 'paid')
