import { usdt } from '@quipu/core'
import type { QuoteView } from '@quipu/core/adapter'
import { type PayoutHistory, type PayoutPosting } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import * as example from '../openapi/example.ts'
import { event } from '../event/event-example.ts'
import { delivered } from '../webhook/webhook-example.ts'
import { foundDifference } from './history.fixture.ts'
import { payoutHistoryToJson } from './payout-history.ts'
import { operatorQuote, operatorQuoteToJson } from '../quote/operator-quote.ts'

const { completed } = example
const posting: PayoutPosting = {
  type: 'hold',
  amount: example.quote.source,
  availableAfter: usdt(1000000n),
  heldAfter: usdt(2000000n),
  at: example.at(0),
}
const proposal: PayoutHistory['proposals'][number] = {
  id: `prp_${example.ulid('0H')}`,
  tenantId: example.tenant.id,
  action: { type: 'settle_payout', payoutId: completed.id, outcome: 'failed', paid: null, networkPaymentId: null },
  reason: 'Lost.',
  evidence: null,
  proposedBy: 'olivia',
  status: 'open',
  createdAt: example.at(5),
  expiresAt: example.at(86400),
}
const view: QuoteView = { quote: example.quote, status: 'used', payoutId: completed.id }
const history: PayoutHistory = {
  record: {
    payout: completed,
    open: null,
    eventId: event.id,
    postings: [posting, { ...posting, type: 'capture' }, { ...posting, type: 'release' }],
  },
  quote: view,
  resolution: example.resolution,
  networkCalls: [],
  event,
  deliveries: [delivered],
  proposals: [proposal],
  differences: [foundDifference],
  audit: [],
}

test('a posting shows its two accounts, its amount and the balances after it', () => {
  const { ledger } = payoutHistoryToJson(history, example.at(6))
  expect(ledger[0]).toEqual({
    type: 'hold',
    debit: 'available',
    credit: 'held',
    amount: '10.203353',
    available_after: '1.000000',
    held_after: '2.000000',
    at: example.at(0).toISOString(),
  })
  expect(ledger.map(({ type, debit, credit }) => [type, debit, credit])).toEqual([
    ['hold', 'available', 'held'],
    ['capture', 'held', 'payouts'],
    ['release', 'held', 'available'],
  ])
})

test('a proposal that was not approved in time is shown as expired', () => {
  const { proposals } = payoutHistoryToJson(history, proposal.expiresAt)
  expect(proposals.map(({ status }) => status)).toEqual(['expired'])
})

test('a payout without a quote and a reading has neither', () => {
  const without = { ...history, quote: undefined, resolution: undefined }
  expect(payoutHistoryToJson(without, example.at(6))).toMatchObject({ quote: null, resolution: null })
})

test('a quote shows its bid, its principal and the payout that used it', () => {
  const json = operatorQuoteToJson(view)
  const priced = { bid: '9.9500', rate: '9.8007', rate_source: 'fixed', principal: '10.203353' }
  expect(json).toMatchObject({ ...priced, status: 'used', payout_id: completed.id })
  expect(operatorQuote.parse(json)).toEqual(json)
})
