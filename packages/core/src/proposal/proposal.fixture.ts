import { usdt } from '../money.ts'
import type { AdjustWallet } from './action.ts'
import type { ProposalDraft } from './proposal.ts'

export const start: Date = new Date('2026-03-04T05:06:07.089Z')
export const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1_000)

/** A draft of `ana` that expires after an hour. */
export const draft: ProposalDraft & { readonly action: AdjustWallet } = {
  id: 'prp_00000000000000000000000000',
  tenantId: 'ten_00000000000000000000000000',
  action: {
    type: 'adjust_wallet',
    tenantId: 'ten_00000000000000000000000000',
    direction: 'in',
    amount: usdt(5_000_000n),
  },
  reason: 'Fee charged twice.',
  evidence: null,
  proposedBy: 'ana',
  createdAt: start,
  expiresAt: after(3_600),
}
