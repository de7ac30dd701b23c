import type { Quote } from '../quote/quote.ts'
import type { Resolution } from '../quote/resolution.ts'
import type { Tenant } from '../tenant/tenant.ts'
import { type PayoutRefusal, refusePayout } from './payout-request.ts'
import type { PayoutStore, ReadConsistency, StoredPayout } from './ports.ts'

/** An open quote, with the resolution that it names. */
export type OpenQuote = { readonly type: 'open'; readonly quote: Quote; readonly resolution: Resolution | undefined }

type FoundQuote = OpenQuote | { readonly type: 'stored'; readonly stored: StoredPayout } | PayoutRefusal

/**
 * Finds the quote to pay at, or the payout that already has the `transaction_id`.
 *
 * Before a refusal a second, confirmed reading decides: the rows of the first one may still be lost, and
 * an equal request may have used this very quote.
 */
export async function findQuote(
  payouts: Pick<PayoutStore, 'findForCreate'>,
  { id: tenantId }: Tenant,
  { transactionId, quoteId }: { readonly transactionId: string; readonly quoteId: string },
): Promise<FoundQuote> {
  const find = async (consistency: ReadConsistency): Promise<FoundQuote> => {
    const found = await payouts.findForCreate(tenantId, transactionId, quoteId, consistency)
    const { stored, quote: view, resolution } = found
    if (stored) return { type: 'stored', stored }
    if (!view) return refusePayout('QUOTE_NOT_FOUND')
    if (view.status === 'used') return refusePayout('QUOTE_ALREADY_USED', view.payoutId)
    if (view.status === 'expired') return refusePayout('QUOTE_EXPIRED')
    return { type: 'open', quote: view.quote, resolution }
  }
  const latest = await find('latest')
  return latest.type === 'refused' ? find('confirmed') : latest
}
