import type { LedgerPayment } from '@quipu/simulators'
import { expect, test } from 'vitest'
import { type Outcome, type StoredPayout, violationsOf, type WalletSums } from './invariants.ts'
import { answerLog } from './answer-log.ts'

const stored: StoredPayout = {
  id: 'po_1',
  transaction_id: 'order-1',
  status: 'completed',
  events: ['payout.completed'],
}
const payment = { reference: 'po_1', description: 'order-1', outcome: 'paid', times_paid: 1 } as LedgerPayment
const wallet: WalletSums = {
  available: 6n,
  held: 0n,
  available_posted: 6n,
  held_posted: 0n,
  completed: 4n,
  open: 0n,
  captured: 4n,
  funded: 10n,
}
const answered = { id: 'po_1', transactionId: 'order-1', finalStatus: 'completed', endedAt: 1, via: 'POST' }
const consistent: Outcome = { answered: [answered], stored: [stored], payments: [payment], wallets: [wallet] }

const kindsOf = (change: Partial<Outcome>): string[] =>
  violationsOf({ ...consistent, ...change }).map(({ kind }) => kind)

test('a consistent outcome has no violation', () => {
  expect(kindsOf({})).toEqual([])
})

test.each<[kinds: string[], Partial<Outcome>]>([
  [['paid_twice'], { payments: [{ ...payment, times_paid: 2 }] }],
  [['paid_twice', 'paid_unrecorded'], { payments: [payment, { ...payment, reference: 'po_2' }] }],
  [['vanished'], { answered: [answered, { ...answered, id: 'po_2' }] }],
  [['changed'], { answered: [{ ...answered, finalStatus: 'failed' }] }],
  [['completed_unpaid'], { payments: [] }],
  [['wrong_events'], { stored: [{ ...stored, events: [] }] }],
  [['wrong_events'], { stored: [{ ...stored, events: ['payout.completed', 'payout.failed'] }] }],
  [['unbalanced', 'unbalanced'], { wallets: [{ ...wallet, available: 7n }] }],
])('finds %j', (kinds, change) => {
  expect(kindsOf(change)).toEqual(kinds)
})

test('the answer log detects contradicting answers', () => {
  const log = answerLog()
  const payout = { id: 'po_1', transaction_id: 'order-1', status: 'completed', error: null }
  log.add('POST', payout, 0)
  log.add('list', { ...payout, status: 'processing' }, 0) // An older request that is answered later.
  expect(log.violations).toEqual([])

  log.add('GET', { ...payout, status: 'processing' }, Infinity)
  log.add('POST', { ...payout, id: 'po_2' }, 0)
  log.addDenial('order-1', '404')

  expect(log.violations.map(({ kind }) => kind)).toEqual(['changed', 'two_payouts', 'denied'])
})
