import type { EventPlaces } from '@quipu/core/adapter'
import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { packBody, traceparentOf, unpackBody, withTraceparent } from './packed-body.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (body: Uint8Array): string => new TextDecoder().decode(body)

/** The event of an applied payout, with arbitrary texts. */
const envelope = (name: string, transactionId: string, resolutionId: string | null): string =>
  JSON.stringify({
    id: '01a206a2-eba6-71b9-9ec9-1ee0826707ee',
    type: 'payout.completed',
    event_version: 1,
    occurred_at: '2026-11-23T04:21:10.182Z',
    recorded_at: '2026-11-23T04:21:10.183Z',
    data: {
      id: 'po_01M83A5TX5FQZVX9F551HYFGJS',
      type: 'qr',
      status: 'completed',
      transaction_id: transactionId,
      resolution_id: resolutionId,
      quote: {
        id: '01a206a2-eba6-71b9-9ec9-1ee0826707ef',
        source: { currency: 'USDT', amount: '10.203353' },
        target: { currency: 'BOB', amount: '100.00' },
        rate: '9.8007',
        fee: { currency: 'USDT', amount: '0.000000' },
        expires_at: '2026-11-23T04:22:10.181Z',
      },
      source: { currency: 'USDT', amount: '10.203353' },
      target: { currency: 'BOB', amount: '100.00' },
      qr: { amount_mode: 'closed', merchant: { name, bank_code: '1001' } },
      error: null,
      completed_at: '2026-11-23T04:21:10.182Z',
      created_at: '2026-11-23T04:21:10.181Z',
    },
  })

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('","bank_code":"', '"}},"error":', '\u001f', 'Doña Elvira 💸', ''),
)

test('unpacking restores every byte, and the four places point to the same texts', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.option(anyText), (name, transactionId, resolutionId) => {
      const text = envelope(name, transactionId, resolutionId)
      const at = (member: string): number => bytes(text.slice(0, text.indexOf(member))).length
      const places: EventPlaces = {
        id: at('{"id":"') + 7,
        occurredAt: at('"occurred_at":"') + 15,
        recordedAt: at('"recorded_at":"') + 15,
        settledAt: at('"completed_at":"2') + 16,
      }
      const packed = packBody(bytes(text), places)
      expect(textOf(unpackBody(packed.bytes))).toBe(text)
      const shown = (body: Uint8Array, place: number, size: number): string =>
        textOf(body.subarray(place, place + size))
      for (const [member, size] of [
        ['id', 36],
        ['occurredAt', 24],
        ['recordedAt', 24],
        ['settledAt', 24],
      ] as const)
        expect(shown(packed.bytes, packed.places?.[member] ?? -1, size)).toBe(
          shown(bytes(text), places[member] ?? -1, size),
        )
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
  const text = envelope('Salteñas Doña Elvira', 'order-1', null)
  const at = text.indexOf('2026')
  const places = { id: 7, occurredAt: at, recordedAt: at, settledAt: null }
  for (const body of [bytes(text), bytes(`{"id":"${'x'.repeat(80)}"}`)]) {
    const packed = packBody(body, places)
    const traced = withTraceparent(packed, traceparent)
    expect(traceparentOf(traced.bytes)).toBe(traceparent)
    expect(textOf(unpackBody(traced.bytes))).toBe(textOf(body))
    expect(traced.bytes.length).toBe(packed.bytes.length + 56)
    for (const member of ['id', 'occurredAt', 'recordedAt'] as const)
      expect(traced.bytes[traced.places?.[member] ?? -1]).toBe(
        packed.bytes[packed.places?.[member] ?? -1],
      )
    expect(traced.places?.settledAt).toBeNull()
  }
})

test('an event without a trace, or with another text, is stored as it is', () => {
  const packed = packBody(bytes(envelope('Bench', 'order-1', null)))
  for (const text of [undefined, '', `${traceparent}-more`])
    expect(withTraceparent(packed, text)).toEqual(packed)
  expect(traceparentOf(packed.bytes)).toBeUndefined()
})

test('a packed event has less than half of its bytes', () => {
  const body = bytes(envelope('Salteñas Doña Elvira', 'order-1', null))
  expect(packBody(body).bytes.length).toBeLessThan(body.length * 0.5)
})

test('the template of stored events never changes', () => {
  const { bytes: packed } = packBody(bytes(envelope('Bench', 'order-1', null)))
  expect(createHash('sha256').update(packed).digest('hex')).toMatchInlineSnapshot(
    `"15c2a22ed0d4439c740a8415332ce393665c28673536c602a136550befd57b98"`,
  )
  expect(() => unpackBody(new Uint8Array([9, 65]))).toThrow(
    'template 9, which this release does not have',
  )
})
