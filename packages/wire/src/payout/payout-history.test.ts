import { toDecimal, usdt } from '@quipu/core'
import type { QuoteView } from '@quipu/core/adapter'
import { type PayoutHistory, payoutTimeline, type PayoutPosting } from '@quipu/core/operator'
import { anyQuote } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as example from '../openapi/example.ts'
import { event } from '../event/event-example.ts'
import { delivered } from '../webhook/webhook-example.ts'
import { differenceToJson } from '../difference/difference.ts'
import { proposalToJson } from '../proposal/proposal.ts'
import { quoteToJson } from '../quote/quote-to-json.ts'
import { resolutionToJson } from '../quote/resolution.ts'
import { deliveryToJson } from '../webhook/delivery.ts'
import { foundDifference } from './history.fixture.ts'
import { operatorPayoutToJson } from './operator-payout.ts'
import { payoutHistory, payoutHistoryToJson } from './payout-history.ts'
import { operatorQuote, operatorQuoteToJson } from '../quote/operator-quote.ts'
import { timelineEntryToJson } from './timeline.ts'

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

test('a quote shows what it was priced from, and the payout that used it', () => {
  fc.assert(
    fc.property(anyQuote, (quote) => {
      const json = operatorQuoteToJson({ ...view, quote })
      expect(operatorQuote.parse(json)).toEqual(json)
      expect(json).toEqual({
        ...quoteToJson(quote),
        resolution_id: quote.resolutionId,
        status: 'used',
        payout_id: completed.id,
        bid: `${quote.bid / 10_000n}.${(quote.bid % 10_000n).toString().padStart(4, '0')}`,
        rate_source: quote.rateSource,
        principal: toDecimal(quote.principal),
        created_at: quote.createdAt.toISOString(),
      })
      for (const status of ['open', 'used', 'expired', 'lost'])
        expect(operatorQuote.safeParse({ ...json, status }).success).toBe(status !== 'lost')
    }),
  )
})

test('a history has the payout, its quote and QR, and everything that happened', () => {
  const json = payoutHistoryToJson(history, example.at(6))
  expect(payoutHistory.parse(json)).toEqual(json)
  expect(json).toEqual({
    payout: operatorPayoutToJson(history.record),
    quote: operatorQuoteToJson(view),
    resolution: resolutionToJson(example.resolution),
    ledger: json.ledger,
    deliveries: [deliveryToJson(delivered)],
    proposals: [proposalToJson(proposal, example.at(6))],
    differences: [differenceToJson(foundDifference)],
    network_case: json.network_case,
    timeline: payoutTimeline(history).map(timelineEntryToJson),
  })
  expect(json.timeline.length).toBeGreaterThan(5)
})

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
