import { defaultProposalSettings, type ProposalSettings } from '@quipu/core/operator'
import { usdtAmount, whole } from '@quipu/runtime'
import { z } from 'zod'

/** What operators need a second person for, and until when that person may approve. */
export const proposalSettings = {
  APPROVAL_LIMIT_USDT: usdtAmount
    .default(defaultProposalSettings.approvalLimit)
    .describe(
      'Up to this amount one operator alone may adjust a wallet, and credit or close a deposit in review. With 0 each needs two people.',
    ),
  PROPOSAL_LIFE_SECONDS: whole(60, 2_592_000)
    .default(defaultProposalSettings.lifeSeconds)
    .describe('How long another operator can approve a proposal.'),
}

const schema = z.object(proposalSettings)

export const proposalSettingsOf = ({
  APPROVAL_LIMIT_USDT: approvalLimit,
  PROPOSAL_LIFE_SECONDS: lifeSeconds,
}: z.output<typeof schema>): ProposalSettings => ({ approvalLimit, lifeSeconds })
