import type { Usdt } from '../money.ts'
import type { PagePosition } from '../page.ts'
import type { PayoutDecisionStore } from '../payout/decision-ports.ts'
import type { Clock } from '../time.ts'
import type { AdjustWallet } from '../proposal/action.ts'
import type { ProposalStore } from '../proposal/ports.ts'
import type { ProposalRefusal } from '../proposal/steps.ts'

type RefundPorts = {
  readonly payoutDecisions: Pick<PayoutDecisionStore, 'find'>
  readonly proposals: Pick<ProposalStore, 'list'>
  readonly now: Clock
}

/**
 * The adjustment that refunds a payout, or why there is none.
 *
 * @param amount  null: the payout's price
 */
export async function refundOf(
  ports: RefundPorts,
  payoutId: string,
  amount: Usdt | null,
): Promise<AdjustWallet | Extract<ProposalRefusal, 'not_found' | 'not_refundable' | 'already_refunded'>> {
  const found = await ports.payoutDecisions.find(payoutId)
  if (!found) return 'not_found'
  const { payout, isRefunded } = found
  if (payout.status !== 'completed') return 'not_refundable'
  const { tenantId, quote } = payout
  if (amount !== null && amount.minor > quote.source.minor) return 'not_refundable'
  if (isRefunded || (await hasOpenRefund(ports, tenantId, payoutId))) return 'already_refunded'
  const refund = { tenantId, payoutId, direction: 'in', amount: amount ?? quote.source } as const
  return { type: 'adjust_wallet', ...refund }
}

/** Whether an open proposal refunds the payout. */
async function hasOpenRefund({ proposals, now }: RefundPorts, tenantId: string, payoutId: string): Promise<boolean> {
  const query = { status: 'open', now: now(), tenantId, action: 'adjust_wallet', limit: 100 } as const
  const isRefund = ({ action }: Awaited<ReturnType<typeof list>>['items'][number]): boolean =>
    action.type === 'adjust_wallet' && action.payoutId === payoutId
  const list = (after: PagePosition | null) => proposals.list({ ...query, ...(after && { after }) })
  let after: PagePosition | null = null
  do {
    const page = await list(after)
    if (page.items.some(isRefund)) return true
    after = page.next
  } while (after !== null)
  return false
}
