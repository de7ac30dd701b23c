import type { Payout } from '@quipu/core'
import { type NetworkCall, networkAnswerTypes, networkCallKinds } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { rowToJson } from '../json/row-to-json.ts'
import { payout } from './payout.ts'
import { payoutToJson } from './payout-to-json.ts'

/** A question to the network about a payout, and its answer. */
export const networkCall = z
  .object({
    id: idText('nwc'),
    kind: z.enum(networkCallKinds),
    queried_by: z.enum(['request', 'worker', 'operator']),
    actor: z.string().nullable().meta({ description: 'The operator who queried.' }),
    answer: z
      .string()
      .meta({
        description: `${networkAnswerTypes.map((type) => `\`${type}\``).join(', ')}: no valid answer came.`,
        examples: ['paid'],
      }),
    detail: z
      .string()
      .nullable()
      .meta({
        description: 'The amount and id of the payment, or why the outcome is unknown.',
        examples: ['BOB 99.00, payment QN0000000001'],
      }),
    duration_ms: z.int(),
    created_at: time.meta({ description: 'When the network was queried.' }),
  })
  .meta({ id: 'NetworkCall' })
export type NetworkCallJson = z.output<typeof networkCall>

export const networkCallToJson = (call: NetworkCall): NetworkCallJson => rowToJson(networkCall, call, {})

/** A payout after an operator has queried the network about it. */
export const queriedPayout = z
  .object({
    payout: payout.meta({ description: 'The payout as it now stands.' }),
    calls: z.array(networkCall).meta({ description: 'What the network was queried and answered.' }),
  })
  .meta({ id: 'QueriedPayout' })
export type QueriedPayoutJson = z.output<typeof queriedPayout>

export const queriedPayoutToJson = (queried: Payout, calls: readonly NetworkCall[]): QueriedPayoutJson => ({
  payout: payoutToJson(queried),
  calls: calls.map(networkCallToJson),
})
