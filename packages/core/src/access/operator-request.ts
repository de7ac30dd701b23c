/** The `Idempotency-Key` of a request by an operator, which may be sent again. */
export type OperatorRequest = {
  /** The stored form of the key: at most 255 characters. A key belongs to one person. */
  readonly key: string
  /** Digest of path and body: distinguishes a repeated request from another one with the same key. */
  readonly fingerprint: string
}

/** The answer of a store when the person has used the key before: nothing was written. */
export type UsedRequest = {
  readonly fingerprint: string
  /** The id of what the first request created. */
  readonly subject: string
}

/** The id of what the same request created before; undefined when the key belongs to another request. */
export const repeatedSubject = (used: UsedRequest, request: OperatorRequest | null): string | undefined =>
  used.fingerprint === request?.fingerprint ? used.subject : undefined
