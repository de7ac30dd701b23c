import { excerptBytesMax } from '@quipu/core/adapter'

const utf8 = new TextEncoder()

/**
 * The beginning of a response as text that can be stored and shown. Invalid UTF-8, and NUL, which
 * PostgreSQL refuses, become U+FFFD; an incomplete character at the end is left out.
 *
 * @returns at most `excerptBytesMax` in UTF-8; null for an empty response
 */
export function excerptOf(chunks: readonly Uint8Array[]): string | null {
  if (chunks.length === 0) return null
  const decoded = new TextDecoder().decode(Buffer.concat(chunks), { stream: true })
  const text = decoded.replaceAll('\0', '\uFFFD')
  const { read } = utf8.encodeInto(text, new Uint8Array(excerptBytesMax))
  return read === 0 ? null : text.slice(0, read)
}
