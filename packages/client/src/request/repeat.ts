import type { operations } from '../openapi/openapi.ts'

type Table = typeof operations
type Write = {
  [Name in keyof Table]: Table[Name]['method'] extends 'GET' ? never : Name
}[keyof Table]

/**
 * When a request is sent again. Reads: `always`.
 *
 * - `always`: also when an earlier one may have arrived, since two do what one does.
 * - `unsent`: only when the earlier one did nothing for certain: it was not connected, or it was
 *   turned away with 429.
 */
export type Repeat = 'always' | 'unsent'

/** Decided for each request that changes something. @source assumed, from what spec §4 promises of each */
export const repeats: Readonly<Record<Write, Repeat>> = {
  createPayout: 'always', // One transaction_id is one payment.
  requestTokens: 'always', // One Idempotency-Key is one transfer.
  resolveQr: 'always', // A reading too many moves nothing and is never seen again.
  createQuote: 'always', // A quote too many holds nothing and expires by itself.
  createSandboxQr: 'always', // A test QR too many is nobody's.
  updateWebhook: 'always', // It says how the endpoint is to be, not how it changes.
  deleteWebhook: 'always', // What is gone is gone: a 404 after a lost answer is success.
  reactivateWebhook: 'always', // What was sent on is not held any more.
  createWebhook: 'unsent', // A second endpoint would be told everything twice.
  rotateWebhookSecret: 'unsent', // Each makes one more secret, of five at most.
  testWebhook: 'unsent', // Each is one delivery to your server.
  resendDelivery: 'unsent', // So is each of these.
}

/** How much longer than before to wait: 250 ms, 500 ms, … 8 s, each shortened by chance by up to half. */
export const backoffMs = (repeat: number, firstMs: number): number =>
  Math.min(8_000, firstMs * 2 ** repeat) * (0.5 + Math.random() / 2)

/** What a `Retry-After` asks for, in seconds or as a date. */
export function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const ms = Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1_000))
}
