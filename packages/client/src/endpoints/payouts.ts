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
import { backoffMs } from '../request/repeat.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** Paying merchant QRs. */
export type Payouts = {
  /** Reads a QR: who is paid, and how much. */
  resolveQr(request: ResolveRequest, options?: CallOptions): Promise<Resolution>
  /**
   * Pays. One `transaction_id` is one payment, however often it is sent.
   *
   * The answer's `status` says how it ended, or `processing`: see `createAndWait`. When it throws
   * and `error.uncertain`, the payment may have been made: call again with the same body.
   */
  create(request: PayoutRequest, options?: CallOptions): Promise<Payout>
  /**
   * Pays, and waits until the payout has ended: 5 minutes, unless `timeoutMs` says otherwise.
   *
   * @throws QuipuTimeoutError when it has not: the same call again goes on waiting
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

/** The statuses that end a payout. A status that is not known yet is waited out. @source spec §3 */
const ended: ReadonlySet<string> = new Set(['completed', 'cancelled', 'rejected', 'failed'])

/** Somebody may stand at a till. */
const longestPollMs = 2_000

async function createAndWait(
  send: Send,
  body: PayoutRequest,
  { signal, timeoutMs = 300_000, retries = Infinity }: CallOptions = {},
): Promise<Payout> {
  const until = performance.now() + timeoutMs
  let payout = await send('createPayout', { body }, { signal, timeoutMs, retries })
  for (let polls = 0; !ended.has(payout.status); polls++) {
    const delay = Math.min(longestPollMs, backoffMs(polls, 500))
    if (performance.now() + delay >= until) throw unended(payout)
    await pause(delay, signal)
    const left = until - performance.now()
    // From here on the payment has been asked for, whatever stops the reading.
    const options = { signal, timeoutMs: left, retries, uncertain: true }
    payout = await send('getPayout', { params: { id: payout.id } }, options)
  }
  return payout
}

const unended = ({ id, status }: Payout): QuipuTimeoutError =>
  new QuipuTimeoutError(`The payout is still ${status}`, { requestId: id, uncertain: true })
