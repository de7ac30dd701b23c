import { constants, createPrivateKey, createPublicKey, privateEncrypt, publicDecrypt, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { SandboxKey } from './sandbox-key.ts'
import { scenarios, type Scenario } from './scenario.ts'

/** The data of a QR. `amount` is in centavos; null for an open QR. */
export type QrCode = {
  readonly amount: bigint | null
  readonly currency: 'BOB' | 'USD'
  readonly merchant: { readonly name: string; readonly bankCode: string }
  readonly description: string | null
  /** Milliseconds since the epoch, in whole seconds. */
  readonly expiresAt: number
  readonly scenario: Scenario
}

/** Encodes and decodes QR contents. */
export type QrCodec = {
  /** 377 characters: `base64(RSA block)|serial`. Contents of equal codes differ. */
  encode(code: QrCode): string
  /** @returns null if the content is not of this network */
  decode(content: string): QrCode | null
}

/**
 * The format of a Bolivian interoperable QR: the bank encrypts the data with its private key, and
 * readers decrypt it with its certificate. So a content is authentic but not secret.
 *
 * assumed: the plaintext layout, as that of the real network is not published.
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
      const [base64, contentSerial] = split(content)
      if (contentSerial !== serial || !base64Block.test(base64)) return null
      try {
        const plain = publicDecrypt(decrypting, Buffer.from(base64, 'base64')).toString('utf8')
        return codeOf(Payload.parse(JSON.parse(plain)))
      } catch {
        return null // A block of another key, or other bytes.
      }
    },
  }
}

/** 256 bytes: 342 digits and `==`; the last digit has four unused bits, which must be zero. */
const base64Block = /^[A-Za-z0-9+/]{341}[AQgw]==$/

function split(content: string): [string, string] {
  const bar = content.lastIndexOf('|')
  return [content.slice(0, bar), content.slice(bar + 1)]
}

/**
 * The RSA block has room for 245 bytes, hence the short names. Name and description are in base64,
 * because JSON can encode one byte as six (`\u0001`); so 40 and 60 bytes always fit.
 */
const Payload = z.strictObject({
  /** Makes each content unique, because the padding is not random. */
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
