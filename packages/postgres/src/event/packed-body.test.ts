import type { EventPlaces } from '@quipu/core/adapter'
import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { packBody, traceparentOf, unpackBody, withTraceparent } from './packed-body.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (body: Uint8Array): string => new TextDecoder().decode(body)

const id = '01a206a2-eba6-71b9-9ec9-1ee0826707ee'
const settled = '2026-11-23T04:21:10.182Z'

type Variant = {
  readonly name?: string
  readonly transactionId?: string
  readonly resolutionId?: string | null | undefined
  readonly recorded?: string
  readonly created?: string
  readonly isCompleted?: boolean
}

/** The event of an accepted payout, with arbitrary texts. */
function envelope(variant: Variant = {}): string {
  const { name = 'Salteñas Doña Elvira', transactionId = 'order-1', resolutionId = null } = variant
  const { recorded = settled, created = '2026-11-23T04:21:10.181Z', isCompleted = true } = variant
  const source = { currency: 'USDT', amount: '10.203353' }
  const target = { currency: 'BOB', amount: '100.00' }
  const status = isCompleted ? 'completed' : 'failed'
  return JSON.stringify({
    id,
    type: `payout.${status}`,
    event_version: 1,
    occurred_at: settled,
    recorded_at: recorded,
    data: {
      id: 'po_01M83A5TX5FQZVX9F551HYFGJS',
      type: 'qr',
      status,
      transaction_id: transactionId,
      resolution_id: resolutionId,
      quote: {
        id: '01a206a2-eba6-71b9-9ec9-1ee0826707ef',
        source,
        target,
        rate: '9.8007',
        fee: { currency: 'USDT', amount: '0.000000' },
        expires_at: '2026-11-23T04:22:10.181Z',
      },
      source: isCompleted ? source : null,
      target,
      qr: { amount_mode: 'closed', merchant: { name, bank_code: '1001' } },
      error: isCompleted ? null : { code: 'payment_rejected', message: name },
      completed_at: isCompleted ? settled : null,
      created_at: created,
    },
  })
}

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('","bank_code":"', '"}},"error":', '\u001d', '\u001f', 'Doña Elvira 💸', id, ''),
)
const anyInstant = fc.constantFrom(settled, '2026-11-23T04:21:10.183Z')
const anyVariant: fc.Arbitrary<Variant> = fc.record({
  name: anyText,
  transactionId: anyText,
  resolutionId: fc.option(anyText, { nil: undefined }),
  recorded: anyInstant,
  created: anyInstant,
  isCompleted: fc.boolean(),
})

/** The places of an event's id and instants in its bytes. */
function placesIn(text: string): EventPlaces {
  const after = (member: string): number => bytes(text.slice(0, text.indexOf(member))).length + member.length
  return {
    id: after('{"id":"'),
    occurredAt: after('"occurred_at":"'),
    recordedAt: after('"recorded_at":"'),
    settledAt: text.includes('"completed_at":null') ? null : after('"completed_at":"'),
  }
}

/** Writes another id and instant, as the database does when it redates an event. */
function redated(body: Uint8Array, places: EventPlaces | null): Uint8Array {
  const copy = new Uint8Array(body)
  const { id: ofId, ...instants } = places ?? placesIn(textOf(body))
  copy.set(bytes('01a206a2-ffff-71b9-9ec9-1ee0826707ee'), ofId)
  for (const place of Object.values(instants)) if (place !== null) copy.set(bytes('2026-11-23T04:21:11.000Z'), place)
  return copy
}

test('unpacking restores every byte', () => {
  fc.assert(
    fc.property(anyVariant, (variant) => {
      const text = envelope(variant)
      expect(textOf(unpackBody(packBody(bytes(text)).bytes))).toBe(text)
    }),
  )
})

test('redating the packed bytes gives what redating the event gives', () => {
  fc.assert(
    fc.property(anyVariant, (variant) => {
      const body = bytes(envelope(variant))
      const packed = packBody(body, placesIn(textOf(body)))
      expect(textOf(unpackBody(redated(packed.bytes, packed.places)))).toBe(textOf(redated(body, null)))
    }),
  )
})

test('bytes that fit no template are stored unchanged', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect([...packBody(bytes(text)).bytes]).toEqual([...bytes(text)])
      expect([...unpackBody(bytes(text))]).toEqual([...bytes(text)])
    }),
  )
})

const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`

test('a stored trace changes neither the bytes of an event nor what its places point to', () => {
  const text = envelope()
  const at = text.indexOf('2026')
  const places = { id: 7, occurredAt: at, recordedAt: at, settledAt: null }
  for (const body of [bytes(text), bytes(`{"id":"${'x'.repeat(80)}"}`)]) {
    const packed = packBody(body, places)
    const traced = withTraceparent(packed, traceparent)
    expect(traceparentOf(traced.bytes)).toBe(traceparent)
    expect(textOf(unpackBody(traced.bytes))).toBe(textOf(body))
    expect(traced.bytes.length).toBe(packed.bytes.length + 56)
    for (const member of ['id', 'occurredAt', 'recordedAt'] as const)
      expect(traced.bytes[traced.places?.[member] ?? -1]).toBe(packed.bytes[packed.places?.[member] ?? -1])
    expect(traced.places?.settledAt).toBeNull()
  }
})

test('an event without a trace, or with another text, is stored as it is', () => {
  const packed = packBody(bytes(envelope()))
  for (const text of [undefined, '', `${traceparent}-more`]) expect(withTraceparent(packed, text)).toEqual(packed)
  expect(traceparentOf(packed.bytes)).toBeUndefined()
})

test('packed bytes that lost or gained a separator are refused, and no amount moves to another member', () => {
  const body = bytes(envelope())
  for (const packed of [packBody(body), withTraceparent(packBody(body), traceparent)]) {
    const all = [...packed.bytes]
    const first = all.length - packBody(body).bytes.length + 1
    for (let at = first; at < all.length; at++) {
      const isSeparator = all[at] === 0x1f
      const changed = Uint8Array.from(all.with(at, isSeparator ? 0x2c : 0x1f))
      expect(() => unpackBody(changed)).toThrow(/have \d+ values instead of \d+/)
    }
    const shortest = all.slice(0, all.lastIndexOf(0x1f))
    expect(() => unpackBody(Uint8Array.from(shortest))).toThrow('values instead of')
  }
})

test('a packed event has a third of its bytes', () => {
  const body = bytes(envelope())
  expect(packBody(body).bytes.length).toBeLessThan(body.length * 0.34)
})

test('the templates of stored events never change', () => {
  const digests = [true, false].map((isCompleted) => {
    const { bytes: packed } = packBody(bytes(envelope({ isCompleted })))
    return createHash('sha256').update(packed).digest('hex')
  })
  expect(digests).toMatchInlineSnapshot(`
    [
      "29813a9d938a3df9bea0b35a2df0f585092d791095179a1037f93acadc2fa22d",
      "afc3b60431cbd89129022e4f3c768d25f7c5e29491450b5b8af5787da88b48da",
    ]
  `)
  expect(() => unpackBody(new Uint8Array([9, 65]))).toThrow('template 9, which this release does not have')
})
