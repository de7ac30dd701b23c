import { type Alert, type Timer, Unavailable } from '@quipu/core'
import type { Fault } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { faultWatch } from './fault-watch.ts'

test('alerts each fault once, leaves clocks to their processes, and keeps what it knows in an outage', async () => {
  const gone: Fault = { code: 'PROCESS_MISSING', subject: 'prc_1', detail: 'gone' }
  const clock: Fault = { code: 'CLOCK_APART', subject: 'prc_2', detail: '61 s' }
  const polls: (readonly Fault[] | Error)[] = [
    [gone, clock],
    new Unavailable('store', 'gone'),
    [gone],
    new Error('a bug'),
    [],
  ]
  const [alerts, ends, errors]: [Alert[], unknown[], unknown[]] = [[], [], []]
  const seen: (readonly string[])[] = []
  const pauses: (() => void)[] = []
  const timer: Timer = () => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    pauses.push(resolve)
    return { done, cancel: () => undefined }
  }
  const watch = faultWatch(
    {
      findFaults: async () => {
        const next = polls.shift() ?? []
        if (next instanceof Error) throw next
        return next
      },
      see: async (faults) => void seen.push(faults.map(({ code }) => code)),
      raiseAlert: (alert) => void alerts.push(alert),
      log: {
        info: (...line: unknown[]) => void ends.push(line[0]),
        error: (...line: unknown[]) => void errors.push(line[0]),
      },
      timer,
      monotonic: () => 0,
    },
    {},
  )
  while (polls.length > 0) {
    await new Promise((resolve) => setImmediate(resolve))
    pauses.splice(0).forEach((end) => end())
  }
  await new Promise((resolve) => setImmediate(resolve))
  await watch.stop()
  expect(alerts).toEqual([{ ...gone, tenantId: null }])
  expect(ends).toEqual([{ fault: 'PROCESS_MISSING', subject: 'prc_1', seconds: 0 }])
  expect(errors).toHaveLength(1)
  expect(seen.slice(0, 3)).toEqual([['PROCESS_MISSING'], ['PROCESS_MISSING'], []])
})
