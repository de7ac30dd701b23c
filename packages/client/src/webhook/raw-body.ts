import type { RawBody } from './signature.ts'
import { WebhookVerificationError } from './verify-webhook.ts'

/** The largest event is a few KiB. */
export const webhookBytesMax: number = 1024 * 1024

/**
 * Reads the chunks of a body.
 *
 * @throws WebhookVerificationError when it is larger than any event, without reading it to its end
 */
export async function collected(chunks: AsyncIterable<Uint8Array | string> | never[]): Promise<Uint8Array> {
  const found: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    length += bytes.length
    if (length > webhookBytesMax)
      throw new WebhookVerificationError('unreadable', `its body is larger than ${webhookBytesMax} bytes`)
    found.push(bytes)
  }
  const body = new Uint8Array(length)
  let at = 0
  for (const bytes of found) {
    body.set(bytes, at)
    at += bytes.length
  }
  return body
}

/** Whether a body has not been parsed: its bytes or its text. */
export const isRaw = (body: unknown): body is RawBody => body instanceof Uint8Array || typeof body === 'string'
