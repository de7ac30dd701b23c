import { Unavailable } from '@quipu/core'
import { auditStart, type LedgerCheck } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { ledgerWatch, restPerWork } from './ledger-watch.ts'
import type { RecordWork } from '../loop/work-log.ts'
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
    ages: async () => ({ uncheckedSeconds: 1, unrecheckedSeconds: 3_600 }),
    credits: async () => [],
  }
  let wallets = 0
  const countWallets = (count: number) => void (wallets += count)
  const record: RecordWork = ({ result, level }) => void reports.push(`${level} ${result}`)
  const ports = { check, timer, monotonic, record, countWallets }
  const watch = ledgerWatch(ports, { everySeconds: 30 })
  while (checked.length > 0) {
    await turn()
    pass()
  }
  await turn()
  await watch.stop()
  expect(entries.slice(0, 4)).toEqual([0n, 7n, 0n, 7n])
  expect(reports.slice(0, 4)).toEqual(['debug done', 'debug done', 'error error', 'debug done'])
  expect(wallets).toBe(103)
  expect(pausesMs.slice(0, 3)).toEqual([45, 1_000, 5_000])
})

test('halves a slice that fails, down to two wallets, and doubles it again', async () => {
  const asked: (readonly [wallets: number, postings: number])[] = []
  const { timer, monotonic, pass } = steppedTimer(5)
  const check: LedgerCheck = {
    wallets: async ({ wallets, postings }) => {
      asked.push([wallets, postings])
      if (asked.length <= 8) throw new Unavailable('store', 'the statement took too long')
      return wallets
    },
    auditLog: async () => null,
    ages: async () => ({ uncheckedSeconds: 1, unrecheckedSeconds: 1 }),
    credits: async () => [],
  }
  const ignore = () => undefined
  const ports = { check, timer, monotonic, record: ignore, countWallets: ignore }
  const watch = ledgerWatch(ports, { everySeconds: 30 })
  while (asked.length < 16) {
    await turn()
    pass()
  }
  await watch.stop()
  expect(asked.slice(0, 4).map(String)).toEqual(['100,1000', '50,500', '25,250', '13,125'])
  expect(asked.slice(6, 11).map(String)).toEqual(['2,16', '2,16', '2,16', '4,32', '7,63'])
  expect(asked.slice(14, 16).map(String)).toEqual(['100,1000', '100,1000'])
})

test('rests less the older the oldest check is, and not at all from 18 hours on', () => {
  const hour = 3_600
  const restAt = (hours: number) => restPerWork({ uncheckedSeconds: 0, unrecheckedSeconds: hours * hour })
  expect([0, 12, 14, 16, 18, 30].map(restAt)).toEqual([9, 9, 6, 3, 0, 0])
  expect(restPerWork({ uncheckedSeconds: 16 * hour, unrecheckedSeconds: 0 })).toBe(3)
})

test('a check that is behind pauses only for a moment, and rests again once it has caught up', async () => {
  let hours = 20
  const { timer, monotonic, pausesMs, pass } = steppedTimer(5)
  const check: LedgerCheck = {
    wallets: async () => 3,
    auditLog: async () => null,
    ages: async () => ({ uncheckedSeconds: 0, unrecheckedSeconds: hours * 3_600 }),
    credits: async () => [],
  }
  const ignore = () => undefined
  const ports = { check, timer, monotonic, record: ignore, countWallets: ignore }
  const watch = ledgerWatch(ports, { everySeconds: 30 })
  for (let n = 0; n < 200; n++) {
    await turn()
    pass()
    if (n === 2) hours = 1
  }
  await watch.stop()
  expect(pausesMs.slice(0, 3)).toEqual([20, 20, 20])
  expect(pausesMs.at(-1)).toBe(1_000)
})
