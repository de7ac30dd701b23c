import { MAX_MINOR, type Usdt, usdt } from '../money.ts'
import { notBefore } from '../time.ts'
import type { TokenState } from '../chain/chain.ts'
import {
  type CreditedDeposit,
  type DepositInReview,
  type DepositStep,
  dustReason,
  type ReviewCode,
  reviewCodes,
  type UndecidedDeposit,
} from './deposit.ts'
import { creditDeposit } from './credit-deposit.ts'
import type { DepositRules } from './ports.ts'

/** The facts about a deposit that solid blocks have decided. */
export type DepositFacts = {
  /** Solid blocks prove that the transfer will never happen. */
  readonly isGone: boolean
  readonly tenantStatus: 'active' | 'suspended'
  readonly isAddressRetired: boolean
  /** `listed` and `unanswered`: see `Screened`. */
  readonly screening: 'clear' | 'listed' | 'unanswered'
  readonly isSenderBlocked: boolean
  /** The token's contract has frozen the top-up address: what arrives there can never move. */
  readonly isAddressFrozen: boolean
  /** The sender is an account of the service, such as a top-up address. */
  readonly isSenderService: boolean
  /** The row of the top-up address passes its integrity check. */
  readonly isAddressVerified: boolean
  readonly tokenState: TokenState
  readonly doSourcesDisagree: boolean
  /** Only one provider has confirmed it, there is no second one, and the limits for that are reached. */
  readonly isAboveUnverifiedLimit: boolean
}

/** The bounds of credits without a person, and the dust about which nobody is asked. */
export const defaultDepositRules: DepositRules = {
  minimum: usdt(1_000_000n),
  dust: usdt(10_000n),
  autoLimit: usdt(100_000_000_000n),
  verifyFrom: usdt(10_000_000_000n),
  unverifiedLimits: { perTenant: usdt(20_000_000_000n), inAll: usdt(100_000_000_000n) },
}

type Applies = (amount: Usdt, facts: DepositFacts, rules: DepositRules) => boolean

const applies: Readonly<Record<ReviewCode, Applies>> = {
  TRANSFER_DROPPED: (_, { isGone }) => isGone,
  SENDER_LISTED: (_, { screening }) => screening === 'listed',
  SENDER_NOT_SCREENED: (_, { screening }) => screening === 'unanswered',
  TENANT_NOT_ACTIVE: (_, { tenantStatus }) => tenantStatus !== 'active',
  ADDRESS_RETIRED: (_, { isAddressRetired }) => isAddressRetired,
  SENDER_BLOCKED: (_, { isSenderBlocked }) => isSenderBlocked,
  ADDRESS_FROZEN: (_, { isAddressFrozen }) => isAddressFrozen,
  SENDER_IS_SERVICE: (_, { isSenderService }) => isSenderService,
  ADDRESS_NOT_VERIFIED: (_, { isAddressVerified }) => !isAddressVerified,
  TOKEN_STATE_CHANGED: (_, { tokenState }) => tokenState !== 'normal',
  SOURCES_DISAGREE: (_, { doSourcesDisagree }) => doSourcesDisagree,
  AMOUNT_BELOW_MINIMUM: ({ minor }, _, { minimum }) => minor < minimum.minor,
  AMOUNT_ABOVE_AUTO_LIMIT: ({ minor }, { isAboveUnverifiedLimit }, { autoLimit }) =>
    minor > autoLimit.minor || minor > MAX_MINOR || isAboveUnverifiedLimit,
}

/** The first review code that applies, in order of precedence; null when the deposit can be credited. */
const reviewCodeOf = ({ amount }: UndecidedDeposit, facts: DepositFacts, rules: DepositRules): ReviewCode | null =>
  reviewCodes.find((code) => applies[code](amount, facts, rules)) ?? null

/** Whether the amount is too small for a review. */
export const isDust = ({ amount }: Pick<UndecidedDeposit, 'amount'>, { dust }: Pick<DepositRules, 'dust'>): boolean =>
  amount.minor < dust.minor

/**
 * Credits an undecided deposit or sends it to review. A review of dust is closed with the same step.
 *
 * @source spec §3 Deposit statuses; the conditions are assumed
 */
export function decideDeposit(
  deposit: UndecidedDeposit,
  facts: DepositFacts,
  rules: DepositRules,
  at: Date,
): DepositStep<CreditedDeposit | DepositInReview> {
  const reviewCode = reviewCodeOf(deposit, facts, rules)
  if (reviewCode === null) return creditDeposit(deposit, at)
  const closed = isDust(deposit, rules)
    ? { at: notBefore(at, deposit.createdAt), actor: null, reason: dustReason }
    : null
  return {
    deposit: { ...deposit, status: 'in_review', reviewCode, closed },
    transfer: null,
    event: 'deposit.in_review',
  }
}
