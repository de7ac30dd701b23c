import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { publicOpenApi } from '../document/public.ts'
import { parseClockAdvance, parseMockDeposit } from './mock.ts'

describe('advancing a clock', () => {
  test.each([1, 3, 31_536_000])('takes %s seconds', (seconds) => {
    expect(parseClockAdvance({ seconds })).toEqual({ ok: true, value: seconds })
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
