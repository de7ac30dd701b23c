import type { Page, PageQuery } from '../page.ts'

/** A request of a tenant, as its own log shows it. It has no body, but digests of both. */
export type RequestRecord = {
  /** A version 7 UUID of `createdAt`. The caller's own request id may be repeated. */
  readonly id: string
  readonly tenantId: string
  readonly keyId: string
  readonly requestId: string
  readonly method: string
  /** Without the query; segments that may be secrets are redacted. */
  readonly path: string
  /** Null when the caller disconnected before the answer was complete. */
  readonly status: number | null
  /** The code of an error answer. */
  readonly code: string | null
  /** The client's source address. */
  readonly address: string
  readonly durationMs: number
  /** SHA-256 in hexadecimal digits; null without a body. */
  readonly bodyDigest: string | null
  /** Likewise of the answer; null also for one that was sent while it was read. */
  readonly answerDigest: string | null
  /** When it arrived. */
  readonly createdAt: Date
}

/** A page of a tenant's requests, filtered. */
export type RequestQuery = PageQuery & {
  /** The hundreds of the status: 4 for 400 to 499. */
  readonly statusClass?: number
  readonly keyId?: string
  /** Exactly this one. */
  readonly path?: string
  /** Both inclusive, by `createdAt`. */
  readonly from?: Date
  readonly to?: Date
}

/** How many days a tenant's requests are kept; `forget_requests` in PostgreSQL is the same. */
export const requestLogDays = 30

/** Keeps tenants' requests for `requestLogDays`. Every method throws `Unavailable` when the database does not answer. */
export type RequestLogStore = {
  /** Adds requests in one write. One that is recorded already stays. */
  record(requests: readonly RequestRecord[]): Promise<void>
  /** Newest first. A page can have fewer rows than `limit` before the last one. */
  list(tenantId: string, query: RequestQuery): Promise<Page<RequestRecord>>
}
