import type { LedgerPayment } from '@quipu/simulators'
import { expect, test } from 'vitest'
import { compareRecords, type Records, type TenantRecords } from './compare.ts'
import { spreadOf } from './report.ts'
import type { Intent } from '../load/tenant-client.ts'

const intent: Intent = {
  tenantId: 'ten_1',
  request: { transaction_id: 'order-1', type: 'qr', quote_id: 'quo_1', description: 'order-1', qr: { content: 'qr' } },
  amount: '10.00',
  cost: '1.005026',
  ended: 'completed',
}
const payment = {
  reference: 'po_1',
  description: 'order-1',
  outcome: 'paid',
  times_paid: 1,
  amount: '10.00',
  requested_amount: '10.00',
} as LedgerPayment
const receiver = { url: 'http://r', arrivals: new Map([['evt_1', ['{}', '{}']]]), rejections: [] }
const tenant: TenantRecords = {
  id: 'ten_1',
  available: '1.000001',
  held: '0.000000',
  isBalanced: true,
  deposits: [
    { tx_hash: 'a', status: 'credited', amount: '2.005027' },
    { tx_hash: 'b', status: 'dropped', amount: '5.000000' },
  ],
  transfers: [{ txid: 'a', value: 2005027n }],
  eventIds: ['evt_1'],
  receivers: [receiver],
}
const consistent: Records = {
  answered: [],
  stored: [{ id: 'po_1', transaction_id: 'order-1', status: 'completed', events: ['payout.completed'] }],
  payments: [payment],
  wallets: [],
  intents: [intent],
  sends: [{ address: 'T1', micros: 5n, status: 'confirmed', transfers: [{ txid: 'c', value: 5n }] }],
  tenants: [tenant],
  unclean: [],
}
const kindsOf = (change: Partial<Records>): string[] =>
  compareRecords({ ...consistent, ...change }).map(({ kind }) => kind)
const changed = (change: Partial<TenantRecords>): Partial<Records> => ({ tenants: [{ ...tenant, ...change }] })

test('records that agree have no violation, nor has a refused order without a payout', () => {
  expect(kindsOf({})).toEqual([])
  const refused = { ...intent, request: { ...intent.request, transaction_id: 'order-2' } }
  expect(kindsOf({ intents: [intent, { ...refused, ended: 'QUOTE_EXPIRED' }] })).toEqual([])
})

test.each<[kinds: string[], Partial<Records>]>([
  [['not_ended'], { intents: [{ ...intent, ended: undefined }] }],
  [['wrong_end'], { intents: [{ ...intent, ended: 'failed' }] }],
  [['wrong_end'], { intents: [{ ...intent, ended: 'QUOTE_EXPIRED' }] }],
  [['wrong_payment'], { payments: [{ ...payment, amount: '10.01' }] }],
  [['wrong_payment'], { payments: [{ ...payment, requested_amount: '9.99' }] }],
  [['paid_twice'], { payments: [{ ...payment, times_paid: 2 }] }],
  [['wrong_send'], { sends: [{ address: 'T1', micros: 5n, status: 'confirmed', transfers: [] }] }],
  [
    ['wrong_send'],
    { sends: [{ address: 'T1', micros: 5n, status: 'refused', transfers: [{ txid: 'c', value: 5n }] }] },
  ],
  [['off_balance'], changed({ available: '1.000000' })],
  [['off_balance'], changed({ held: '0.000001' })],
  [['off_balance'], changed({ isBalanced: false })],
  [['off_balance', 'wrong_deposit'], changed({ transfers: [] })],
  [['wrong_deposit'], changed({ deposits: [] })],
  [['wrong_deposit'], changed({ deposits: [...tenant.deposits, ...tenant.deposits] })],
  [['wrong_delivery'], changed({ eventIds: ['evt_1', 'evt_2'] })],
  [['wrong_delivery'], changed({ receivers: [{ ...receiver, arrivals: new Map([['evt_1', ['{}', '{ }']]]) }] })],
  [['wrong_delivery'], changed({ receivers: [{ ...receiver, rejections: ['mismatch'] }] })],
  [['not_clean'], { unclean: ['fault: NO_WORKER'] }],
])('finds %j', (kinds, change) => {
  expect(kindsOf(change)).toEqual(kinds)
})

test('a step that did not recover counts as infinitely long', () => {
  expect(spreadOf([3, 1, 2, 9])).toEqual({ min: 1, median: 2, max: 9 })
  expect(spreadOf([1, null, 2])).toEqual({ min: 1, median: 2, max: Infinity })
  expect(spreadOf([])).toBeNull()
})
