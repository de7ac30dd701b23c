import { expect, test } from 'vitest'
import { countingIds } from '../ids.fixture.ts'
import { bob } from '../money.ts'
import { startCall } from './network-call.ts'
import { isAnswered, type NetworkAnswer } from './qr-network.ts'

const at = new Date('2026-11-21T12:00:00.000Z')

/** The record of a call that begins at 1,000 ms and ends at `endMs` of the monotonic clock. */
function callOf(answer: NetworkAnswer, endMs = 1_040) {
  let ms = 1_000
  let now = at
  const ports = { ids: countingIds(), now: () => now, monotonic: () => ms }
  const end = startCall(ports, 'status', { queriedBy: 'operator', actor: 'ana' })
  ms = endMs
  now = new Date(at.getTime() + 40)
  return end(answer)
}

test('a record has its author, the instant of the question and how long the answer took', () => {
  const call = callOf({ type: 'pending' }, 1_039.6)
  expect(call).toEqual({
    id: countingIds().next('nwc', at),
    kind: 'status',
    queriedBy: 'operator',
    actor: 'ana',
    createdAt: at,
    durationMs: 40,
    answer: 'pending',
    detail: null,
  })
})

test('a call takes no negative time', () => {
  expect(callOf({ type: 'pending' }, 999).durationMs).toBe(0)
})

test.each<{ readonly answer: NetworkAnswer; readonly detail: string | null }>([
  { answer: { type: 'paid', amount: bob(12_50n), paymentId: 'np-1' }, detail: 'BOB 12.50, payment np-1' },
  { answer: { type: 'paid', amount: bob(12_50n), paymentId: null }, detail: 'BOB 12.50' },
  { answer: { type: 'paid', amount: null, paymentId: 'np-1' }, detail: 'another currency, payment np-1' },
  { answer: { type: 'unknown', reason: 'timeout' }, detail: 'timeout' },
  { answer: { type: 'not_sent', reason: 'refused' }, detail: 'refused' },
  { answer: { type: 'not_seen' }, detail: null },
  { answer: { type: 'refused_payment' }, detail: null },
])('the detail of $answer.type is $detail', ({ answer, detail }) => {
  expect(callOf(answer)).toMatchObject({ answer: answer.type, detail })
})

test('the detail is at most 500 characters, and cuts none in two', () => {
  const reason = `${'a'.repeat(499)}💸💸`
  expect(callOf({ type: 'unknown', reason }).detail).toBe(`${'a'.repeat(499)}💸`)
})

test('a protocol breach counts as answered, `unknown` does not', () => {
  expect(isAnswered({ type: 'pending' })).toBe(true)
  expect(isAnswered({ type: 'unknown', reason: 'code 99', breach: true })).toBe(true)
  expect(isAnswered({ type: 'unknown', reason: 'timeout' })).toBe(false)
})
