import type { Alert } from '@quipu/core'
import { expect, test } from 'vitest'
import { alertUnreadable } from './alert-unreadable.ts'

test('a row that cannot be read is alerted once, and another one too', () => {
  const alerts: Alert[] = []
  const report = alertUnreadable((alert) => void alerts.push(alert))
  const row = { kind: 'payout', tenantId: 'ten_1', id: 'po_1', error: new Error('no quote') }
  for (const each of [row, row, { ...row, id: 'po_2', error: 'odd' }, row]) report(each)
  const about = { code: 'ROW_UNREADABLE', tenantId: 'ten_1' }
  expect(alerts).toEqual([
    { ...about, subject: 'po_1', detail: 'the payout cannot be read: no quote' },
    { ...about, subject: 'po_2', detail: 'the payout cannot be read: odd' },
  ])
})
