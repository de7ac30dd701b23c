import { apiKeyScopes, toDecimal } from '@quipu/core'
import {
  type ActionOf,
  type Proposal,
  type ProposalAction,
  type ProposalActionType,
  proposalActionTypes,
  proposalFailures,
  type ProposalQuery,
  proposalStatusAt,
  proposalStatuses,
  storedAction,
} from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { members, oneOf, text } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { instantToJson } from '../json/instant.ts'
import { bobAmount, usdtAmount } from '../json/money.ts'
import { settlementOutcomes } from './settlement-outcome.ts'
import { mapParsed, type Parsed } from '../json/parsed.ts'
import { cursorScope } from '../list/cursor.ts'
import { type ListRequest, pageOf, pageParameters, readPage } from '../list/list.ts'
import { parseQuery } from '../json/query.ts'

const details = z
  .object({
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
    overlap_hours: z
      .int()
      .optional()
      .meta({ description: 'How long the replaced key still works.', examples: [24] }),
    allowed_addresses: z
      .array(z.string())
      .optional()
      .meta({ description: 'Of an API key.', examples: [['192.0.2.10']] }),
    payment_cap_bob: bobAmount.optional().meta({ description: 'The new limit.' }),
    daily_limit_usdt: usdtAmount.nullable().optional().meta({ description: 'The new limit; null: none.' }),
    daily_limit_count: z
      .int()
      .nullable()
      .optional()
      .meta({ description: 'The new limit; null: none.', examples: [500] }),
  })
  .meta({ id: 'ProposalDetails', description: 'The parameters of the action.' })

const detailsToJson: {
  readonly [T in ProposalActionType]: (action: ActionOf<T>) => z.output<typeof details>
} = {
  adjust_wallet: ({ amount, direction, differenceId, payoutId }) => ({
    amount: toDecimal(amount),
    direction,
    ...(differenceId !== undefined && { difference_id: differenceId }),
    ...(payoutId !== undefined && { payout_id: payoutId }),
  }),
  credit_deposit: ({ amount }) => ({ amount: toDecimal(amount) }),
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
    ...(replaces && { replaces: replaces.keyId, overlap_hours: replaces.overlapHours }),
    ...(allowedAddresses && { allowed_addresses: [...allowedAddresses] }),
  }),
  change_limits: ({ limits: { paymentCap, amount, count } }) => ({
    ...(paymentCap && { payment_cap_bob: toDecimal(paymentCap) }),
    ...(amount !== undefined && { daily_limit_usdt: amount && toDecimal(amount) }),
    ...(count !== undefined && { daily_limit_count: count }),
  }),
}

const operatorName = z.string().meta({ description: 'The person who acted.' })

/** An action that one operator proposes and another one approves. */
export const proposal = z
  .object({
    id: idText('prp'),
    tenant_id: idText('ten').nullable().meta({ description: 'Null: it concerns no tenant.' }),
    action: z.enum(proposalActionTypes),
    subject: z.string().meta({ description: 'The id of what the action changes.' }),
    details,
    reason: z.string(),
    evidence: z.object({ note: z.string(), digest: z.string() }).nullable(),
    status: z.enum(proposalStatuses),
    proposed_by: operatorName,
    created_at: time,
    expires_at: time.meta({ description: 'From then on it cannot be approved.' }),
    approved_by: operatorName
      .nullable()
      .meta({
        description:
          'Null until it is approved, and when no approval was needed: the amount was at most `APPROVAL_LIMIT_USDT`.',
      }),
    approved_at: time.nullable(),
    executed_at: time.nullable(),
    withdrawn_by: operatorName.nullable(),
    withdrawn_at: time.nullable(),
    failed_at: time.nullable(),
    failure: z
      .enum(proposalFailures)
      .nullable()
      .meta({ description: 'Why the action could not be executed. No money moved.' }),
  })
  .meta({ id: 'Proposal' })
export type ProposalJson = z.output<typeof proposal>

/** @param now  decides between `open` and `expired` */
export function proposalToJson(stored: Proposal, now: Date): ProposalJson {
  const { action, tenantId, evidence } = stored
  const { type, subject } = storedAction(action)
  const approval = 'approval' in stored ? stored.approval : null
  const withdrawal = stored.status === 'withdrawn' ? stored.withdrawal : null
  const failure = stored.status === 'failed' ? stored.failure : null
  const at = (instant: Date | undefined) => (instant ? instantToJson(instant) : null)
  return {
    id: stored.id,
    tenant_id: tenantId,
    action: type,
    subject,
    details: (detailsToJson[type] as (of: ProposalAction) => z.output<typeof details>)(action),
    reason: stored.reason,
    evidence: evidence && { note: evidence.note, digest: evidence.digest },
    status: proposalStatusAt(stored, now),
    proposed_by: stored.proposedBy,
    created_at: instantToJson(stored.createdAt),
    expires_at: instantToJson(stored.expiresAt),
    approved_by: approval?.by ?? null,
    approved_at: at(approval?.at),
    executed_at: at(stored.status === 'executed' ? stored.executedAt : undefined),
    withdrawn_by: withdrawal?.by ?? null,
    withdrawn_at: at(withdrawal?.at),
    failed_at: at(failure?.at),
    failure: failure?.code ?? null,
  }
}

export const proposalPage = pageOf(proposal, 'ProposalPage')

/** The query of `GET /operator/v1/proposals`. */
export const proposalListQuery = members(
  {
    status: oneOf(proposalStatuses).optional(),
    action: oneOf(proposalActionTypes).optional(),
    tenant_id: id('ten').optional(),
    subject: text(1, 512)
      .meta({ description: 'The id of what it changes.', examples: ['po_01K6HZ8M00000000000000000A'] })
      .optional(),
    ...pageParameters,
  },
  'in the query',
)

/** Reads the query of `GET /operator/v1/proposals`. */
export function parseProposalList(search: URLSearchParams | string): Parsed<ListRequest<Omit<ProposalQuery, 'now'>>> {
  const parsed = parseQuery(proposalListQuery, search)
  if (!parsed.ok) return parsed
  const { status, action, tenant_id: tenantId, subject, ...page } = parsed.value
  const filters = {
    ...(status && { status }),
    ...(action && { action }),
    ...(tenantId && { tenantId }),
    ...(subject && { subject }),
  }
  const scope = cursorScope('proposals', 'operator', filters)
  return mapParsed(readPage(page, scope), (query) => ({ query: { ...query, ...filters }, scope }))
}
