import { type Alert, Unavailable } from '@quipu/core'
import { auditStart, type LedgerCheck, type LedgerDifference } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { ledgerWatch } from './ledger-watch.ts'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'

const difference = (id: bigint): LedgerDifference => ({
  id,
  tenantId: 'ten_1',
  subject: `wal_${id}`,
  detail: 'off',
})

test('checks slice after slice, alerts each difference once, and tries again after a failure', async () => {
  const checked = [10, 3, new Unavailable('store', 'gone'), 0, 0]
  const found = [difference(1n), difference(4n)]
  const entries: bigint[] = []
  const alerts: Alert[] = []
  const reports: unknown[] = []
  const { timer, monotonic, pausesMs, pass } = steppedTimer(5)
  const check: LedgerCheck = {
    wallets: async () => {
      const next = checked.shift() ?? 0
      if (next instanceof Error) throw next
      return next
    },
    auditLog: async (after) => {
      entries.push(after.id)
      return after === auditStart ? { id: 7n, hash: 'a7' } : null
    },
    credits: async () => [],
    differences: async (after) => found.filter(({ id }) => id > after),
  }
  const watch = ledgerWatch(
    {
      check,
      raiseAlert: (alert) => void alerts.push(alert),
      timer,
      monotonic,
      report: (error) => void reports.push(error),
    },
    { everySeconds: 30 },
  )
  while (checked.length > 0) {
    await turn()
    if (checked.length === 1) found.push(difference(9n))
    pass()
  }
  await turn()
  await watch.stop()
  expect(alerts.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
    'LEDGER_DIFFERENCE wal_1',
    'LEDGER_DIFFERENCE wal_4',
    'LEDGER_DIFFERENCE wal_9',
  ])
  expect(entries.slice(0, 4)).toEqual([0n, 7n, 0n, 7n])
  expect(reports).toHaveLength(1)
  expect(pausesMs.slice(0, 3)).toEqual([45, 1_000, 5_000])
})
