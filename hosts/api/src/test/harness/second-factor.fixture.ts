import { codeOf } from '@quipu/core/operator'
import type { TestApi } from './api.fixture.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Reads the secret of an `otpauth:` URI as an authenticator app does. */
export function secretOf(uri: string): Uint8Array {
  const text = new URL(uri).searchParams.get('secret') ?? ''
  const bits = Array.from(text, (digit) => alphabet.indexOf(digit).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/** The code that the app shows, or a number of steps later. */
export const codeAt = (secret: Uint8Array, { clock }: Pick<TestApi, 'clock'>, steps = 0): string =>
  codeOf(secret, Math.floor(clock.now().getTime() / 30_000) + steps)
