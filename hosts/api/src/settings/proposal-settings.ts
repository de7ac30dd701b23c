import { type Bob, bob, parseMoney, toDecimal } from '@quipu/core'
import {
  defaultProposalSettings,
  defaultUnapprovedLimits,
  type ProposalSettings,
  type UnapprovedLimits,
} from '@quipu/core/operator'
import { usdtAmount, whole } from '@quipu/runtime'
import { z } from 'zod'

const bobAmount = z
  .string()
  .refine((text) => parseMoney('BOB', text) !== undefined, 'must be an amount of BOB such as 50000.00')
  .transform((text): Bob => parseMoney('BOB', text) ?? bob(0n))

const { paymentCap: defaultCap, amount: defaultAmount } = defaultUnapprovedLimits

/** The decisions that need a second person, and until when that person may approve. */
export const proposalSettings = {
  APPROVAL_LIMIT_USDT: usdtAmount
    .default(defaultProposalSettings.approvalLimit)
    .describe(
      'Up to this amount one operator alone may adjust a wallet, and credit or close a deposit in review. With 0 each needs two people.',
    ),
  APPROVAL_LIMIT_CAP_BOB: bobAmount
    .optional()
    .describe(
      `Up to this payment cap one admin alone raises the cap of a tenant. Default: ${toDecimal(defaultCap)} in production; in the sandbox one admin raises every limit and changes every price.`,
    ),
  APPROVAL_LIMIT_DAILY_USDT: usdtAmount
    .optional()
    .describe(
      `Up to this daily limit one admin alone raises the daily limit of a tenant. Default: ${toDecimal(defaultAmount)} in production; in the sandbox one admin raises every limit.`,
    ),
  PROPOSAL_LIFE_SECONDS: whole(60, 2_592_000)
    .default(defaultProposalSettings.approvableSeconds)
    .describe('How long another operator can approve a proposal.'),
}

const schema = z.object(proposalSettings)
type Settings = z.output<typeof schema>

export const proposalSettingsOf = ({
  APPROVAL_LIMIT_USDT: approvalLimit,
  PROPOSAL_LIFE_SECONDS: approvableSeconds,
}: Pick<Settings, 'APPROVAL_LIMIT_USDT' | 'PROPOSAL_LIFE_SECONDS'>): ProposalSettings => ({
  approvalLimit,
  approvableSeconds,
})

/** Null: one admin alone raises every limit, as in a sandbox that sets neither. */
export function unapprovedLimitsOf(
  settings: Settings & { readonly ENVIRONMENT: 'sandbox' | 'production' },
): UnapprovedLimits | null {
  const { APPROVAL_LIMIT_CAP_BOB: paymentCap, APPROVAL_LIMIT_DAILY_USDT: amount } = settings
  const isSet = paymentCap !== undefined || amount !== undefined
  if (settings.ENVIRONMENT === 'sandbox' && !isSet) return null
  return { paymentCap: paymentCap ?? defaultCap, amount: amount ?? defaultAmount }
}
