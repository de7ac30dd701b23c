import { Unavailable } from '@quipu/core'
import type { ComparedNewestPayments } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'
import { newestPaymentsLoop } from './newest-payments-loop.ts'

test('looks every second, logs what it decided, and retries what it could not read', async () => {
  const results: (ComparedNewestPayments | Error)[] = [
    { type: 'idle', compared: 0 },
    new Unavailable('qr_network', 'no statement'),
    { type: 'accepted', compared: 2 },
    { type: 'halted', compared: 3 },
    { type: 'stale', compared: 1 },
    new Error('a bug'),
  ]
  const lines: unknown[] = []
  const write = (level: string) => (_: object, message: string) => void lines.push([level, message])
  const { timer, pausesMs, pass } = steppedTimer()
  const loop = newestPaymentsLoop({
    timer,
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    compare: async () => {
      const next = results.shift() ?? { type: 'idle', compared: 0 }
      if (next instanceof Error) throw next
      return next
    },
  })
  while (results.length > 0) {
    await turn()
    pass()
  }
  await turn()
  pass()
  await loop.stop()
  const failed = 'comparing the network’s newest payments failed; no payment begins until it succeeds; retrying in 5 s'
  expect(lines).toEqual([
    ['warn', failed],
    ['info', 'the network’s newest payments are all here; payments begin'],
    ['error', 'the network has paid what the database lacks; payments are halted'],
    ['error', failed],
  ])
  expect(pausesMs.slice(0, 6)).toEqual([1_000, 5_000, 1_000, 1_000, 1_000, 5_000])
})
