import type { Page, Payout } from '@quipu/core'
import { foldText, type PagePosition, type PayoutQuery } from '@quipu/core/adapter'
import type { PayoutOverview, PayoutOverviewQuery } from '@quipu/core/operator'
import type { Database, Statement } from '../connection/database.ts'
import { idBoundsOf, pageOf, scannedPageOf } from '../page.ts'
import { listPayouts as listOfTenant, placed, readPayouts } from './payout-list.ts'
import type { PayoutRow } from './payout-row.ts'
import { withOpenPayouts } from './open-payouts.ts'
import {
  lastScanned,
  lastScannedOfTenant,
  listAll,
  listByTransaction,
  listExceptions,
  listProcessing,
  scanAll,
  scanTenant,
} from './payout-statements.ts'

/** Payouts of all tenants, newest first. */
export async function listPayouts(database: Database, query: PayoutOverviewQuery): Promise<Page<PayoutOverview>> {
  const page = await pageOfPayouts(database, query)
  return { ...page, items: await withOpenPayouts(database, page.items) }
}

async function pageOfPayouts(database: Database, query: PayoutOverviewQuery): Promise<Page<Payout>> {
  const choice = choose(query)
  if (choice === 'none') return { items: [], next: null }
  if ('ofTenant' in choice) return listOfTenant(database, choice.ofTenant, choice.query)
  const bounds = idBoundsOf('po', query)
  const values = [...bounds, query.limit + 1, ...choice.values.map((value) => value ?? null)]
  const rows = await database.list<PayoutRow>(choice.statement, values)
  const places = rows.map(placed)
  const { last } = choice
  if (last === undefined) return readPayouts(database, pageOf(places, query.limit))
  const page = await scannedPageOf(places, query.limit, async () => {
    const [row] = await database.list<PagePosition>(last.statement, [...bounds, ...last.values])
    return row
  })
  return readPayouts(database, page)
}

type Choice = {
  readonly statement: Statement
  readonly values: readonly unknown[]
  /** For a page that reads a bounded number of rows: finds the last of them. */
  readonly last?: { readonly statement: Statement; readonly values: readonly unknown[] }
}

/** The statement whose index fits the filters best; `none` for filters that exclude each other. */
function choose(
  query: PayoutOverviewQuery,
): Choice | { readonly ofTenant: string; readonly query: PayoutQuery } | 'none' {
  const { tenantId, status, errorCode, transactionId, networkPaymentId, ...others } = query
  const { networkReference, keyId, merchant, targetFrom, targetTo, isRaised = false, ...period } = others
  const name = merchant === undefined ? undefined : foldText(merchant)
  const requested = [networkReference, keyId, name, targetFrom?.minor, targetTo?.minor]
  const ofEnd = [status, errorCode, networkPaymentId, ...requested]
  const isOfEnd = errorCode !== undefined || networkPaymentId !== undefined
  const isScanned = isOfEnd || requested.some((value) => value !== undefined)
  if (transactionId !== undefined)
    return { statement: listByTransaction, values: [...ofEnd, transactionId, tenantId, isRaised] }
  if (status === 'processing' || (isRaised && status === undefined))
    return isOfEnd ? 'none' : { statement: listProcessing, values: [tenantId, isRaised, ...requested] }
  if (isRaised) return 'none'
  if (tenantId !== undefined) {
    const last = { statement: lastScannedOfTenant, values: [tenantId] }
    return isScanned
      ? { statement: scanTenant, values: [...ofEnd, tenantId], last }
      : { ofTenant: tenantId, query: { ...period, ...(status && { status }) } }
  }
  if (isScanned || status === 'completed')
    return { statement: scanAll, values: ofEnd, last: { statement: lastScanned, values: [] } }
  return status === undefined ? { statement: listAll, values: [] } : { statement: listExceptions, values: [status] }
}
