import { QuipuTimeoutError } from '../request/errors.ts'
import { pause } from '../request/attempt.ts'
import type {
  ListPayoutsQuery,
  Payout,
  PayoutPage,
  PayoutRequest,
  Resolution,
  ResolveRequest,
} from '../openapi/openapi.ts'
import { type Pages, pages } from '../request/pages.ts'
import { backoffMs } from '../request/retry.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** Paying merchant QRs. */
export type Payouts = {
  /** Reads a QR: its merchant and amount. */
  resolveQr(request: ResolveRequest, options?: CallOptions): Promise<Resolution>
  /**
   * Pays. One `transaction_id` is one payment, however often it is sent.
   *
   * The answer's `status` says how it ended, or `processing`: see `createAndWait`. When the call
   * throws with `error.uncertain`, the payment may have been made: call again with the same body.
   */
  create(request: PayoutRequest, options?: CallOptions): Promise<Payout>
  /**
   * Pays, and waits until the payout has ended. Default of `timeoutMs`: 5 minutes.
   *
   * @throws QuipuTimeoutError when it has not ended: repeat the call to continue waiting
   */
  createAndWait(request: PayoutRequest, options?: CallOptions): Promise<Payout>
  /** Reads a payout by its `po_` id. */
  get(id: string, options?: CallOptions): Promise<Payout>
  /** Newest first. */
  list(query?: ListPayoutsQuery, options?: CallOptions): Pages<PayoutPage>
}

export const payouts = (send: Send): Payouts => ({
  resolveQr: (body, options) => send('resolveQr', { body }, options),
  create: (body, options) => send('createPayout', { body }, options),
  createAndWait: (body, options) => createAndWait(send, body, options),
  get: (id, options) => send('getPayout', { params: { id } }, options),
  list: (query = {}, options = {}) =>
    pages((cursor = query.cursor) => send('listPayouts', { query: { ...query, cursor } }, options)),
})

/** The statuses that end a payout. An unknown status does not end the wait. @source spec §3 */
const ended: ReadonlySet<string> = new Set(['completed', 'cancelled', 'rejected', 'failed'])

/** Short, since a customer may be waiting at the till. */
const pollMaxMs = 2_000

async function createAndWait(
  send: Send,
  body: PayoutRequest,
  { signal, timeoutMs = 300_000, retries = Infinity, onAnswer }: CallOptions = {},
): Promise<Payout> {
  const until = performance.now() + timeoutMs
  let payout = await send('createPayout', { body }, { signal, timeoutMs, retries, onAnswer })
  for (let polls = 0; !ended.has(payout.status); polls++) {
    const delay = Math.min(pollMaxMs, backoffMs(polls, 500))
    if (performance.now() + delay >= until) throw stillProcessing(payout)
    await pause(delay, signal)
    const left = until - performance.now()
    // The payment has been requested, so every failure from here on is uncertain.
    const options = { signal, timeoutMs: left, retries, onAnswer, uncertain: true }
    payout = await send('getPayout', { params: { id: payout.id } }, options)
  }
  return payout
}

const stillProcessing = ({ id, status }: Payout): QuipuTimeoutError =>
  new QuipuTimeoutError(`The payout is still ${status}`, { requestId: id, uncertain: true })
