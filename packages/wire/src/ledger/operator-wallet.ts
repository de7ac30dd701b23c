import { addMoney, type PageQuery, toDecimal } from '@quipu/core'
import type { WalletOverview } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { members } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { instantToJson } from '../json/instant.ts'
import { usdtAmount } from '../json/money.ts'
import { mapParsed, type Parsed } from '../json/parsed.ts'
import { parseQuery } from '../json/query.ts'
import { cursorScope } from '../list/cursor.ts'
import { type ListRequest, pageOf, pageParameters, readPage } from '../list/list.ts'

/** A wallet as operators see it. */
export const operatorWallet = z
  .object({
    id: idText('wal'),
    tenant_id: idText('ten'),
    currency: z.literal('USDT'),
    available: usdtAmount,
    held: usdtAmount.meta({ description: 'Reserved for payouts in `processing`.' }),
    total: usdtAmount.meta({ description: '`available` and `held` together.' }),
    newest_entry_at: time
      .nullable()
      .meta({ description: 'The newest entry of the tenant’s log; null while it has none.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'OperatorWallet' })
export type OperatorWalletJson = z.output<typeof operatorWallet>

export const operatorWalletToJson = (wallet: WalletOverview): OperatorWalletJson => ({
  id: wallet.id,
  tenant_id: wallet.tenantId,
  currency: 'USDT',
  available: toDecimal(wallet.available),
  held: toDecimal(wallet.held),
  total: toDecimal(addMoney(wallet.available, wallet.held)),
  newest_entry_at: wallet.newestEntryAt && instantToJson(wallet.newestEntryAt),
  created_at: instantToJson(wallet.createdAt),
  updated_at: instantToJson(wallet.updatedAt),
})

export const operatorWalletPage = pageOf(operatorWallet, 'OperatorWalletPage')

/** The query of `GET /operator/v1/wallets`. */
export const operatorWalletListQuery = members({ tenant_id: id('ten').optional(), ...pageParameters }, 'in the query')

/** Reads the query of `GET /operator/v1/wallets`. */
export function parseOperatorWalletList(
  search: URLSearchParams | string,
): Parsed<ListRequest<PageQuery & { readonly tenantId?: string }>> {
  const parsed = parseQuery(operatorWalletListQuery, search)
  if (!parsed.ok) return parsed
  const { limit, cursor, ...filters } = parsed.value
  const scope = cursorScope('wallets', 'operator', filters as Record<string, string>)
  return mapParsed(readPage({ limit, cursor }, scope), (page) => ({
    query: { ...page, ...(filters.tenant_id && { tenantId: filters.tenant_id }) },
    scope,
  }))
}
