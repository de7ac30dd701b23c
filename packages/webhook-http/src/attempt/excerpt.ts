import { excerptBytesMax } from '@quipu/core'

const utf8 = new TextEncoder()

/**
 * The beginning of an answer as text that can be stored and shown. What is not UTF-8, and NUL, which
 * databases refuse, become U+FFFD; a character that was cut in two at the end is left out.
 *
 * @returns at most 1 KiB in UTF-8; null when nothing is left
 */
export function excerptOf(chunks: readonly Uint8Array[]): string | null {
  if (chunks.length === 0) return null
  const decoded = new TextDecoder().decode(Buffer.concat(chunks), { stream: true })
  const text = decoded.replaceAll('\0', '\uFFFD')
  const { read } = utf8.encodeInto(text, new Uint8Array(excerptBytesMax))
  return read === 0 ? null : text.slice(0, read)
}
