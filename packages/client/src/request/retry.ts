import type { operations } from '../openapi/openapi.ts'

type Table = typeof operations
type Write = {
  [Name in keyof Table]: Table[Name]['method'] extends 'GET' ? never : Name
}[keyof Table]

/**
 * When a request may be retried. Reads: `always`.
 *
 * - `always`: also when an earlier attempt may have taken effect, since the operation is idempotent.
 * - `unsent`: only when the earlier attempt had no effect: it did not connect, or was refused with 429.
 */
export type RetryRule = 'always' | 'unsent'

/** The rule of each write, from the guarantees of spec §4. */
export const retryRules: Readonly<Record<Write, RetryRule>> = {
  createPayout: 'always', // One transaction_id is one payment.
  requestTokens: 'always', // One Idempotency-Key is one transfer.
  resolveQr: 'always', // A second resolution has no effect.
  createQuote: 'always', // A second quote reserves nothing and expires.
  createSandboxQr: 'always', // A second test QR has no effect.
  updateWallet: 'always', // It sets members to values, as the next one.
  updateWebhook: 'always',
  deleteWebhook: 'always', // A 404 after a lost answer is success.
  pauseWebhook: 'always',
  reactivateWebhook: 'always', // A second one finds nothing to requeue.
  revokeOwnApiKey: 'always',
  createWebhook: 'unsent', // A second endpoint would receive every event again.
  rotateWebhookSecret: 'unsent', // Each adds a secret, and their number is limited.
  rotateOwnApiKey: 'unsent',
  testWebhook: 'unsent', // Each sends a delivery.
  resendDelivery: 'unsent', // Each sends a delivery.
  replayEvents: 'always', // What is pending is not sent twice, and receivers know an event by its id.
}

/** Exponential backoff from `firstMs` up to 8 s, with a random reduction of up to half. */
export const backoffMs = (retry: number, firstMs: number): number =>
  Math.min(8_000, firstMs * 2 ** retry) * (0.5 + Math.random() / 2)

/** The seconds of a `Retry-After`, which has seconds or a date. */
export function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const ms = Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1_000))
}

/** Members that decide what became of a payment: without them an answer says nothing. */
export const payoutMembers: readonly string[] = ['id', 'status']
