import { bob, Unavailable } from '@quipu/core'
import type { LiquidityReading } from '@quipu/core/operator'
import { prometheusMetrics } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'
import { liquidityGauge, liquidityLoop } from './liquidity-loop.ts'

test('logs once when liquidity falls below the floor, and once when it recovers', async () => {
  const reading = (minor: bigint, isLow: boolean): LiquidityReading => ({ available: bob(minor), isLow })
  const readings = [
    reading(500n, false),
    reading(99n, true),
    new Unavailable('qr_network', 'gone'),
    reading(98n, true),
    reading(100n, false),
    reading(101n, false),
  ]
  const lines: unknown[] = []
  const observed: bigint[] = []
  const write = (fields: object, message: string): void =>
    void lines.push('available_bob' in fields ? `${String(fields.available_bob)}: ${message}` : message)
  const { timer, pausesMs, pass } = steppedTimer()
  const loop = liquidityLoop(
    {
      timer,
      log: { info: write, warn: write },
      observed: ({ minor }) => void observed.push(minor),
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
  expect(observed.slice(0, 4)).toEqual([500n, 99n, 98n, 100n])
  expect(lines).toEqual([
    '0.99: network liquidity is below the floor; top up the account at the network',
    'reading the network’s liquidity failed; retrying in 60 s',
    '1.00: network liquidity is above the floor again',
  ])
  expect(new Set(pausesMs)).toEqual(new Set([60_000]))
})

test('the gauge has no value before the first reading, and then the newest one', async () => {
  const metrics = prometheusMetrics()
  const observed = liquidityGauge(metrics)
  expect(await metrics.text()).not.toMatch(/^quipu_network_liquidity_bob /m)
  observed(bob(50_000_25n))
  observed(bob(5_00n))
  expect(await metrics.text()).toMatch(/^quipu_network_liquidity_bob 5$/m)
})
