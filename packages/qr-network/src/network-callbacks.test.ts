import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callbackToleranceSeconds, networkCallbacks } from './network-callbacks.ts'

const secret = 'callback secret'
const { verify } = networkCallbacks({ secret })
const now = new Date('2026-01-01T00:00:00.000Z')
const seconds = now.getTime() / 1000
const body = Buffer.from(
  JSON.stringify({ event_id: 'e1', reference: 'po_1', outcome: 'paid', occurred_at: '2026-01-01T00:00:00.000Z' }),
)

const sign = (time: number | string, bytes: Uint8Array = body, key = secret): string =>
  `t=${time},v1=${createHmac('sha256', key).update(`${time}.`).update(bytes).digest('hex')}`

test('a signed callback returns its reference', () => {
  expect(verify(sign(seconds), body, now)).toEqual({ reference: 'po_1' })
})

test.each([
  [-callbackToleranceSeconds - 1, false],
  [-callbackToleranceSeconds, true],
  [callbackToleranceSeconds, true],
  [callbackToleranceSeconds + 1, false],
])('a time %i s from ours is taken: %s', (offset, taken) => {
  expect(verify(sign(seconds + offset), body, now) !== undefined).toBe(taken)
})

test('the security document repeats the tolerance', () => {
  const document = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8')
  expect(document).toContain(`not older than ${callbackToleranceSeconds} s`)
})

test('the tolerance can be set', () => {
  const strict = networkCallbacks({ secret, toleranceSeconds: 1 })
  expect(strict.verify(sign(seconds - 1), body, now)).toEqual({ reference: 'po_1' })
  expect(strict.verify(sign(seconds - 2), body, now)).toBeUndefined()
})

const [time, signature] = sign(seconds).split(',')
test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['no time', signature],
  ['no signature', time],
  ['the wrong order', `${signature},${time}`],
  ['a blank', `${time}, ${signature}`],
  ['something after', `${sign(seconds)},v1=00`],
  ['a line break after', `${sign(seconds)}\n`],
  ['something before', `v0=00,${sign(seconds)}`],
  ['upper case', `${time},${signature?.toUpperCase()}`],
  ['a short signature', sign(seconds).slice(0, -2)],
  ['an empty signature', `${time},v1=`],
  ['milliseconds', sign(now.getTime())],
  ['a leading zero', sign(`0${seconds}`)],
  ['a fraction', sign(`${seconds}.0`)],
  ['an exponent', sign('1e9')],
  ['a sign', sign(`+${seconds}`)],
  ['another secret', sign(seconds, body, 'another')],
  ['another body', sign(seconds, Buffer.from('{}'))],
  ['the time of another signature', `t=${seconds + 1},${signature}`],
])('%s is refused', (_name, header) => {
  expect(verify(header, body, now)).toBeUndefined()
})

test.each([
  ['no JSON', 'po_1'],
  ['no object', '"po_1"'],
  ['no reference', '{"event_id":"e1"}'],
  ['a reference that is a number', '{"reference":1}'],
  ['an empty reference', '{"reference":""}'],
  ['a reference of 33 characters', `{"reference":"${'x'.repeat(33)}"}`],
  ['a reference with other characters', '{"reference":"po/../1"}'],
])('a body with %s is refused, however well it is signed', (_name, text) => {
  const bytes = Buffer.from(text)
  expect(verify(sign(seconds, bytes), bytes, now)).toBeUndefined()
})

test('any changed byte invalidates the signature', () => {
  fc.assert(
    fc.property(fc.nat({ max: body.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(body)
      changed[at] = (changed[at] ?? 0) ^ flip
      expect(verify(sign(seconds), changed, now)).toBeUndefined()
    }),
  )
})

test('an invalid header never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (header) => {
      expect(verify(header, body, now)).toBeUndefined()
    }),
  )
})

test('an empty secret throws', () => {
  expect(() => networkCallbacks({ secret: '' })).toThrow('secret')
})
