import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { fixedRate } from './fixed-rate.ts'

const now = (): Date => new Date('2026-01-01T00:00:00.000Z')

test.each([0n, -1n])('a bid of %s is no rate', async (bid) => {
  await expect(fixedRate({ bid, now, name: 'desk' }).current()).rejects.toThrow(Unavailable)
  await expect(fixedRate({ bid, now, name: 'desk' }).current()).rejects.toThrow(
    'desk: not above zero',
  )
})

test('the smallest bid is one', async () => {
  const reading = { bid: 1n, source: 'fixed', observedAt: now() }
  expect(await fixedRate({ bid: 1n, now }).current()).toEqual(reading)
})
