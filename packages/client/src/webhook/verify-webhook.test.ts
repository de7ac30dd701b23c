import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { Stripe } from 'stripe'
import { describe, expect, test } from 'vitest'
import {
  type RawBody,
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
} from '../index.ts'

const now = new Date('2026-03-02T12:00:00.999Z')
const utf8 = new TextEncoder()
const stripe = new Stripe('sk_test_none')

const anyText = fc.string({ unit: 'grapheme' })
const anySecret = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() !== '')
const anyEvent = fc.record({ id: fc.uuid(), type: anyText, data: fc.dictionary(anyText, fc.jsonValue()) })
const anyBody = anyEvent.map((event) => JSON.stringify(event))
const known = { id: 'e1', type: 'webhook.test', data: { webhook_id: 'we_1' } }
const body = JSON.stringify(known)

const signed = async (text: RawBody, secret: string, at = now): Promise<Record<string, string>> =>
  signWebhook({ id: 'e1', body: text }, secret, { at })

/** Undefined when the webhook is verified. */
async function faultOf(
  text: RawBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookFault | undefined> {
  try {
    await verifyWebhook(text, headers, secrets, { now, ...options })
    return undefined
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason
    throw error
  }
}

/** The result of a stock verifier of the scheme. */
function stockAccepts(text: string, header: string, secret: string): boolean {
  try {
    stripe.webhooks.constructEvent(text, header, secret, 300, undefined, now.getTime())
    return true
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
    throw error
  }
}

describe('spec §6 — a delivery is verified', () => {
  test('the signature equals that of the scheme’s own library', async () => {
    const timestamp = Math.floor(now.getTime() / 1_000)
    await fc.assert(
      fc.asyncProperty(anyBody, anySecret, async (payload, secret) => {
        const { 'X-Service-Signature': header } = await signed(payload, secret)
        expect(header).toBe(stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }))
      }),
    )
  })

  test('verifies and returns an event that the scheme’s own library signed', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, anySecret, async (payload, secret) => {
        const timestamp = Math.floor(now.getTime() / 1_000)
        const header = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
        const headers = { 'x-service-signature': header }
        expect(await verifyWebhook(payload, headers, secret, { now })).toEqual(JSON.parse(payload))
      }),
    )
  })

  test('verifies exactly the headers that the scheme’s own library verifies', async () => {
    const anySeconds = fc.oneof(fc.integer({ min: 0, max: 301 }), fc.constantFrom(299, 300, 301))
    const anyOther = fc.oneof(fc.constant(undefined), anySecret)
    await fc.assert(
      fc.asyncProperty(anyBody, anySecret, anyOther, anySeconds, async (text, secret, other, ago) => {
        const at = new Date(now.getTime() - ago * 1_000)
        const headers = await signed(text, secret, at)
        const wanted = stockAccepts(text, headers['X-Service-Signature'] ?? '', other ?? secret)
        expect((await faultOf(text, headers, other ?? secret)) === undefined).toBe(wanted)
      }),
    )
  })

  test('verifies when any secret matches any signature, and only then', async () => {
    const anySecrets = fc.uniqueArray(anySecret, { minLength: 3, maxLength: 7 })
    await fc.assert(
      fc.asyncProperty(anyBody, anySecrets, async (text, [foreign = '', shared = '', ...rest]) => {
        const each = await Promise.all([...rest, shared].map(async (one) => signed(text, one)))
        const digests = each.map((headers) => headers['X-Service-Signature']?.split(',')[1])
        const t = each[0]?.['X-Service-Signature']?.split(',')[0]
        const headers = { 'X-Service-Signature': [t, ...digests].join() }
        expect(await faultOf(text, headers, [foreign, shared])).toBeUndefined()
        expect(await faultOf(text, headers, [foreign])).toBe('mismatch')
      }),
    )
  })

  test('refuses a body with one changed bit', async () => {
    const anyPlace = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 7 }))
    await fc.assert(
      fc.asyncProperty(anyBody, anySecret, anyPlace, async (text, secret, [place, bit]) => {
        const bytes = utf8.encode(text)
        const at = place % bytes.length
        const changed = bytes.with(at, (bytes[at] ?? 0) ^ (1 << bit))
        expect(await faultOf(changed, await signed(text, secret), secret)).toBe('mismatch')
      }),
    )
  })

  test('refuses a signature with one changed digit, or with another time', async () => {
    const { 'X-Service-Signature': header = '' } = await signed(body, 's')
    for (let place = 0; place < header.length; place++) {
      const digit = header[place] === '0' ? '1' : '0'
      const changed = header.slice(0, place) + digit + header.slice(place + 1)
      expect(await faultOf(body, { 'X-Service-Signature': changed }, 's')).toBeDefined()
    }
  })

  test('text, bytes, a part of a buffer and an ArrayBuffer are the same body', async () => {
    const headers = await signed(body, 's')
    const bytes = utf8.encode(body)
    const inside = utf8.encode(`xx${body}xx`).subarray(2, -2)
    for (const same of [body, bytes, Buffer.from(body), inside, bytes.buffer]) {
      expect(await verifyWebhook(same, headers, 's', { now })).toEqual(known)
    }
  })

  test('reads headers of any kind and case', async () => {
    const { 'X-Service-Signature': value = '' } = await signed(body, 's')
    const kinds: WebhookHeaders[] = [
      { 'x-service-signature': value },
      { 'X-SERVICE-SIGNATURE': [value] },
      new Headers({ 'X-Service-Signature': value }),
    ]
    for (const headers of kinds) expect(await faultOf(body, headers, 's')).toBeUndefined()
  })

  test('uses the given header prefix', async () => {
    const at = now
    const headers = await signWebhook({ id: 'e1', body }, 's', { at, headerPrefix: 'X-Acme-' })
    expect(Object.keys(headers)).toEqual(['Content-Type', 'X-Acme-Signature', 'X-Acme-Event-Id'])
    expect(await faultOf(body, headers, 's', { headerPrefix: 'X-Acme-' })).toBeUndefined()
    expect(await faultOf(body, headers, 's')).toBe('missing')
  })

  test.each([
    [-301, 'stale'],
    [-300, undefined],
    [0, undefined],
    [300, undefined],
    [301, 'stale'],
  ])('a delivery of %i s before now: %s', async (ago, fault) => {
    const headers = await signed(body, 's', new Date(now.getTime() - ago * 1_000))
    expect(await faultOf(body, headers, 's')).toBe(fault)
    expect(await faultOf(body, headers, 's', { toleranceSeconds: 301 })).toBeUndefined()
    expect(await faultOf(body, headers, 's', { toleranceSeconds: Number.NaN })).toBe('stale')
  })

  test.each([
    '',
    't=1772452800',
    `v1=${'0'.repeat(64)}`,
    `t=,v1=${'0'.repeat(64)}`,
    `t=1772452800,t=1772452800,v1=${'0'.repeat(64)}`,
    `t=1e9,v1=${'0'.repeat(64)}`,
    `t=-5,v1=${'0'.repeat(64)}`,
    't=1772452800,v0=abc',
    `t=1772452800${',v1=00'.repeat(17)}`,
  ])('refuses the header %j', async (header) => {
    expect(await faultOf(body, { 'X-Service-Signature': header }, 's')).toBe('malformed')
  })

  test('a header has up to 16 signatures', async () => {
    const headers = { 'X-Service-Signature': `t=1772452800${`,v1=${'0'.repeat(64)}`.repeat(16)}` }
    expect(await faultOf(body, headers, 's')).toBe('mismatch')
  })

  test('a malformed digest matches nothing', async () => {
    for (const text of ['', 'xyz', '0'.repeat(63), '0'.repeat(65), 'G'.repeat(64)]) {
      const headers = { 'X-Service-Signature': `t=1772452800,v1=${text}` }
      expect(await faultOf(body, headers, 's')).toBe('mismatch')
    }
  })

  test.each(['', '{', 'null', '"text"', '{}', '{"id":1,"type":"a","data":{}}', '{"id":"a","type":"b"}'])(
    'refuses the correctly signed body %j',
    async (text) => {
      expect(await faultOf(text, await signed(text, 's'), 's')).toBe('unreadable')
    },
  )

  test.each<[string, number, string, VerifyOptions, string]>([
    [
      's',
      0,
      's',
      { headerPrefix: 'X-Acme-' },
      "(missing): it has no header X-Acme-Signature. Did the service send it, and is headerPrefix the operator's?",
    ],
    ['s', 400, 's', {}, "(stale): it was signed 400 s ago, allowed are 300 s. Is this machine's clock right?"],
    ['s', -61, 's', { toleranceSeconds: 60 }, '(stale): it was signed 61 s in the future, allowed are 60 s.'],
    [
      'other',
      0,
      's',
      {},
      '(mismatch): no signature in X-Service-Signature was made with the secret. Is the body raw, as it arrived, and the secret that of this endpoint?',
    ],
  ])(
    'the error of a body signed with %s, %i s ago, says what was expected',
    async (secret, ago, known, options, text) => {
      const headers = await signed(body, secret, new Date(now.getTime() - ago * 1_000))
      await expect(verifyWebhook(body, headers, known, { now, ...options })).rejects.toThrow(text)
    },
  )

  test('the error of a malformed header, and of a body without an event, says what was expected', async () => {
    await expect(verifyWebhook(body, { 'X-Service-Signature': 'sha256=1' }, 's')).rejects.toThrow(
      '(malformed): its X-Service-Signature is not t=<unix seconds>,v1=<64 hex digits>',
    )
    await expect(verifyWebhook('[]', await signed('[]', 's'), ['s', 't'], { now })).rejects.toThrow(
      '(unreadable): its body is not JSON with id, type and data',
    )
  })

  const t = Math.floor(now.getTime() / 1_000)
  test.each<[string, unknown, string]>([
    ['no secret', [], 'none'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['an empty text', '', ''],
    ['a blank', ' ', ' '],
    ['an empty element', ['s', ''], ''],
    ['a blank element', 'whsec_a, '.split(','), ' '],
    ['null beside a secret', ['s', null], 'null'],
    ['a number beside a secret', ['s', 5], '5'],
    ['an object beside a secret', [{}, 's'], '[object Object]'],
    ['bytes', [new Uint8Array(2)], '0,0'],
    ['a list in a list', [['s']], 's'],
  ])('throws for %s, though a body is signed with its text', async (_, secrets, key) => {
    const digest = createHmac('sha256', key).update(`${t}.${body}`).digest('hex')
    const headers = { 'X-Service-Signature': `t=${t},v1=${digest}` }
    const given = secrets as readonly string[]
    await expect(verifyWebhook(body, headers, given, { now })).rejects.toThrow(TypeError)
    await expect(verifyWebhook(body, {}, given, { now })).rejects.toThrow(TypeError)
  })

  test.each(['', ' ', null])('signs nothing with the secret %j', async (secret) => {
    await expect(signed(body, secret as string)).rejects.toThrow(TypeError)
  })

  test('the type of an event decides its data', async () => {
    const event = await verifyWebhook(body, await signed(body, 's'), 's', { now })
    if (event.type === 'payout.failed') event.data.error?.code satisfies string | undefined
    if (event.type === 'deposit.credited') event.data.tx_hash satisfies string
    // @ts-expect-error a test event is about no payout
    if (event.type === 'webhook.test') event.data.error satisfies unknown
    expect(event.type === 'webhook.test' && event.data.webhook_id).toBe('we_1')
  })
})
