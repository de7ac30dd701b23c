import type { ClaimedDelivery } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'
import { deliveryLog } from './delivery-log.ts'

const recorded = { type: 'recorded', consecutiveFailures: 0, hasPaused: false } as const
const claimed = (tenantId: string, endpointId: string): ClaimedDelivery =>
  ({ tenantId, attempt: 3, claim: { endpointId, eventId: 'evt_1' } }) as ClaimedDelivery

function opened() {
  const lines: object[] = []
  const write = (level: string) => (about: object) => void lines.push({ level, ...about })
  const { timer, monotonic, pass } = steppedTimer(7)
  const log = { info: write('info'), warn: write('warn') } as never
  return { lines, pass, recent: deliveryLog({ log, timer, monotonic }) }
}

test('writes one line a second while events are delivered, and none otherwise', async () => {
  const { lines, pass, recent } = opened()
  await turn()
  pass()
  await turn()
  expect(lines).toEqual([])
  recent.note(claimed('ten_1', 'we_1'), { ...recorded, error: null })
  recent.note(claimed('ten_1', 'we_2'), { ...recorded, error: null })
  pass()
  await turn()
  expect(lines).toEqual([
    {
      level: 'info',
      unit: 'deliveries',
      tenant_id: 'ten_1',
      result: 'delivered',
      delivered: 2,
      failed: 0,
      duration_ms: expect.any(Number),
    },
  ])
  pass()
  await turn()
  expect(lines).toHaveLength(1)
  await recent.loop.stop()
})

test('a failed attempt has a line with its ids; after a stop each end is written at once', async () => {
  const { lines, recent } = opened()
  await turn()
  await recent.loop.stop()
  recent.note(claimed('ten_1', 'we_1'), { ...recorded, error: 'TIMEOUT' })
  const ids = { tenant_id: 'ten_1', endpoint_id: 'we_1' }
  expect(lines).toMatchObject([
    { level: 'warn', unit: 'delivery', ...ids, event_id: 'evt_1', attempt: 3, result: 'TIMEOUT' },
    { level: 'info', unit: 'deliveries', ...ids, delivered: 0, failed: 1, result: 'failed' },
  ])
})
