import { constants, createPrivateKey, createPublicKey } from 'node:crypto'
import { privateEncrypt, publicDecrypt, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { SandboxKey } from './sandbox-key.ts'
import { scenarios, type Scenario } from './scenario.ts'

/** What a QR of this network says. `amount` is in centavos; null leaves it to the payer. */
export type QrCode = {
  readonly amount: bigint | null
  readonly currency: 'BOB' | 'USD'
  readonly merchant: { readonly name: string; readonly bankCode: string }
  readonly description: string | null
  /** Milliseconds since the epoch, in whole seconds. */
  readonly expiresAt: number
  readonly scenario: Scenario
}

/** Turns QR codes into contents and back. */
export type QrCodec = {
  /** 377 characters: `base64(RSA block)|serial`. Two contents of equal codes differ. */
  encode(code: QrCode): string
  /** What the content says, or null when it is not one of this network's. */
  decode(content: string): QrCode | null
}

/**
 * The shape of a Bolivian interoperable QR: the bank encrypts the data with its private key and
 * readers recover it with its certificate, so a content is authentic but not secret.
 *
 * assumed: the plaintext layout of the real network is unpublished, and this one is our own.
 */
export function qrCodec({ privateKey, publicKey, serial }: SandboxKey): QrCodec {
  const padding = constants.RSA_PKCS1_PADDING
  const encrypting = { key: createPrivateKey(privateKey), padding }
  const decrypting = { key: createPublicKey(publicKey), padding }
  return {
    encode(code) {
      const block = privateEncrypt(encrypting, Buffer.from(JSON.stringify(payloadOf(code))))
      return `${block.toString('base64')}|${serial}`
    },
    decode(content) {
      const [base64, given] = split(content)
      if (given !== serial || !base64Block.test(base64)) return null
      try {
        const plain = publicDecrypt(decrypting, Buffer.from(base64, 'base64')).toString('utf8')
        return codeOf(Payload.parse(JSON.parse(plain)))
      } catch {
        return null // Another key's block, or bytes that were never ours.
      }
    },
  }
}

/** 256 bytes: 342 digits, the last of which carries two bits that must be nothing, and `==`. */
const base64Block = /^[A-Za-z0-9+/]{341}[AQgw]==$/

function split(content: string): [string, string] {
  const bar = content.lastIndexOf('|')
  return [content.slice(0, bar), content.slice(bar + 1)]
}

/**
 * At most 245 bytes fit the RSA block, hence the short names. Name and description travel in
 * base64 because JSON may write one byte of text as six (`\u0001`): so 40 and 60 bytes always fit.
 */
const Payload = z.strictObject({
  /** Makes each content its own: the padding is not random. */
  i: z.string(),
  a: z.string().regex(/^\d+$/),
  c: z.literal('USD').optional(),
  b: z.string(),
  n: z.string(),
  d: z.string().optional(),
  x: z.int(),
  s: z.enum(scenarios),
})
type Payload = z.infer<typeof Payload>

const payloadOf = (code: QrCode): Payload => ({
  i: randomBytes(6).toString('base64url'),
  a: (code.amount ?? 0n).toString(),
  ...(code.currency === 'USD' && { c: code.currency }),
  b: code.merchant.bankCode,
  n: Buffer.from(code.merchant.name).toString('base64url'),
  ...(code.description !== null && { d: Buffer.from(code.description).toString('base64url') }),
  x: Math.floor(code.expiresAt / 1000),
  s: code.scenario,
})

const codeOf = ({ a, b, c, d, n, s, x }: Payload): QrCode => ({
  amount: a === '0' ? null : BigInt(a),
  currency: c ?? 'BOB',
  merchant: { name: Buffer.from(n, 'base64url').toString(), bankCode: b },
  description: d === undefined ? null : Buffer.from(d, 'base64url').toString(),
  expiresAt: x * 1000,
  scenario: s,
})
