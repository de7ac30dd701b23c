import { Unavailable, rate } from '@quipu/core'
import { expect, test } from 'vitest'
import { fixedRate } from './fixed-rate.ts'

const now = (): Date => new Date('2026-01-01T00:00:00.000Z')

test.each([0n, -1n])('a bid of %s is Unavailable', async (tenThousandths) => {
  const bid = rate(tenThousandths)
  await expect(fixedRate({ bid, now, name: 'broker' }).current()).rejects.toThrow(Unavailable)
  await expect(fixedRate({ bid, now, name: 'broker' }).current()).rejects.toThrow('broker: not above zero')
})

test('a bid of 1 is the smallest', async () => {
  const reading = { bid: rate(1n), source: 'fixed', observedAt: now() }
  expect(await fixedRate({ bid: rate(1n), now }).current()).toEqual(reading)
})
