import type { Operator } from '../access/operator.ts'
import type { SettingsShape } from '../check-settings.ts'
import type { Ids } from '../ids.ts'
import { type Usdt, usdt, usdtShape } from '../money.ts'
import type { OpenProposal, ProposalNote } from './proposal.ts'

/** Up to which amount one person decides alone, and how long a second one may approve. */
export type ProposalSettings = {
  /** Up to this amount one person alone may adjust a wallet, and credit or close a deposit. */
  readonly approvalLimit: Usdt
  /** How long a proposal can be approved. */
  readonly approvableSeconds: number
}

/** The required members of `ProposalSettings`. */
export const proposalSettingsShape: SettingsShape<ProposalSettings> = {
  approvalLimit: usdtShape,
  approvableSeconds: 'positive',
}

/** Every movement of money by hand needs two people. */
export const defaultProposalSettings: ProposalSettings = { approvalLimit: usdt(0n), approvableSeconds: 72 * 3_600 }

/** A proposal of the operator. */
export const newProposal = (
  ids: Ids,
  { approvableSeconds }: Pick<ProposalSettings, 'approvableSeconds'>,
  { person: proposedBy }: Operator,
  createdAt: Date,
  { tenantId, action, reason, evidence }: Pick<OpenProposal, 'tenantId' | 'action'> & ProposalNote,
): OpenProposal => ({
  id: ids.next('prp', createdAt),
  tenantId,
  action,
  reason,
  evidence,
  proposedBy,
  createdAt,
  expiresAt: new Date(createdAt.getTime() + approvableSeconds * 1_000),
  status: 'open',
})
