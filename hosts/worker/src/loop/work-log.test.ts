import { prometheusMetrics } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { workLog } from './work-log.ts'

test('each unit of work is one line and one observation, by unit and result', async () => {
  const lines: unknown[] = []
  const write =
    (level: string) =>
    (members: object, message?: string): void =>
      void lines.push([level, members, message])
  const levels = { debug: write('debug'), info: write('info'), warn: write('warn') }
  const log = { ...levels, error: write('error') } as never
  const metrics = prometheusMetrics()
  const record = workLog(log, metrics, () => 2_012.345_6)
  expect(await metrics.text()).toContain('quipu_work_duration_seconds_count{unit="deposit",result="error"} 0')
  record({
    unit: 'payout',
    result: 'completed',
    startedAt: 2e3,
    level: 'info',
    about: { tenant_id: 'ten_1', payout_id: 'po_1' },
    message: 'a payout has ended',
  })
  expect(lines).toEqual([
    [
      'info',
      { unit: 'payout', tenant_id: 'ten_1', payout_id: 'po_1', result: 'completed', duration_ms: 12.35 },
      'a payout has ended',
    ],
  ])
  expect(await metrics.text()).toContain(
    'quipu_work_duration_seconds_bucket{le="0.025",unit="payout",result="completed"} 1',
  )
})
