import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto'

const utf8 = new TextEncoder()

/** Lowercase hex SHA-256 of the bytes; a text is its UTF-8 bytes. */
export const sha256 = (bytes: string | Uint8Array): string => hash('sha256', bytes)

/** Lowercase hex SHA-256 of an earlier digest's bytes and the text's UTF-8 bytes. */
export const chainedSha256 = (previous: string, text: string): string =>
  createHash('sha256').update(previous, 'hex').update(text, 'utf8').digest('hex')

/** Lowercase hex HMAC-SHA256 of the concatenated parts; a text is its UTF-8 bytes. */
export function hmacSha256(key: string | Uint8Array, ...parts: readonly (string | Uint8Array)[]): string {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}

/** HMAC-SHA1, as authenticator apps compute it. */
export const hmacSha1 = (key: Uint8Array, message: Uint8Array): Uint8Array =>
  createHmac('sha1', key).update(message).digest()

/** Whether two digests are equal, compared in constant time. */
export function equalDigests(a: string, b: string): boolean {
  const [one, other] = [utf8.encode(a), utf8.encode(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
