import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { publicOpenApi } from '../document/public.ts'
import { mockClockToJson, parseClockAdvance, parseMockDeposit } from './mock.ts'

describe('advancing a clock', () => {
  test.each([1, 3, 31_536_000])('takes %s seconds', (seconds) => {
    expect(parseClockAdvance({ seconds })).toEqual({ ok: true, value: seconds })
  })

  test.each([0, -1, 0.5, 31_536_001, '3', null])('refuses %j, and says what is allowed', (seconds) => {
    const message = 'must be a whole number from 1 to 31536000'
    expect(parseClockAdvance({ seconds })).toEqual({ ok: false, issues: [{ field: 'seconds', message }] })
  })

  test('refuses a body without seconds, and an unknown member', () => {
    expect(parseClockAdvance({ minutes: 1 })).toMatchObject({
      ok: false,
      issues: [{ field: 'seconds' }, { field: 'minutes' }],
    })
    expect(parseClockAdvance(undefined)).toMatchObject({ ok: false, issues: [{ field: 'body' }] })
  })

  test('shows the clock in milliseconds', () => {
    expect(mockClockToJson(new Date('2026-11-20T15:04:05Z'), 60)).toEqual({
      now: '2026-11-20T15:04:05.000Z',
      offset_seconds: 60,
    })
  })
})

test('a mock deposit takes an amount above zero', () => {
  expect(parseMockDeposit({ amount: '0.000001' })).toEqual({ ok: true, value: usdt(1n) })
  for (const amount of ['0', '-1', '1e3', 25, '1.0000001'])
    expect(parseMockDeposit({ amount })).toMatchObject({ ok: false, issues: [{ field: 'amount' }] })
})

test('the example server’s document names its schemas', () => {
  const namesIn = (isExample: boolean) => Object.keys(publicOpenApi({ isExample }).components?.schemas ?? {})
  const others = new Set(namesIn(false))
  const own = namesIn(true).filter((name) => !others.has(name))
  expect(own.toSorted()).toEqual(['ClockAdvanceRequest', 'MockClock', 'MockDepositRequest'])
})
