import { parseMoney, type PayoutStatus } from '@quipu/core'
import type { PayoutOverview, PayoutOverviewQuery } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { oneOf, queryMembers, text } from '../json/fields.ts'
import { id, transactionId } from '../json/identifier.ts'
import { instantToJson } from '../json/instant.ts'
import { positiveBob, readBob } from '../json/money.ts'
import { mapParsed, type Parsed, type Rule } from '../json/parsed.ts'
import { parseFilteredList, periodParameters } from '../list/filtered-list.ts'
import { type ListRequest, pageOf, wholeNumber } from '../list/list.ts'
import { payout, payoutErrorCodes, payoutStatuses } from './payout.ts'
import { payoutToJson } from './payout-to-json.ts'

const openPayout = z
  .object({
    claims: z.int().min(0).meta({ description: 'How often workers have taken it up.' }),
    unanswered: z.int().min(0).meta({ description: 'How many questions about it the network did not answer.' }),
    due_at: time.meta({ description: 'When a worker may take it up again.' }),
    alerts: z
      .array(z.object({ code: z.string(), detail: z.string() }))
      .meta({ description: 'The newest alert of each code that was raised about it.' }),
  })
  .meta({ id: 'OpenPayout', description: 'The work on a payout in `processing`.' })

const { id: payoutId, ...others } = payout.shape

/** A payout as operators see it. */
export const operatorPayout = z
  .object({
    id: payoutId,
    tenant_id: idText('ten'),
    ...others,
    key_id: idText('key').nullable().meta({ description: 'The API key that asked for it.' }),
    ended_at: time.nullable(),
    network_reference: z
      .string()
      .nullable()
      .meta({
        description:
          'The network’s reference of the order, or of its QR if it gave no other. Payments have the payout’s id.',
      }),
    network_payment_id: z
      .string()
      .nullable()
      .meta({ description: 'The network’s id of the payment, if it was paid and the network named one.' }),
    open: openPayout.nullable().meta({ description: 'Null once the payout has ended.' }),
  })
  .meta({ id: 'OperatorPayout' })
export type OperatorPayoutJson = z.output<typeof operatorPayout>

export function operatorPayoutToJson({ payout, open }: PayoutOverview): OperatorPayoutJson {
  const { id, ...others } = payoutToJson(payout)
  return {
    id,
    tenant_id: payout.tenantId,
    ...others,
    key_id: payout.keyId,
    ended_at: payout.status === 'processing' ? null : instantToJson(payout.endedAt),
    network_reference: 'networkRef' in payout ? payout.networkRef : null,
    network_payment_id: payout.status === 'completed' ? payout.networkPaymentId : null,
    open: open && {
      claims: open.claimCount,
      unanswered: open.unanswered,
      due_at: instantToJson(open.dueAt),
      alerts: Object.entries(open.raised).map(([code, detail]) => ({ code, detail })),
    },
  }
}

export const operatorPayoutPage = pageOf(operatorPayout, 'OperatorPayoutPage')

const statuses: readonly PayoutStatus[] = payoutStatuses
const yearSeconds = 366 * 86_400

export const operatorPayoutListQuery = queryMembers({
  tenant_id: id('ten').optional(),
  status: oneOf(statuses).optional(),
  error_code: oneOf(payoutErrorCodes).optional(),
  transaction_id: transactionId
    .meta({ description: 'The tenants’ own id: each tenant may have one payout with it.' })
    .optional(),
  network_payment_id: text(1, 200)
    .meta({ description: 'The network’s id of the payment.', examples: ['np-7f3c1f0a'] })
    .optional(),
  network_reference: text(1, 200)
    .meta({ description: 'The network’s reference, as the payout shows it.', examples: ['QR-7f3c1f0a'] })
    .optional(),
  key_id: id('key').meta({ description: 'The API key that asked for it.' }).optional(),
  merchant: text(1, 200)
    .meta({ description: 'A part of the merchant’s name, whatever its case and accents.', examples: ['panaderia'] })
    .optional(),
  target: positiveBob.meta({ description: 'What the merchant gets, in BOB: exactly.' }).optional(),
  target_from: positiveBob.meta({ description: 'At least so much BOB.' }).optional(),
  target_to: positiveBob.meta({ description: 'At most so much BOB.' }).optional(),
  attention: oneOf(['true', 'false'])
    .meta({
      description: 'With `true`, only payouts in `processing` about which an alert was raised.',
      default: 'false',
    })
    .optional(),
  older_than_seconds: wholeNumber(yearSeconds)
    .meta({
      description: 'Created at least so long ago. With `status=processing`: payouts that hang.',
      examples: [600],
    })
    .optional(),
  ...periodParameters,
})

/** Reads the query of `GET /operator/v1/payouts`. @param now  ages are measured from it */
export const parseOperatorPayoutList = (
  search: URLSearchParams | string,
  now: Date,
): Parsed<ListRequest<PayoutOverviewQuery>> =>
  mapParsed(
    parseFilteredList(operatorPayoutListQuery, ['payouts', 'operator'], search, exactOrRange),
    ({ filters: { target, targetFrom, targetTo, attention, olderThanSeconds, ...filters }, page, scope }) => ({
      query: {
        ...page,
        ...filters,
        ...targetsOf(targetFrom ?? target, targetTo ?? target),
        ...(attention === 'true' && { isRaised: true }),
        ...olderThan(olderThanSeconds, page.to, now),
      },
      scope,
    }),
  )

const targetsOf = (least: string | undefined, most: string | undefined) => ({
  ...(least && { targetFrom: readBob(least) }),
  ...(most && { targetTo: readBob(most) }),
})

const exactOrRange: Rule = ({ target, target_from: least, target_to: most }) => {
  if (target !== undefined)
    return [['target_from', least] as const, ['target_to', most] as const]
      .filter(([, value]) => value !== undefined)
      .map(([field]) => ({ field, message: 'must be left out with target' }))
  const [from, to] = [least, most].map((text) => (typeof text === 'string' ? parseMoney('BOB', text) : undefined))
  return from && to && from.minor > to.minor ? [{ field: 'target_from', message: 'must not be above target_to' }] : []
}

/** The end of the period that both filters leave. */
function olderThan(seconds: string | undefined, to: Date | undefined, now: Date): { readonly to?: Date } {
  if (seconds === undefined) return {}
  const latest = new Date(now.getTime() - Number(seconds) * 1_000)
  return { to: to !== undefined && to < latest ? to : latest }
}
