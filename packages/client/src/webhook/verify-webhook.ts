import type { QuipuEvent, WebhookTestEvent } from '../openapi/openapi.ts'
import { anyFits, defaultHeaderPrefix, parseSignature, type RawBody } from './signature.ts'

/**
 * What is delivered. Its `type` says what its `data` is.
 *
 * Types may be added: let the `default` of a `switch` do nothing.
 */
export type WebhookEvent = QuipuEvent | WebhookTestEvent

/**
 * - `missing`: there is no signature header; is `headerPrefix` the operator's?
 * - `malformed`: the header is not `t=…,v1=…`
 * - `stale`: it was signed too long ago, or in the future; is your clock right?
 * - `mismatch`: no secret fits; is it this endpoint's, and the body as raw as it came?
 * - `unreadable`: signed well, and still no event
 */
export type WebhookFault = 'missing' | 'malformed' | 'stale' | 'mismatch' | 'unreadable'

/** A delivery that is not to be believed. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookFault

  constructor(reason: WebhookFault) {
    super(`The webhook is not to be believed: ${reason}`)
    this.reason = reason
  }
}

export type VerifyOptions = {
  /** How old a signature may be, or how far ahead. Default: 300, as in spec §6. */
  readonly toleranceSeconds?: number | undefined
  /** Default: the present. */
  readonly now?: Date | undefined
  /** Of the signature header: the operator's brand. Default: `X-Service-`. */
  readonly headerPrefix?: string | undefined
}

/** Headers as Fetch has them, or as Node has them. */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Reads a delivery, if it came from the service a short while ago.
 *
 * @param rawBody  as it came, before anything has parsed it
 * @param secrets  the endpoint's secret, or several while one is exchanged for another
 * @throws WebhookVerificationError when it is not to be believed: answer 400
 * @source spec §6 Signature headers
 */
export async function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  {
    toleranceSeconds = 300,
    now = new Date(),
    headerPrefix = defaultHeaderPrefix,
  }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const any = [secrets].flat()
  if (any.length === 0) throw new TypeError('There is no webhook secret to verify with')
  const header = headerOf(headers, `${headerPrefix}Signature`)
  if (header === undefined) throw new WebhookVerificationError('missing')
  const signature = parseSignature(header)
  if (!signature) throw new WebhookVerificationError('malformed')
  const age = Math.floor(now.getTime() / 1_000) - Number(signature.t)
  if (!(Math.abs(age) <= toleranceSeconds)) throw new WebhookVerificationError('stale')
  if (!(await anyFits(signature, rawBody, any))) throw new WebhookVerificationError('mismatch')
  return eventOf(rawBody)
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())
  const value: unknown = found?.[1]
  return Array.isArray(value) ? value.join() : typeof value === 'string' ? value : undefined
}

function eventOf(rawBody: RawBody): WebhookEvent {
  try {
    const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
    const event = JSON.parse(text) as Partial<WebhookEvent> | null
    if (typeof event?.id === 'string' && typeof event.type === 'string' && event.data) {
      return event as WebhookEvent
    }
  } catch {
    // It is no JSON.
  }
  throw new WebhookVerificationError('unreadable')
}
