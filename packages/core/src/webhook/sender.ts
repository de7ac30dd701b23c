/** One POST to a receiver. */
export type WebhookRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Why an attempt failed, as a tenant is told. New ones may be added. */
export type AttemptError =
  /** The receiver did not answer within 10 seconds in all. */
  | 'TIMEOUT'
  /** It answered with a redirect, which is not followed. */
  | 'REDIRECT'
  /** It answered with another status than a 2xx. */
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
  /** What it answered is not HTTP. */
  | 'PROTOCOL'
  /** The endpoint's secrets cannot be read here; nothing was sent. Ours to mend. */
  | 'SECRET_UNREADABLE'
  /** Workers died with this delivery in hand too often; nothing was sent this time. */
  | 'ABANDONED'

/** What came of one attempt. It succeeded when `error` is null. */
export type AttemptResult = {
  readonly statusCode: number | null
  readonly latencyMs: number
  readonly error: AttemptError | null
  /** The answer's beginning as text, at most 1 KiB in UTF-8; null when there was none or it must not be shown. */
  readonly excerpt: string | null
}

/** Sends webhooks. Never throws: whatever happens is an attempt's result. @source spec §6 Delivery */
export type WebhookSender = {
  /** Answers within 10 seconds. Calls that are in flight when `stop` is called end as usual. */
  send(request: WebhookRequest): Promise<AttemptResult>
}

/** Decides where webhooks may be sent. */
export type WebhookUrlGuard = {
  /**
   * What is wrong with a URL that a tenant would register, as the rest of a sentence that begins with
   * the field's name; null when nothing is. A name that does not resolve yet is accepted.
   *
   * @source assumed
   */
  check(url: string): Promise<string | null>
}
