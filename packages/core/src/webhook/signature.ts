import { equalDigests, hmacSha256 } from '../digest.ts'

/**
 * The value of the signature header: `t=<unix seconds>,v1=<hex>`, one `v1` per secret.
 *
 * `v1` is the HMAC-SHA256 of `<t>.<raw body>`, keyed with the secret's UTF-8 bytes.
 *
 * @param secrets  the valid ones, newest first
 * @source spec §6 Signature headers
 */
export function signWebhook(secrets: readonly string[], body: Uint8Array, at: Date): string {
  const t = unixSeconds(at)
  return [`t=${t}`, ...secrets.map((secret) => `v1=${digest(secret, t, body)}`)].join(',')
}

/** Why a signature is not valid. */
export type SignatureFault = 'malformed' | 'stale' | 'mismatch'

/** How far `t` may be from the receiver's clock. @source spec §6 Signature headers */
export const defaultToleranceSeconds = 300

/**
 * Verifies the signature of a delivery.
 *
 * @param header  the value of the signature header
 * @param body  the raw bytes of the request
 * @returns null when it is valid for one of the secrets and recent
 * @throws TypeError when there is no secret, or one of them is no text or empty: anyone can sign with that
 * @source spec §6 Signature headers
 * @example
 * ```ts
 * const [body, now] = [new TextEncoder().encode('{}'), ports.now()]
 * const header = signWebhook(['whsec_new', 'whsec_old'], body, now)
 * console.log(verifyWebhook(['whsec_old'], header, body, now)) // null
 * console.log(verifyWebhook(['whsec_other'], header, body, now)) // mismatch
 * ```
 */
export function verifyWebhook(
  secrets: readonly string[],
  header: string,
  body: Uint8Array,
  now: Date,
  toleranceSeconds: number = defaultToleranceSeconds,
): SignatureFault | null {
  if (secrets.length === 0 || secrets.some((each) => typeof each !== 'string' || each === ''))
    throw new TypeError('verifyWebhook: a secret is missing or empty')
  const fields = header.split(',').map((field) => field.split('='))
  const [t = '', ...others] = fields.filter(([name]) => name === 't').map(([, value]) => value)
  const given = fields.filter(([name]) => name === 'v1').map(([, value]) => value ?? '')
  if (!/^\d{1,12}$/.test(t) || others.length > 0 || given.length === 0) return 'malformed'
  if (Math.abs(unixSeconds(now) - Number(t)) > toleranceSeconds) return 'stale'
  // Compare every pair: the time must not depend on which one matches.
  const wanted = secrets.map((secret) => digest(secret, Number(t), body))
  const fits = wanted.flatMap((one) => given.map((other) => equalDigests(one, other)))
  return fits.includes(true) ? null : 'mismatch'
}

const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000)

const digest = (secret: string, t: number, body: Uint8Array): string => hmacSha256(secret, `${t}.`, body)
