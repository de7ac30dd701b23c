import type { ScreeningDecision } from '../screening/case.ts'
import type { DepositReturn, ScreeningReviewCode } from '../deposit/deposit.ts'
import { type Usdt, usdt } from '../money.ts'
import type { OperatorRole } from '../access/operator.ts'
import type { LimitsChange } from '../limit/limits.ts'
import { limitDetails, limitsFromDetails } from '../limit/limit-details.ts'
import { type IssueApiKey, keyDetails, keyFromDetails } from './key-issue.ts'
import { type ChangePricing, pricesFromDetails, priceDetails, type Prices } from './price-change.ts'
import { type ResumeTenant, resumeRule, type StartPayouts, startRule } from './resumption.ts'
import { settlementDetails, settlementFromDetails, type SettlePayout } from './settlement.ts'

export type { ChangePricing, IssueApiKey, Prices, ResumeTenant, SettlePayout, StartPayouts }

/** Moves an amount into or out of a wallet by hand. */
export type AdjustWallet = {
  readonly type: 'adjust_wallet'
  readonly tenantId: string
  readonly direction: 'in' | 'out'
  /** At least one micro-USDT. */
  readonly amount: Usdt
  /**
   * Books an open difference: the wallet already has the amount too much (`in`) or too little (`out`), so the
   * adjustment is posted and the balance stays. Needs two people, whatever the amount.
   */
  readonly differenceId?: string
  /**
   * Refunds a completed payout, whose payment the network returned: `in`, at most its price, once a payout. Needs two
   * people, whatever the amount. The payout stays completed.
   */
  readonly payoutId?: string
}

type ReviewAction<T extends string> = {
  readonly type: T
  readonly depositId: string
  /** The amount of the deposit. */
  readonly amount: Usdt
}

/** Credits a deposit in review. It needs two people, whatever the amount, when screening has not cleared its sender. */
export type CreditDeposit = ReviewAction<'credit_deposit'> & {
  /** The deposit's, where it is one of screening. */
  readonly reviewCode?: ScreeningReviewCode
}

/** Closes a deposit in review without crediting it. */
export type CloseDeposit = ReviewAction<'close_deposit'>

/** Closes several deposits in review of one tenant, all or none, without crediting them. */
export type CloseDeposits = {
  readonly type: 'close_deposits'
  readonly tenantId: string
  /** Each once. */
  readonly depositIds: readonly string[]
  /** The sum of all. */
  readonly amount: Usdt
}

/**
 * Closes a deposit in review whose tokens a transaction has sent back. It needs two people and evidence, whatever the
 * amount. They type the address: the sender's may be an exchange's, which takes nothing back.
 */
export type ReturnDeposit = ReviewAction<'return_deposit'> & DepositReturn

/** Activates an operator token that can write. Executed by the commit of the approval. */
export type IssueOperatorToken = {
  readonly type: 'issue_operator_token'
  readonly tokenId: string
  readonly person: string
  readonly label: string
  readonly fingerprint: string
  readonly expiresAt: Date
  readonly role: 'operator' | 'admin'
}

/** Changes the limits of a tenant. Executed by the commit of the approval. */
export type ChangeLimits = { readonly type: 'change_limits'; readonly tenantId: string; readonly limits: LimitsChange }

/** Decides a case of screening. Executed by the commit of the approval. It needs two people. */
export type DecideScreening = {
  readonly type: 'decide_screening'
  readonly caseId: string
  readonly decision: ScreeningDecision
  /** Who was screened, and on which list for which reason: for the person who approves. */
  readonly name: string
  readonly list: string
}

/** Moves money or ends what holds it: executed after the commit of its approval. */
export type ExecutedLater = AdjustWallet | CreditDeposit | CloseDeposit | CloseDeposits | ReturnDeposit | SettlePayout

/** Moves no money: the commit of its approval executes it. */
export type ExecutedAtApproval =
  | IssueOperatorToken
  | IssueApiKey
  | ChangeLimits
  | DecideScreening
  | ChangePricing
  | ResumeTenant
  | StartPayouts

/** The action of an approved proposal. `actionRules`, the executors and the JSON require each. */
export type ProposalAction = ExecutedLater | ExecutedAtApproval

/** The name of an action. */
export type ProposalActionType = ProposalAction['type']

/** The action of this name. */
export type ActionOf<T extends ProposalActionType> = Extract<ProposalAction, { readonly type: T }>

/** The parameters of an action, as a store keeps them. */
export type ActionDetails = Readonly<Record<string, string>>

/** An action as a store keeps it. */
export type StoredAction = {
  readonly type: ProposalActionType
  /** The id of what the action changes. */
  readonly subject: string
  readonly details: ActionDetails
}

type ActionRule<A> = {
  subjectOf(action: A): string
  detailsOf(action: A): ActionDetails
  /** The inverse of `subjectOf` and `detailsOf`. */
  read(subject: string, details: ActionDetails): A
  /** The amount that one person may decide alone, up to the approval limit; null when the action needs two people. */
  limitedAmountOf(action: A): Usdt | null
  /** The role that approves. Default: `operator`. */
  readonly approver?: OperatorRole
}

const reviewRule = <T extends string>(type: T): ActionRule<ReviewAction<T>> => ({
  subjectOf: ({ depositId }) => depositId,
  detailsOf: ({ amount }) => ({ amount_minor: amount.minor.toString() }),
  read: (depositId, details) => ({ type, depositId, amount: amountOf(details) }),
  limitedAmountOf: ({ amount }) => amount,
})

const creditRule = reviewRule('credit_deposit')

const actionRules: { readonly [T in ProposalActionType]: ActionRule<ActionOf<T>> } = {
  adjust_wallet: {
    subjectOf: ({ tenantId }) => tenantId,
    detailsOf: ({ direction, amount, differenceId, payoutId }) => ({
      direction,
      amount_minor: amount.minor.toString(),
      ...(differenceId !== undefined && { difference_id: differenceId }),
      ...(payoutId !== undefined && { payout_id: payoutId }),
    }),
    read: (tenantId, details) => ({
      type: 'adjust_wallet',
      tenantId,
      direction: details['direction'] === 'in' ? 'in' : 'out',
      amount: amountOf(details),
      ...(details['difference_id'] !== undefined && { differenceId: details['difference_id'] }),
      ...(details['payout_id'] !== undefined && { payoutId: details['payout_id'] }),
    }),
    limitedAmountOf: ({ amount, differenceId, payoutId }) =>
      differenceId === undefined && payoutId === undefined ? amount : null,
  },
  credit_deposit: {
    ...creditRule,
    detailsOf: (action) => ({
      ...creditRule.detailsOf(action),
      ...(action.reviewCode !== undefined && { review_code: action.reviewCode }),
    }),
    read: (depositId, { review_code: reviewCode, ...details }) => ({
      ...creditRule.read(depositId, details),
      ...(reviewCode !== undefined && { reviewCode: reviewCode as ScreeningReviewCode }),
    }),
    limitedAmountOf: ({ amount, reviewCode }) => (reviewCode === undefined ? amount : null),
  },
  close_deposit: reviewRule('close_deposit'),
  close_deposits: {
    subjectOf: ({ tenantId }) => tenantId,
    detailsOf: ({ depositIds, amount }) => ({
      deposit_ids: depositIds.join(' '),
      amount_minor: amount.minor.toString(),
    }),
    read: (tenantId, details) => ({
      type: 'close_deposits',
      tenantId,
      depositIds: (details['deposit_ids'] ?? '').split(' '),
      amount: amountOf(details),
    }),
    limitedAmountOf: ({ amount }) => amount,
  },
  return_deposit: {
    subjectOf: ({ depositId }) => depositId,
    detailsOf: ({ amount, toAddress, txHash }) => ({
      amount_minor: amount.minor.toString(),
      to_address: toAddress,
      tx_hash: txHash,
    }),
    read: (depositId, details) => ({
      type: 'return_deposit',
      depositId,
      amount: amountOf(details),
      toAddress: details['to_address'] ?? '',
      txHash: details['tx_hash'] ?? '',
    }),
    limitedAmountOf: () => null,
  },
  settle_payout: {
    subjectOf: ({ payoutId }) => payoutId,
    detailsOf: settlementDetails,
    read: settlementFromDetails,
    limitedAmountOf: () => null,
  },
  issue_operator_token: {
    subjectOf: ({ tokenId }) => tokenId,
    detailsOf: ({ person, label, role, fingerprint, expiresAt }) => ({
      person,
      label,
      role,
      fingerprint,
      expires_at: expiresAt.toISOString(),
    }),
    read: (tokenId, { person = '', label = '', role, fingerprint = '', expires_at: at = '' }) => ({
      type: 'issue_operator_token',
      tokenId,
      person,
      label,
      fingerprint,
      role: role === 'admin' ? 'admin' : 'operator',
      expiresAt: new Date(at),
    }),
    limitedAmountOf: () => null,
    approver: 'admin',
  },
  issue_api_key: {
    subjectOf: ({ keyId }) => keyId,
    detailsOf: keyDetails,
    read: keyFromDetails,
    limitedAmountOf: () => null,
    approver: 'admin',
  },
  change_limits: {
    subjectOf: ({ tenantId }) => tenantId,
    detailsOf: ({ limits }) => limitDetails(limits),
    read: (tenantId, details) => ({ type: 'change_limits', tenantId, limits: limitsFromDetails(details) }),
    limitedAmountOf: () => null,
    approver: 'admin',
  },
  decide_screening: {
    subjectOf: ({ caseId }) => caseId,
    detailsOf: ({ decision, name, list }) => ({ decision, name, list }),
    read: (caseId, { decision, name = '', list = '' }) => ({
      type: 'decide_screening',
      caseId,
      decision: decision === 'cleared' ? 'cleared' : 'confirmed',
      name,
      list,
    }),
    limitedAmountOf: () => null,
    approver: 'admin',
  },
  change_pricing: {
    subjectOf: ({ tenantId }) => tenantId,
    detailsOf: ({ prices }) => priceDetails(prices),
    read: (tenantId, details) => ({ type: 'change_pricing', tenantId, prices: pricesFromDetails(details) }),
    limitedAmountOf: () => null,
    approver: 'admin',
  },
  resume_tenant: resumeRule,
  start_payouts: startRule,
}

const amountOf = ({ amount_minor: minor = '' }: ActionDetails): Usdt => usdt(BigInt(minor))

const ruleOf = (type: ProposalActionType): ActionRule<ProposalAction> => actionRules[type]

/** Every action's name. */
export const proposalActionTypes: readonly ProposalActionType[] = Object.keys(actionRules) as ProposalActionType[]

/** The action as a store keeps it. */
export const storedAction = (action: ProposalAction): StoredAction => ({
  type: action.type,
  subject: ruleOf(action.type).subjectOf(action),
  details: ruleOf(action.type).detailsOf(action),
})

/** The inverse of `storedAction`. */
export const readAction = ({ type, subject, details }: StoredAction): ProposalAction =>
  ruleOf(type).read(subject, details)

/** The role that an operator needs to approve the action. */
export const approverOf = ({ type }: ProposalAction): OperatorRole => ruleOf(type).approver ?? 'operator'

/** Whether one person may decide the action alone. */
export function isWithinLimit(action: ProposalAction, approvalLimit: Usdt): boolean {
  const amount = ruleOf(action.type).limitedAmountOf(action)
  return amount !== null && amount.minor <= approvalLimit.minor
}
