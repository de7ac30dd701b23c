import { bob, Unavailable } from '@quipu/core'
import type { LiquidityReading } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'
import { liquidityLoop } from './liquidity-loop.ts'

test('logs once when liquidity falls below the floor, and once when it recovers', async () => {
  const reading = (minor: bigint, isLow: boolean): LiquidityReading => ({
    ...{ available: bob(minor), isLow },
  })
  const readings = [
    reading(500n, false),
    reading(99n, true),
    new Unavailable('qr_network', 'gone'),
    reading(98n, true),
    reading(100n, false),
    reading(101n, false),
  ]
  const lines: unknown[] = []
  const write = (fields: object, message: string): void =>
    void lines.push(
      'available_bob' in fields ? `${String(fields.available_bob)}: ${message}` : message,
    )
  const { timer, pausesMs, pass } = steppedTimer()
  const loop = liquidityLoop(
    {
      timer,
      log: { info: write, warn: write },
      check: async () => {
        const next = readings.shift() ?? reading(500n, false)
        if (next instanceof Error) throw next
        return next
      },
    },
    { everySeconds: 60 },
  )
  while (readings.length > 0) {
    await turn()
    pass()
  }
  await loop.stop()
  expect(lines).toEqual([
    '0.99: network liquidity is below the floor; top up the account at the network',
    'reading the network’s liquidity failed; retrying in 60 s',
    '1.00: network liquidity is above the floor again',
  ])
  expect(new Set(pausesMs)).toEqual(new Set([60_000]))
})
