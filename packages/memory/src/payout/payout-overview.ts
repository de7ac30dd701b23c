import type { Page, Payout } from '@quipu/core'
import type { PayoutOverview, PayoutOverviewQuery, PayoutRecord } from '@quipu/core/operator'
import { foldText } from '@quipu/core/adapter'
import type { Database } from '../table/database.ts'
import { pageOfAll } from '../page-of-all.ts'

export function listPayouts(database: Database, query: PayoutOverviewQuery): Page<PayoutOverview> {
  const payouts = Array.from(database.tenants.values(), (data) => [...data.payouts.values()])
  const wanted = payouts
    .flat()
    .filter(({ payout }) => isWanted(database, payout, query))
    .map(({ payout }) => ({ ...viewPayout(database, payout), ...positionOf(payout) }))
  const page = pageOfAll(wanted, query)
  return { ...page, items: page.items.map(({ payout, open }) => ({ payout, open })) }
}

export function readPayout(database: Database, id: string): PayoutRecord | undefined {
  for (const { payouts, events, wallet } of database.tenants.values()) {
    const payout = payouts.get(id)?.payout
    if (payout === undefined) continue
    const event = Array.from(events.values()).find(({ subjectId }) => subjectId === id)
    const postings = wallet.payoutPostings.get(id) ?? []
    return { ...viewPayout(database, payout), postings, eventId: event?.id ?? null }
  }
  return undefined
}

function viewPayout(database: Database, payout: Payout): PayoutOverview {
  const lease = database.leases.get(payout.id)
  if (lease === undefined || !payout.quote) return { payout, open: null }
  const { claimCount, unanswered, dueAt, raised, givenRef } = lease
  const known = { ...payout, networkRef: givenRef ?? payout.networkRef }
  return { payout: known, open: { claimCount, unanswered, dueAt, raised } }
}

/** The network's newest reference of a payout; null when its QR was not read. */
export function networkRefOf(database: Database, payout: Payout): string | null {
  const known = viewPayout(database, payout).payout
  return 'networkRef' in known ? known.networkRef : null
}

const positionOf = ({ createdAt, id }: Payout) => ({ createdAt, id })

function isWanted(database: Database, payout: Payout, query: PayoutOverviewQuery): boolean {
  const raised = database.leases.get(payout.id)?.raised ?? {}
  const members: readonly (readonly [wanted: unknown, is: unknown])[] = [
    [query.tenantId, payout.tenantId],
    [query.status, payout.status],
    [query.transactionId, payout.transactionId],
    [query.errorCode, 'error' in payout ? payout.error.code : null],
    [query.networkPaymentId, payout.status === 'completed' ? payout.networkPaymentId : null],
    [query.keyId, payout.keyId],
    [query.networkReference, networkRefOf(database, payout)],
  ]
  if (query.isRaised === true && Object.keys(raised).length === 0) return false
  const { merchant, targetFrom, targetTo } = query
  if (merchant !== undefined && !foldText(payout.qr?.merchant.name ?? '').includes(foldText(merchant))) return false
  if (targetFrom && payout.target.minor < targetFrom.minor) return false
  if (targetTo && payout.target.minor > targetTo.minor) return false
  return members.every(([wanted, is]) => wanted === undefined || wanted === is)
}
