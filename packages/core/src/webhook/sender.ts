/** One POST to a receiver. */
export type WebhookRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** The timeout of an attempt, in all. @source spec §6, §8 */
export const attemptTimeoutSeconds = 10

/** Why an attempt failed, in the tenant's words. More may be added. */
export type AttemptError =
  /** The receiver did not answer within `attemptTimeoutSeconds` in all. */
  | 'TIMEOUT'
  /** It answered with a redirect, which is not followed. */
  | 'REDIRECT'
  /** It answered with a status other than 2xx. */
  | 'STATUS'
  /** Its name does not resolve. */
  | 'NAME_NOT_FOUND'
  /** Its address is private or reserved; nothing was sent. */
  | 'ADDRESS_BLOCKED'
  /** Its certificate is not valid, or the handshake failed. */
  | 'TLS'
  | 'CONNECTION_REFUSED'
  /** It closed the connection before it had answered. */
  | 'CONNECTION_RESET'
  /** Its answer is not HTTP. */
  | 'PROTOCOL'
  /** The endpoint's secrets cannot be decrypted; nothing was sent. The operator must act. */
  | 'SECRET_UNREADABLE'
  /** Too many workers died while they sent this delivery; nothing was sent this time. */
  | 'ABANDONED'

/** The result of one attempt: a success when `error` is null. */
export type AttemptResult = {
  readonly statusCode: number | null
  readonly latencyMs: number
  readonly error: AttemptError | null
  /** The start of the answer as text, at most `excerptBytesMax`; null when there is none or it must not be shown. */
  readonly excerpt: string | null
}

/** Sends webhooks. Never throws: an error is part of the attempt's result. @source spec §6 Delivery */
export type WebhookSender = {
  /** Answers within `attemptTimeoutSeconds`. Calls that are in flight when `stop` is called end as usual. */
  send(request: WebhookRequest): Promise<AttemptResult>
}

/** Decides which URLs may be registered. */
export type WebhookUrlGuard = {
  /**
   * The error of a URL, as the end of a sentence that begins with the field's name; null when it has none. A
   * name that does not resolve yet is accepted.
   */
  check(url: string): Promise<string | null>
}
