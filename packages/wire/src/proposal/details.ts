import { apiKeyScopes, type Tenant, toDecimal, type Usdt } from '@quipu/core'
import {
  type ActionOf,
  type PayoutStop,
  type ProposalAction,
  type ProposalActionType,
  type ScreeningCaseStatus,
  screeningCaseStatuses,
} from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { instantToJson } from '../json/instant.ts'
import { bobAmount, usdtAmount } from '../json/money.ts'
import { settlementOutcomes } from './settlement-outcome.ts'

/** The parameters of an action, or their present values. */
export const details = z
  .object({
    available: usdtAmount
      .optional()
      .meta({ description: 'The tenant’s available balance; beside an adjustment or credit.' }),
    amount: usdtAmount
      .optional()
      .meta({ description: 'Of an adjustment, or of the deposits together.', examples: ['5.000000'] }),
    direction: z.enum(['in', 'out']).optional().meta({ description: 'Of an adjustment.' }),
    deposit_ids: z
      .array(idText('dep'))
      .optional()
      .meta({ description: 'The deposits whose reviews are closed together.' }),
    difference_id: idText('dif')
      .optional()
      .meta({ description: 'The difference that an adjustment books; left out when it moves money.' }),
    to_address: z
      .string()
      .optional()
      .meta({ description: 'Where a deposit was sent back to.', examples: ['TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA'] }),
    tx_hash: z
      .string()
      .optional()
      .meta({
        description: 'The transaction that sent it back.',
        examples: ['c5a1d7b2f0e94836a7d1c3e58f6b204d9e7ac1503b8f4d26e1970a5c4b3d2e1f'],
      }),
    payout_id: idText('po').optional().meta({ description: 'The payout that an adjustment refunds.' }),
    outcome: z.enum(settlementOutcomes).optional().meta({ description: 'Of a settlement.' }),
    paid_amount: bobAmount
      .nullable()
      .optional()
      .meta({ description: 'What the network paid, in BOB; null when nothing.' }),
    network_payment_id: z.string().nullable().optional(),
    ordered_amount: bobAmount.optional().meta({ description: 'Of the payout, in BOB.' }),
    network_paid: z
      .string()
      .nullable()
      .optional()
      .meta({
        description: 'The payment that the network answered; null when it answered none.',
        examples: ['BOB 99.00, payment QN0000000001'],
      }),
    contradicts_network: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the proposer says that the settlement is another one than that payment.' }),
    person: z
      .string()
      .optional()
      .meta({ description: 'Whose operator token it is.', examples: ['ana'] }),
    label: z
      .string()
      .optional()
      .meta({ description: 'Of an operator token.', examples: ['laptop'] }),
    role: z.enum(['operator', 'admin']).optional().meta({ description: 'Of an operator token.' }),
    fingerprint: z
      .string()
      .optional()
      .meta({
        description:
          'Of an operator token: the first 16 digits of its hash. Compare them with the person before you approve.',
        examples: ['9f86d081884c7d65'],
      }),
    expires_at: time.optional().meta({ description: 'Of an operator token or an API key.' }),
    name: z
      .string()
      .optional()
      .meta({ description: 'Of an API key.', examples: ['backend'] }),
    last_four: z
      .string()
      .optional()
      .meta({ description: 'Of an API key.', examples: ['00a1'] }),
    scopes: z
      .array(z.enum(apiKeyScopes))
      .optional()
      .meta({ description: 'Of an API key.', examples: [['payouts:write']] }),
    replaces: idText('key').optional().meta({ description: 'The API key that the new one replaces.' }),
    overlap_seconds: z
      .int()
      .optional()
      .meta({ description: 'How long the replaced key still works.', examples: [86_400] }),
    allowed_addresses: z
      .array(z.string())
      .optional()
      .meta({ description: 'Of an API key.', examples: [['192.0.2.10']] }),
    review_code: z
      .enum(['SENDER_LISTED', 'SENDER_NOT_SCREENED'])
      .optional()
      .meta({ description: 'Of a credit: screening has not cleared the sender.' }),
    decision: z
      .enum(screeningCaseStatuses)
      .optional()
      .meta({ description: 'About a case of screening; at present, the case’s status.' }),
    screened: z
      .string()
      .optional()
      .meta({ description: 'Who was screened.', examples: ['Comercial Andina'] }),
    list: z
      .string()
      .optional()
      .meta({ description: 'The list of the case, and its reason.', examples: ['sanctions: fraud'] }),
    payment_cap_bob: bobAmount.optional().meta({ description: 'The limit.' }),
    daily_limit_usdt: usdtAmount.nullable().optional().meta({ description: 'The limit; null: none.' }),
    daily_limit_count: z
      .int()
      .nullable()
      .optional()
      .meta({ description: 'The limit; null: none.', examples: [500] }),
    margin_bps: z
      .int()
      .optional()
      .meta({ description: 'The price.', examples: [100] }),
    fee_bps: z
      .int()
      .optional()
      .meta({ description: 'The price.', examples: [0] }),
    fee_fixed: usdtAmount.optional().meta({ description: 'The price.' }),
    suspended_at: time
      .nullable()
      .optional()
      .meta({ description: 'Since when the tenant is suspended; null: it is active.' }),
    stopped_at: time
      .nullable()
      .optional()
      .meta({ description: 'Since when payouts are stopped; null: they are accepted.' }),
    because: z
      .string()
      .optional()
      .meta({
        description: 'Why the tenant is suspended, or payouts are stopped.',
        examples: ['The network pays twice.'],
      }),
  })
  .meta({ id: 'ProposalDetails', description: 'The parameters of the action.' })

const detailsToJson: {
  readonly [T in ProposalActionType]: (action: ActionOf<T>) => Details
} = {
  adjust_wallet: ({ amount, direction, differenceId, payoutId }) => ({
    amount: toDecimal(amount),
    direction,
    ...(differenceId !== undefined && { difference_id: differenceId }),
    ...(payoutId !== undefined && { payout_id: payoutId }),
  }),
  credit_deposit: ({ amount, reviewCode }) => ({
    amount: toDecimal(amount),
    ...(reviewCode !== undefined && { review_code: reviewCode }),
  }),
  decide_screening: ({ decision, name, list }) => ({ decision, screened: name, list }),
  close_deposit: ({ amount }) => ({ amount: toDecimal(amount) }),
  close_deposits: ({ depositIds, amount }) => ({ amount: toDecimal(amount), deposit_ids: [...depositIds] }),
  return_deposit: ({ amount, toAddress, txHash }) => ({
    amount: toDecimal(amount),
    to_address: toAddress,
    tx_hash: txHash,
  }),
  settle_payout: ({ outcome, paid, networkPaymentId, ordered, networkPaid, ...said }) => ({
    outcome,
    paid_amount: paid && toDecimal(paid),
    network_payment_id: networkPaymentId,
    ...(ordered && { ordered_amount: toDecimal(ordered) }),
    network_paid: networkPaid ?? null,
    contradicts_network: said.contradictsNetwork === true,
  }),
  issue_operator_token: ({ person, label, role, fingerprint, expiresAt }) => ({
    person,
    label,
    role,
    fingerprint,
    expires_at: instantToJson(expiresAt),
  }),
  issue_api_key: ({ name, lastFour, scopes, expiresAt, replaces, allowedAddresses }) => ({
    name,
    last_four: lastFour,
    scopes: [...scopes],
    ...(expiresAt && { expires_at: instantToJson(expiresAt) }),
    ...(replaces && { replaces: replaces.keyId, overlap_seconds: replaces.overlapSeconds }),
    ...(allowedAddresses && { allowed_addresses: [...allowedAddresses] }),
  }),
  change_limits: ({ limits: { paymentCap, amount, count } }) => ({
    ...(paymentCap && { payment_cap_bob: toDecimal(paymentCap) }),
    ...(amount !== undefined && { daily_limit_usdt: amount && toDecimal(amount) }),
    ...(count !== undefined && { daily_limit_count: count }),
  }),
  change_pricing: ({ prices: { marginBps, feeBps, feeFixed } }) => ({
    ...(marginBps !== undefined && { margin_bps: marginBps }),
    ...(feeBps !== undefined && { fee_bps: feeBps }),
    ...(feeFixed && { fee_fixed: toDecimal(feeFixed) }),
  }),
  resume_tenant: ({ suspendedAt }) => ({ suspended_at: instantToJson(suspendedAt) }),
  start_payouts: ({ stoppedAt }) => ({ stopped_at: instantToJson(stoppedAt) }),
}

export type Details = z.output<typeof details>

/** The subject of a proposal, as it is now. Left out: unknown, or there is none. */
export type ProposalPresent = {
  readonly tenant?: Tenant | undefined
  readonly available?: Usdt | undefined
  readonly screeningCase?: { readonly status: ScreeningCaseStatus } | undefined
  /** Null: payouts are accepted. */
  readonly stop?: PayoutStop | null | undefined
}

type PresentValue<T extends ProposalActionType> = (action: ActionOf<T>, about: ProposalPresent) => Details | null

const availableOf = (_: unknown, { available }: ProposalPresent): Details | null =>
  available ? { available: toDecimal(available) } : null

/** For actions that change no stored value: they make something new, or end a review whose amount the action has. */
const none = (): null => null

const present: { readonly [T in ProposalActionType]: PresentValue<T> } = {
  adjust_wallet: availableOf,
  credit_deposit: availableOf,
  settle_payout: availableOf,
  close_deposit: none,
  close_deposits: none,
  return_deposit: none,
  issue_operator_token: none,
  issue_api_key: none,
  decide_screening: (_, { screeningCase }) => (screeningCase ? { decision: screeningCase.status } : null),
  resume_tenant: (_, { tenant }) => (tenant === undefined ? null : sinceOf('suspended_at', tenant.suspension ?? null)),
  start_payouts: (_, { stop }) => (stop === undefined ? null : sinceOf('stopped_at', stop)),
  change_limits: ({ limits: { paymentCap, amount, count }, ...action }, { tenant }) =>
    tenant === undefined
      ? null
      : detailsToJson.change_limits({
          ...action,
          limits: {
            ...(paymentCap && { paymentCap: tenant.pricing.paymentCap }),
            ...(amount !== undefined && { amount: tenant.dailyLimits.amount }),
            ...(count !== undefined && { count: tenant.dailyLimits.count }),
          },
        }),
  change_pricing: ({ prices: { marginBps, feeBps, feeFixed }, ...action }, { tenant }) =>
    tenant === undefined
      ? null
      : detailsToJson.change_pricing({
          ...action,
          prices: {
            ...(marginBps !== undefined && { marginBps: tenant.pricing.marginBps }),
            ...(feeBps !== undefined && { feeBps: tenant.pricing.feeBps }),
            ...(feeFixed && { feeFixed: tenant.pricing.feeFixed }),
          },
        }),
}

const sinceOf = (
  name: 'suspended_at' | 'stopped_at',
  now: { readonly at: Date; readonly reason: string } | null,
): Details => (now === null ? { [name]: null } : { [name]: instantToJson(now.at), because: now.reason })

/** The parameters of an action. */
export const detailsOf = (action: ProposalAction): Details =>
  (detailsToJson[action.type] as (of: ProposalAction) => Details)(action)

/** The present values of what the action changes; null where there are none. */
export const presentOf = (action: ProposalAction, about: ProposalPresent): Details | null =>
  (present[action.type] as PresentValue<ProposalActionType>)(action, about)

const isWorth = (value: unknown): boolean => value !== null && value !== undefined && value !== false

/** The parameters in one line: each member of the action, beside its present value where it has one. */
export function summaryOf(now: Details | null, next: Details): string {
  const names = Object.keys({ ...next, ...now }) as (keyof Details)[]
  const word = (value: Details[keyof Details] | null): string => (value === null ? 'none' : String(value))
  return names
    .flatMap((name) => {
      const [before, after] = [now?.[name], next[name]]
      if (before !== undefined)
        return `${name} ${word(before)}${after === undefined || after === before ? '' : ` → ${word(after)}`}`
      return isWorth(after) ? `${name} ${word(after ?? null)}` : []
    })
    .join(', ')
}
