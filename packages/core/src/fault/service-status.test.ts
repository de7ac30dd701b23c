import { expect, test } from 'vitest'
import type { FaultCode } from '../alert.ts'
import { Unavailable } from '../unavailable.ts'
import { serviceStatus, type ServiceStatusPorts, statusSeconds } from './service-status.ts'

const at = new Date('2026-11-20T10:00:00.000Z')

function harness(codes: readonly FaultCode[] = [], status: 'open' | 'paused' = 'open') {
  const state = { ms: 0, reads: 0, fails: false }
  const ports: ServiceStatusPorts = {
    findFaults: async () => {
      state.reads++
      if (state.fails) throw new Unavailable('store', 'gone')
      return codes.map((code) => ({ code, subject: 'x', detail: 'an inner detail' }))
    },
    quoting: { get: async () => ({ status, change: null }) },
    now: () => at,
    monotonic: () => state.ms,
  }
  return { state, read: serviceStatus(ports) }
}

const works = { quotes: 'available', payments: 'available', deposits: 'on_time', checkedAt: at }

test.each<[readonly FaultCode[], object]>([
  [[], {}],
  [['PROCESS_MISSING', 'CLOCK_APART'], {}],
  [['RATE_UNAVAILABLE'], { quotes: 'unavailable' }],
  [['PAYOUTS_STOPPED'], { payments: 'unavailable' }],
  [['PAYMENTS_HALTED'], { payments: 'unavailable' }],
  [['PAYMENTS_UNCHECKED'], { payments: 'unavailable' }],
  [['NETWORK_CHANGED'], { quotes: 'unavailable', payments: 'unavailable' }],
  [['SCAN_BEHIND'], { deposits: 'late' }],
  [['DEPOSITS_BEHIND'], { deposits: 'late' }],
])('with the faults %j', async (codes, change) => {
  expect(await harness(codes).read()).toEqual({ ...works, ...change })
})

test('a pause of quoting stops quotes alone', async () => {
  expect(await harness([], 'paused').read()).toEqual({ ...works, quotes: 'unavailable' })
})

test('the store is read once in `statusSeconds`, and again at once after a failure', async () => {
  const { state, read } = harness()
  await Promise.all([read(), read()])
  state.ms = statusSeconds * 1_000 - 1
  await read()
  expect(state.reads).toBe(1)
  state.ms = statusSeconds * 1_000
  state.fails = true
  await expect(read()).rejects.toThrow(Unavailable)
  state.fails = false
  expect(await read()).toEqual(works)
  expect(state.reads).toBe(3)
})
