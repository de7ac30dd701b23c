import { Unavailable } from '@quipu/core'
import type { HandOverResult, TenantNotice } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'
import type { RecordWork } from '../loop/work-log.ts'
import { noticeLoop } from './notice-loop.ts'

const notice: TenantNotice = {
  id: 'ntc_7',
  type: 'api_key.revoked',
  tenantId: 'ten_1',
  occurredAt: new Date(0),
  recipients: [{ name: 'Eva', email: 'eva@tenant.example' }],
  key: null,
}

test('sends without a pause until nothing is due or an attempt fails, and logs each result', async () => {
  const results: (HandOverResult<TenantNotice> | Error)[] = [
    { type: 'accepted', message: notice },
    { type: 'refused', message: notice },
    { type: 'stale', message: notice },
    { type: 'failed', message: notice, detail: 'no answer', inMs: 30_000 },
    new Unavailable('store', 'gone'),
    new Error('a bug'),
    { type: 'idle' },
  ]
  const lines: string[] = []
  const record: RecordWork = ({ level, result, about, message }) => {
    expect(JSON.stringify(about)).not.toContain('eva')
    expect(about['tenant_id']).toBe(result === 'error' ? undefined : 'ten_1')
    lines.push(`${level} ${message}`)
  }
  const { timer, monotonic, pausesMs, pass } = steppedTimer()
  const loop = noticeLoop({
    timer,
    monotonic,
    record,
    send: async () => {
      const next = results.shift() ?? { type: 'idle' }
      if (next instanceof Error) throw next
      return next
    },
  })
  while (results.length > 0) {
    await turn()
    pass()
  }
  await turn()
  await loop.stop()
  const retrying = 'sending notices to technical contacts failed; retrying in 5 s'
  expect(lines).toEqual([
    'info notice to a technical contact was accepted',
    'warn notice to a technical contact was refused; sending the next one',
    'warn lease of a notice ended; it is sent again with the same id',
    'warn notice to a technical contact was not accepted; retrying in 30 s',
    `warn ${retrying}`,
    `error ${retrying}`,
  ])
  expect(pausesMs.slice(0, 4)).toEqual([2_000, 5_000, 5_000, 2_000])
})
