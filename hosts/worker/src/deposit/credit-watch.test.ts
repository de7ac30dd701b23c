import { idSource, Unavailable, usdt } from '@quipu/core'
import type { CreditRecord, FoundDifference } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { creditWatch } from './credit-watch.ts'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'

const at = new Date('2026-03-01T12:00:00.000Z')

const credit = (depositId: string): CreditRecord => ({
  depositId,
  tenantId: 'ten_1',
  deposit: { txHash: 'ab', transferIndex: 0, amount: usdt(1n) },
  sender: '5e',
  block: 7,
  topUp: {
    tenantId: 'ten_1',
    chain: 'tron',
    index: 0,
    account: 'a1',
    address: 'T1',
    mac: '',
    createdAt: at,
    retiredAt: null,
  },
})

/** Polls this often with these credits. The chain shows those whose id begins with `real`. */
async function poll(
  times: number,
  newest: readonly string[],
  isDown?: (reading: number, depositId: string) => boolean,
) {
  const read: string[] = []
  const recorded: FoundDifference[] = []
  const reports: unknown[] = []
  const since: Date[] = []
  const { timer, pausesMs, pass } = steppedTimer()
  const watch = creditWatch(
    {
      check: {
        credits: async (from) => {
          since.push(from)
          return newest.map(credit)
        },
      },
      faultOf: async ({ depositId }) => {
        read.push(depositId)
        if (isDown?.(read.length, depositId)) throw new Unavailable('chain', 'gone')
        if (depositId.startsWith('real')) return null
        return { detail: 'not shown', isAbsent: depositId === 'behind' }
      },
      differences: { record: async (found) => void recorded.push(...found) },
      ids: idSource((size) => new Uint8Array(size)),
      now: () => at,
      timer,
      report: (error) => void reports.push(error),
    },
    { everySeconds: 30 },
  )
  for (let n = 0; n < times; n++) {
    for (let m = 0; m < 100; m++) await turn()
    pass()
  }
  await watch.stop()
  return { read, recorded, reports, since, pausesMs }
}

test('a credit is read until the chain shows it, and recorded after three readings without it', async () => {
  const { read, recorded, since, pausesMs } = await poll(6, ['real', 'forged'])
  expect(read).toEqual(['real', 'forged', 'forged', 'forged'])
  expect(recorded).toMatchObject([
    { check: 'ledger', kind: 'credit', tenantId: 'ten_1', subject: 'forged', detail: 'not shown' },
  ])
  expect(since[0]).toEqual(new Date(at.getTime() - 86_400_000))
  expect(pausesMs[0]).toBe(30_000)
})

test('a credit in a block that the node lacks is recorded after nine readings', async () => {
  expect((await poll(8, ['behind'])).recorded).toEqual([])
  const { read, recorded } = await poll(12, ['behind'])
  expect(read).toHaveLength(9)
  expect(recorded).toHaveLength(1)
})

test('a poll reads at most 40 blocks, newest credits first, and ends when the node is unavailable', async () => {
  const many = Array.from({ length: 60 }, (_, n) => `real ${n}`)
  const { read, reports } = await poll(3, many, (n) => n === 5)
  expect(read.slice(0, 45)).toEqual(many.slice(0, 45))
  expect(read.at(-1)).toBe('real 4') // The poll ended at it.
  expect(read).toHaveLength(5 + 56)
  expect(reports).toEqual([])
})

test('credits whose blocks are never read hide no other one', async () => {
  const { recorded } = await poll(8, ['unread 1', 'unread 2', 'forged'], (_, id) => id.startsWith('unread'))
  expect(recorded).toMatchObject([{ subject: 'forged' }])
})
