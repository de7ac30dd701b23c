import { bob } from '@quipu/core'
import { expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { parseSettlement } from './settlement.ts'

const note = { reason: 'Lost.', evidence: { note: 'Statement.', digest: '5e'.repeat(32) } }
const refusal = (changes: object) => issuesOf(parseSettlement({ outcome: 'failed', ...note, ...changes }))

test('a payout is settled as completed with what the network paid', () => {
  const paid = { outcome: 'completed', paid_amount: '99', network_payment_id: 'np-1' }
  expect(parseSettlement({ ...paid, ...note })).toEqual({
    ok: true,
    value: { settlement: { outcome: 'completed', paid: bob(99_00n), networkPaymentId: 'np-1' }, note },
  })
  expect(refusal({ outcome: 'completed' })).toEqual(['paid_amount is required with completed'])
})

test('a payout is settled as failed or cancelled with or without a payment', () => {
  for (const outcome of ['failed', 'cancelled'])
    expect(parseSettlement({ outcome, ...note })).toEqual({
      ok: true,
      value: { settlement: { outcome, paid: null, networkPaymentId: null }, note },
    })
  expect(parseSettlement({ outcome: 'failed', paid_amount: '1.5', ...note })).toMatchObject({
    value: { settlement: { paid: bob(1_50n), networkPaymentId: null } },
  })
})

test.each([
  [{ outcome: 'rejected' }, 'outcome must be completed, failed or cancelled'],
  [{ evidence: undefined }, 'evidence is required and must be a JSON object'],
  [{ evidence: null }, 'evidence must be a JSON object'],
  [
    { by: 'me' },
    'by is not allowed here; allowed are outcome, paid_amount, network_payment_id, contradicts_network, reason, evidence',
  ],
])('a settlement of %j is refused: %s', (changes, issue) => {
  expect(refusal(changes)).toEqual([issue])
})
