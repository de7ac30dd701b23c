import fc from 'fast-check'
import { Stripe } from 'stripe'
import { describe, expect, test } from 'vitest'
import { signWebhook, verifyWebhook } from './signature.ts'

const at = new Date('2026-03-02T12:00:00.999Z')
const seconds = (count: number): Date => new Date(at.getTime() + count * 1_000)
const anyBody = fc.json().map((text) => new TextEncoder().encode(text))
const anySecret = fc.string({ minLength: 1, unit: 'grapheme' })
const stripe = new Stripe('sk_test_none')

/** Verifies with Stripe’s library, which implements the same scheme. */
const accepts = (body: Uint8Array, header: string, secret: string, now = at): boolean => {
  try {
    const text = Buffer.from(body)
    stripe.webhooks.constructEvent(text, header, secret, 300, undefined, now.getTime())
    return true
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
    throw error
  }
}

/** Stripe’s library takes a secret of ASCII blanks for a missing one, and throws. */
const isBlank = (secret: string): boolean => /^[ \t\r\n\f\v]*$/.test(secret)

describe('spec §6 — the signature header', () => {
  test('is t in unix seconds and one lowercase v1 per secret, newest first, without spaces', () => {
    const body = new TextEncoder().encode('{"a":1}')
    expect(signWebhook(['whsec_b', 'whsec_a'], body, at)).toMatch(/^t=1772452800,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    expect(signWebhook(['whsec_b', 'whsec_a'], body, at)).toBe(
      `${signWebhook(['whsec_b'], body, at)},${signWebhook(['whsec_a'], body, at).split(',')[1]}`,
    )
  })

  test('v1 equals the one of Stripe’s library', () => {
    fc.assert(
      fc.property(anyBody, anySecret, (body, secret) => {
        const header = stripe.webhooks.generateTestHeaderString({
          payload: Buffer.from(body).toString('utf8'),
          secret,
          timestamp: 1_772_452_800,
        })
        expect(signWebhook([secret], body, at)).toBe(header)
      }),
    )
  })

  test('Stripe’s library accepts it with each of the secrets, and with no other', () => {
    const anySecrets = fc.uniqueArray(anySecret, { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(anyBody, anySecrets, (body, [other = '', ...secrets]) => {
        const header = signWebhook(secrets, body, at)
        for (const secret of secrets) {
          expect(verifyWebhook([secret], header, body, at)).toBeNull()
          expect(accepts(body, header, secret)).toBe(!isBlank(secret))
        }
        expect(verifyWebhook([other], header, body, at)).toBe('mismatch')
        expect(verifyWebhook([other, ...secrets], header, body, at)).toBeNull()
        expect(accepts(body, header, other)).toBe(false)
      }),
      // Blanks beyond ASCII are a secret like any other.
      { examples: [[new TextEncoder().encode('{}'), [' ', '\u3000']]] },
    )
  })

  test('one changed bit of the body is a mismatch', () => {
    const anyPlace = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 7 }))
    fc.assert(
      fc.property(anyBody, anySecret, anyPlace, (body, secret, [place, bit]) => {
        const header = signWebhook([secret], body, at)
        const changed = body.with(place % body.length, (body[place % body.length] ?? 0) ^ (1 << bit))
        expect(verifyWebhook([secret], header, changed, at)).toBe('mismatch')
      }),
    )
  })

  test.for([
    [-301, 'stale'],
    [-300, null],
    [0, null],
    [300, null],
    [301, 'stale'],
  ] as const)('a delivery of %i s before now: %s', ([ago, fault]) => {
    const body = new TextEncoder().encode('{}')
    const header = signWebhook(['whsec_a'], body, seconds(-ago))
    expect(verifyWebhook(['whsec_a'], header, body, at)).toBe(fault)
    if (ago > 0) expect(accepts(body, header, 'whsec_a')).toBe(fault === null)
  })

  test.for([
    '',
    't=1772452800',
    `v1=${'0'.repeat(64)}`,
    `t=,v1=${'0'.repeat(64)}`,
    `t=1772452800,t=1772452800,v1=${'0'.repeat(64)}`,
    `t=1e9,v1=${'0'.repeat(64)}`,
    `t=-5,v1=${'0'.repeat(64)}`,
    't=1772452800,v0=abc',
  ])('%j is no signature', (header) => {
    expect(verifyWebhook(['whsec_a'], header, new Uint8Array(), at)).toBe('malformed')
  })

  test('a v1 that is no digest is a mismatch', () => {
    for (const text of ['', 'xyz', '0'.repeat(63), '0'.repeat(65)])
      expect(verifyWebhook(['a'], `t=1772452800,v1=${text}`, new Uint8Array(), at)).toBe('mismatch')
  })

  test.each([[[]], [['']], [['a', '']], [['a', null]]])('the secrets %j are refused', (secrets) => {
    const [body, now] = [new TextEncoder().encode('{}'), new Date('2026-03-02T12:00:00Z')]
    const header = signWebhook([''], body, now)
    expect(() => verifyWebhook(secrets as string[], header, body, now)).toThrow(TypeError)
  })
})
