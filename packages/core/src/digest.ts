import { createHmac, hash, timingSafeEqual } from 'node:crypto'

const utf8 = new TextEncoder()

/** Lowercase hex SHA-256 of the text's UTF-8 bytes. */
export const sha256 = (text: string): string => hash('sha256', text)

/** Lowercase hex HMAC-SHA256 of the bytes, or of the text's UTF-8 bytes. */
export const hmacSha256 = (key: Uint8Array, message: string | Uint8Array): string =>
  createHmac('sha256', key).update(message).digest('hex')

/** Whether two digests are the same, in a time that does not tell where they differ. */
export function equalDigests(a: string, b: string): boolean {
  const [one, other] = [utf8.encode(a), utf8.encode(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
