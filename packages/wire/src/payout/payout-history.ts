import { toDecimal } from '@quipu/core'
import { transferLegs } from '@quipu/core/adapter'
import {
  type PayoutPosting,
  type PayoutHistory,
  payoutTimeline,
  historyRowsMax,
  historySubjectsMax,
} from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { wordsOf } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { usdtAmount } from '../json/money.ts'
import { difference, differenceToJson } from '../difference/difference.ts'
import { proposal, proposalToJson } from '../proposal/proposal.ts'
import { operatorQuote, operatorQuoteToJson } from '../quote/operator-quote.ts'
import { resolution, resolutionToJson } from '../quote/resolution.ts'
import { delivery, deliveryToJson } from '../webhook/delivery.ts'
import { networkCase, networkCaseToJson } from './network-case.ts'
import { operatorPayout, operatorPayoutToJson } from './operator-payout.ts'
import { timelineEntry, timelineEntryToJson } from './timeline.ts'

const postingTypes = wordsOf<PayoutPosting['type']>({ hold: true, capture: true, release: true })

const posting = z
  .object({
    type: z.enum(postingTypes),
    debit: z.string().meta({ description: 'The account that the amount leaves.' }),
    credit: z.string().meta({ description: 'The account that the amount enters.' }),
    amount: usdtAmount,
    available_after: usdtAmount.meta({ description: 'The wallet’s balances after the posting.' }),
    held_after: usdtAmount,
    at: time,
  })
  .meta({ id: 'PayoutPosting' })

const postingToJson = (posted: PayoutPosting): z.output<typeof posting> => ({
  type: posted.type,
  ...transferLegs[posted.type],
  amount: toDecimal(posted.amount),
  available_after: toDecimal(posted.availableAfter),
  held_after: toDecimal(posted.heldAfter),
  at: instantToJson(posted.at),
})

/** Everything that is stored about a payout. */
export const payoutHistory = z
  .object({
    payout: operatorPayout,
    quote: operatorQuote
      .nullable()
      .meta({ description: 'The quote that the request named, used or not; null once it was deleted.' }),
    resolution: resolution.nullable().meta({ description: 'The reading of the QR that the quote named, if any.' }),
    ledger: z.array(posting).meta({ description: 'Oldest first.' }),
    deliveries: z.array(delivery).meta({ description: 'Its event, for each endpoint.' }),
    proposals: z
      .array(proposal)
      .meta({ description: `Of its settlement by hand: the newest ${historySubjectsMax}, oldest first.` }),
    differences: z
      .array(difference)
      .meta({ description: `What reconciliation has found about it: the newest ${historySubjectsMax}, oldest first.` }),
    network_case: networkCase,
    timeline: z
      .array(timelineEntry)
      .meta({
        description: `Everything above, with the questions to the network that the request itself did not settle, and the entries of the audit log about it, its proposals and its differences, the newest ${historyRowsMax} of each. Oldest first. Of one instant: causes before effects.`,
      }),
  })
  .meta({ id: 'PayoutHistory' })
export type PayoutHistoryJson = z.output<typeof payoutHistory>

/** @param now  decides which proposals have expired */
export const payoutHistoryToJson = (history: PayoutHistory, now: Date): PayoutHistoryJson => ({
  payout: operatorPayoutToJson(history.record),
  quote: history.quote ? operatorQuoteToJson(history.quote) : null,
  resolution: history.resolution ? resolutionToJson(history.resolution) : null,
  ledger: history.record.postings.map(postingToJson),
  deliveries: history.deliveries.map(deliveryToJson),
  proposals: history.proposals.map((stored) => proposalToJson(stored, now)),
  differences: history.differences.map(differenceToJson),
  network_case: networkCaseToJson(history),
  timeline: payoutTimeline(history).map(timelineEntryToJson),
})
