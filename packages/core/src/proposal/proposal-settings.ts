import { type Usdt, usdt, usdtShape } from '../money.ts'
import type { SettingsShape } from '../check-settings.ts'

/** Up to which amount one person decides alone, and how long a second one may approve. */
export type ProposalSettings = {
  /** Up to this amount one person alone may adjust a wallet, and credit or close a deposit. */
  readonly approvalLimit: Usdt
  /** How long a proposal can be approved. */
  readonly lifeSeconds: number
}

/** The required members of `ProposalSettings`. */
export const proposalSettingsShape: SettingsShape<ProposalSettings> = {
  approvalLimit: usdtShape,
  lifeSeconds: 'positive',
}

/** Every movement of money by hand needs two people, and 72 hours are enough for the second one. */
export const defaultProposalSettings: ProposalSettings = { approvalLimit: usdt(0n), lifeSeconds: 72 * 3_600 }
