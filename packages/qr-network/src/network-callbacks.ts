import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** Largest difference between a signature's time and `now`, unless an option says another. */
export const callbackToleranceSeconds = 300

/** The secret of callbacks, and how old a signature may be. */
export type NetworkCallbacksOptions = { readonly secret: string; readonly toleranceSeconds?: number }

/** Verifies the callbacks of the QR network. A callback is only a hint to read the status. */
export type NetworkCallbacks = {
  /**
   * @param header  the value of `X-Network-Signature`
   * @param body  the unchanged bytes
   * @returns undefined if the signature is invalid or too old
   */
  verify(header: string | undefined, body: Uint8Array, now: Date): { readonly reference: string } | undefined
}

/**
 * Verifies callbacks of the network by their signature.
 *
 * @throws Error when the secret is empty
 */
export function networkCallbacks(options: NetworkCallbacksOptions): NetworkCallbacks {
  const { secret, toleranceSeconds = callbackToleranceSeconds } = options
  if (secret === '') throw new Error('The callback secret is empty.')
  return {
    verify(header, body, now) {
      const [, time, signature] = signatureHeader.exec(header ?? '') ?? []
      if (time === undefined || signature === undefined) return undefined
      const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
      if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return undefined
      const ageMs = now.getTime() - Number(time) * 1000
      return Math.abs(ageMs) <= toleranceSeconds * 1000 ? callbackOf(body) : undefined
    },
  }
}

/** `t=<unix seconds>,v1=<hex hmac-sha256 of "t.body">`. A time in milliseconds has too many digits. */
const signatureHeader = /^t=([1-9]\d{0,10}),v1=([0-9a-f]{64})$/

const Callback = z.object({ reference: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/) })

function callbackOf(body: Uint8Array): { readonly reference: string } | undefined {
  try {
    return Callback.safeParse(JSON.parse(Buffer.from(body).toString('utf8'))).data
  } catch {
    return undefined
  }
}
