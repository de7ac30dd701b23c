import type { QuipuEvent, WebhookTestEvent } from '../openapi/openapi.ts'
import { anyMatches, defaultHeaderPrefix, parseSignature, type RawBody, secretsOf } from './signature.ts'

/**
 * A delivered event. Its `type` decides its `data`.
 *
 * Types may be added: let the `default` of a `switch` ignore them.
 */
export type WebhookEvent = QuipuEvent | WebhookTestEvent

/**
 * - `missing`: no signature header; check that `headerPrefix` is the operator's
 * - `malformed`: the header is not `t=…,v1=…`
 * - `stale`: signed too long ago or in the future; check your clock
 * - `mismatch`: no secret matches; check that it is this endpoint's, and that the body is raw
 * - `unreadable`: signed correctly, but not an event
 */
export type WebhookFault = 'missing' | 'malformed' | 'stale' | 'mismatch' | 'unreadable'

/** A delivery whose origin could not be verified. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookFault

  /** @param expected  which rule is broken, and where to look */
  constructor(reason: WebhookFault, expected: string) {
    super(`The webhook could not be verified (${reason}): ${expected}`)
    this.reason = reason
  }
}

const defaultToleranceSeconds = 300

/** Options of the verification of a webhook. */
export type VerifyOptions = {
  /** How old a signature may be, or how far ahead. @source spec §6 */
  readonly toleranceSeconds?: number | undefined
  /** Default: the present time. */
  readonly now?: Date | undefined
  /** Prefix of the signature header: the operator's brand. Default: `X-Service-`. */
  readonly headerPrefix?: string | undefined
}

/** Headers as Fetch has them, or as Node has them. */
export type WebhookHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Verifies that a delivery was signed by the service recently, and parses it.
 *
 * @param rawBody  the received bytes or text, before anything has parsed it
 * @param secrets  the endpoint's secret, or several during a rotation
 * @throws WebhookVerificationError when it cannot be verified: answer 400
 * @throws TypeError when there is no secret, or one of them is no text or blank
 * @source spec §6 Signature headers
 */
export async function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  {
    toleranceSeconds = defaultToleranceSeconds,
    now = new Date(),
    headerPrefix = defaultHeaderPrefix,
  }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const candidates = secretsOf(secrets)
  const name = `${headerPrefix}Signature`
  const fault = (reason: WebhookFault, expected: string): Error => new WebhookVerificationError(reason, expected)
  const header = headerOf(headers, name)
  if (header === undefined)
    throw fault('missing', `it has no header ${name}. Did the service send it, and is headerPrefix the operator's?`)
  const signature = parseSignature(header)
  if (!signature) throw fault('malformed', `its ${name} is not t=<unix seconds>,v1=<64 hex digits>`)
  const age = Math.floor(now.getTime() / 1_000) - Number(signature.t)
  if (!(Math.abs(age) <= toleranceSeconds)) {
    const signedAt = age < 0 ? `${-age} s in the future` : `${age} s ago`
    throw fault('stale', `it was signed ${signedAt}, allowed are ${toleranceSeconds} s. Is this machine's clock right?`)
  }
  if (!(await anyMatches(signature, rawBody, candidates)))
    throw fault(
      'mismatch',
      `no signature in ${name} was made with ${candidates.length === 1 ? 'the secret' : `one of the ${candidates.length} secrets`}. Is the body raw, as it arrived, and the secret that of this endpoint?`,
    )
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
    // The body is not JSON.
  }
  throw new WebhookVerificationError('unreadable', 'its body is not JSON with id, type and data')
}
