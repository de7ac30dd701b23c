import type { ReplayStore } from './replay-store.ts'
import { type RawBody, secretsOf } from './signature.ts'
import {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts'

/** Options of a receiver of webhooks. */
export type ReceiverOptions = Omit<VerifyOptions, 'now'> & {
  /** The endpoint's secret, or several during a rotation. */
  readonly secrets: string | readonly string[]
  /**
   * Handles an event. Store it and return: the service waits 10 seconds for the answer.
   *
   * When it throws, the answer is 500 and the event is sent again. Events can arrive out of order: trust
   * the payout's `status`.
   */
  onEvent(event: WebhookEvent): Promise<void> | void
  /**
   * Remembers events, so that one that arrives again is answered without `onEvent`: `memoryReplayStore()`,
   * or one of your own. Without it, let `onEvent` insert the event's id in the transaction that does the work.
   */
  readonly store?: ReplayStore | undefined
  /** Receives the error behind an answer of 400 or 500. Default: `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined
}

export type Answer = { readonly status: 204 | 400 | 409 | 500; readonly text: string }

/** A delivery as it arrived. */
export type Delivered = { readonly body: RawBody; readonly headers: WebhookHeaders }

/** Verifies and handles a delivery. Never throws: every failure is an answer. */
export type Receive = (read: () => Promise<Delivered> | Delivered) => Promise<Answer>

/** @throws TypeError when there is no secret, or one of them is no text or blank */
export function receiving(options: ReceiverOptions): Receive {
  secretsOf(options.secrets)
  return (read) => receive(options, read)
}

async function receive(options: ReceiverOptions, read: () => Promise<Delivered> | Delivered): Promise<Answer> {
  try {
    const { body, headers } = await read()
    return await handle(options, await verifyWebhook(body, headers, options.secrets, options))
  } catch (error) {
    report(options, error)
    // The delivery's `response_excerpt` shows this text.
    return error instanceof WebhookVerificationError
      ? { status: 400, text: error.message }
      : { status: 500, text: 'The event was not handled' }
  }
}

const handled: Answer = { status: 204, text: '' }

async function handle({ store, onEvent, ...options }: ReceiverOptions, event: WebhookEvent): Promise<Answer> {
  const claim = (await store?.claim(event.id)) ?? 'claimed'
  if (claim === 'handled') return handled
  if (claim === 'busy') return { status: 409, text: 'The event is being handled' }
  try {
    await onEvent(event)
  } catch (error) {
    // The event is sent again: a store that fails to release it ends the claim by then, or before a later attempt.
    await store?.release(event.id).catch((failure: unknown) => report(options, failure))
    throw error
  }
  await store?.complete(event.id)
  return handled
}

function report({ onError }: Pick<ReceiverOptions, 'onError'>, error: unknown): void {
  if (onError) onError(error)
  // oxlint-disable-next-line no-console -- The default, so that no error is lost.
  else console.error(error)
}
