import { constants, generateKeyPairSync, privateEncrypt, publicDecrypt } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { issueQr } from './issue-qr.ts'
import { qrCodec, type QrCodec } from './qr-code.ts'
import { sandboxKey, type SandboxKey } from './sandbox-key.ts'
import { scenarios } from './scenario.ts'

let key: SandboxKey
let codec: QrCodec
beforeAll(async () => {
  key = await sandboxKey(undefined)
  codec = qrCodec(key)
})

/** Text of at most `bytesMax` bytes of UTF-8, with accents, emoji, quotes and control characters. */
const text = (bytesMax: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom('"', '\\', '\n', '\u0001', '|', 'ñ', 'á', '漢', '😀'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
      { minLength: 1, maxLength: bytesMax },
    )
    .map((units) => {
      let fitted = ''
      for (const unit of units) if (Buffer.byteLength(fitted + unit) <= bytesMax) fitted += unit
      return fitted
    })
    .filter((fitted) => fitted !== '')

const requests = fc.record(
  {
    amount: fc
      .bigInt({ min: 1n, max: 99_999_999_999_999n })
      .map((minor) => `${minor / 100n}.${(minor % 100n).toString().padStart(2, '0')}`),
    merchant_name: text(40),
    description: text(60),
    scenario: fc.constantFrom(...scenarios),
  },
  { requiredKeys: [] },
)

const bankCodes: Readonly<Record<string, string>> = { lost_answer: '9001', short_quote: '9002' }

test('every merchant and description fits and can be decoded', () => {
  fc.assert(
    fc.property(requests, fc.integer({ min: 0, max: 4e12 }), (request, now) => {
      const amount_mode = request.amount === undefined ? 'open' : 'closed'
      const issued = issueQr(codec, { amount_mode, ...request }, now)

      expect(issued.content).toMatch(/^[A-Za-z0-9+/]{342}==\|5A0D[0-9A-F]{28}$/)
      expect(issued.content).toHaveLength(377)
      const code = codec.decode(issued.content)
      expect(code).toMatchObject({
        merchant: {
          name: request.merchant_name ?? 'Comercio de Prueba',
          bankCode: bankCodes[request.scenario ?? ''] ?? '1016',
        },
        description: request.description ?? null,
        scenario: request.scenario ?? 'paid',
        currency: request.scenario === 'usd' ? 'USD' : 'BOB',
      })
      expect(code && new Date(code.expiresAt).toISOString()).toBe(issued.expires_at)
      expect(issued.amount).toBe(request.amount ?? null)
    }),
  )
})

test.each(['"', '\u0001', '\\'])('the longest QR, all %j, is under 245 bytes', (c) => {
  const longest = { merchant_name: c.repeat(40), description: c.repeat(60) }
  for (const scenario of scenarios) {
    const request = { amount_mode: 'closed', amount: '999999999999.99', scenario, ...longest }
    const { content } = issueQr(codec, request, Date.parse('9999-12-30T00:00:00Z'))
    const block = Buffer.from(content.split('|')[0] ?? '', 'base64')
    const padding = constants.RSA_PKCS1_PADDING
    expect(publicDecrypt({ key: key.publicKey, padding }, block).length).toBeLessThanOrEqual(245)
  }
})

test('a content of another key with the same serial is not decoded', () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const forged = privateEncrypt(other.privateKey, Buffer.from('{"a":"0"}')).toString('base64')
  expect(codec.decode(`${forged}|${key.serial}`)).toBeNull()
})

test('a block of the same key that is no QR is not decoded', () => {
  const block = privateEncrypt(key.privateKey, Buffer.from('{"a":"0"}')).toString('base64')
  expect(codec.decode(`${block}|${key.serial}`)).toBeNull()
})

test('decoding never throws', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 500 }), (content) => {
      expect(codec.decode(content)).toBeNull()
    }),
  )
})
