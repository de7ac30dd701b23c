import { hmacSha1 } from '../digest.ts'
import type { AuditAuthor, AuditEntry } from '../audit/ports.ts'
import { type KeyRing, macOf } from '../key-ring/key-ring.ts'

/** Wrong codes in a row after which a person waits. */
export const codeAttemptsMax = 5

/** How long, in minutes. */
export const codeLockMinutes = 15

/** A code that a process has compared, for the store to use once. */
export type UsedCode = {
  /** The number of the code's 30 seconds. */
  readonly step: number
  /** By a key of `OPERATOR_SIGN_IN_KEY`, over `codeText`. */
  readonly mac: string
}

/** The text that the MAC of a code is over. @param hash  of the session or token that the code serves */
export const codeText = (person: string, hash: string, step: number): string =>
  ['second_factor', person, hash, step].join('\n')

/** A code that was compared. */
export const usedCode = (keys: KeyRing, person: string, hash: string, step: number): UsedCode => ({
  step,
  mac: macOf(keys, codeText(person, hash, step)),
})

const stepSeconds = 30

/** The code of a step: six digits. @source RFC 6238, RFC 4226 */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = new Uint8Array(8)
  new DataView(counter.buffer).setBigUint64(0, BigInt(step))
  const mac = hmacSha1(secret, counter)
  const view = new DataView(mac.buffer, mac.byteOffset)
  const number = view.getUint32((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** The step whose code this is: the present one, the one before, or the one after, as clocks differ. */
export function stepOfCode(secret: Uint8Array, code: string, at: Date): number | undefined {
  const now = Math.floor(at.getTime() / 1_000 / stepSeconds)
  return [now, now - 1, now + 1].find((step) => codeOf(secret, step) === code)
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 without padding. @source RFC 4648 */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The address that authenticator apps read, also as a QR code. */
export const otpauthUri = (person: string, secret: Uint8Array): string =>
  `otpauth://totp/Quipu:${encodeURIComponent(person)}?secret=${base32(secret)}&issuer=Quipu`

/** The audit entry that is written when a second factor takes effect. */
export const factorConfirmed = (person: string, author: AuditAuthor): AuditEntry => ({
  ...author,
  action: 'second_factor.confirm',
  tenantId: null,
  subject: person,
  before: null,
  after: { confirmed_at: author.at.toISOString() },
})

/** The audit entry that is written when an admin removes one. */
export const factorRemoved = (person: string, author: AuditAuthor): AuditEntry => ({
  ...author,
  action: 'second_factor.remove',
  tenantId: null,
  subject: person,
  before: { enrolled: 'true' },
  after: { enrolled: 'false' },
})
