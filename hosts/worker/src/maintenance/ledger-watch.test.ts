import { Unavailable } from '@quipu/core'
import { auditStart, type LedgerCheck } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { ledgerWatch } from './ledger-watch.ts'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'

test('checks slice after slice, and tries again after a failure', async () => {
  const checked = [100, 3, new Unavailable('store', 'gone'), 0, 0]
  const entries: bigint[] = []
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
  }
  const report = (error: unknown) => void reports.push(error)
  const watch = ledgerWatch({ check, timer, monotonic, report }, { everySeconds: 30 })
  while (checked.length > 0) {
    await turn()
    pass()
  }
  await turn()
  await watch.stop()
  expect(entries.slice(0, 4)).toEqual([0n, 7n, 0n, 7n])
  expect(reports).toHaveLength(1)
  expect(pausesMs.slice(0, 3)).toEqual([45, 1_000, 5_000])
})
