import { setTimeout as pause } from 'node:timers/promises'
import type { PayoutClaim, PayoutStore, ProcessingPayout } from '@quipu/core/adapter'
import { type PostgresStores, postgresStores } from '@quipu/postgres'
import { systemIds } from '@quipu/core/system'
import { encodeEvent } from '@quipu/wire'
import type pg from 'pg'
import { makeEndpoints, makeEvents } from '../data/endpoints.ts'
import type { History } from '../data/history.ts'
import { openedPayout, settledPayout } from '../data/payouts.ts'
import { makeQuotes } from '../data/tenants-and-quotes.ts'

/** How many are claimed at once. */
export const claimSize = 50

/** Makes payouts, deposits and a reconciliation run that stay due, and events for `claims` claims of deliveries. */
export async function makeDueWork(
  db: pg.Client,
  stores: PostgresStores,
  { tenants, wallets }: History,
  claims: number,
): Promise<void> {
  await takeLeases(db, stores)
  await makeEndpoints(
    db,
    tenants.map((tenant) => ({ tenant, url: 'http://127.0.0.1:9/' })),
  )
  await makeEvents(db, tenants, Math.ceil((claims * claimSize) / tenants.length))
  for (const quote of await makeQuotes(db, tenants, claimSize)) {
    const step = openedPayout(quote)
    const commit = { kind: 'accept', step, fingerprint: 'v1:bench', leaseSeconds: 0 } as const
    const accepted = await stores.payouts.commit(commit)
    if (accepted !== 'committed') throw new Error(JSON.stringify(accepted))
  }
  await makeDueDeposits(
    db,
    wallets.slice(0, claimSize).map(({ id }) => id),
  )
  await prepareLedgerCheck(db, tenants)
  const createdAt = new Date()
  await stores.reconciliations.open({
    id: systemIds.next('rcn', createdAt),
    check: 'chain',
    period: null,
    scheduledFor: '2020-01-01',
    requestedBy: null,
    createdAt,
    position: 0,
  })
}

/** Takes the leases of all requests when they end, as a worker does. */
async function takeLeases(db: pg.Client, { payouts }: PostgresStores): Promise<void> {
  for (;;) {
    await payouts.claimDue(claimSize, 0)
    const { rowCount } = await db.query('select from quipu.payout_lease limit 1')
    if (rowCount === 0) return
    await pause(500)
  }
}

/**
 * Leaves the wallets without payouts to the ledger check: those of the history have more to check in the large
 * database, and others have balances without a deposit. Checks the first entries of the longest log, for its recheck.
 */
async function prepareLedgerCheck(db: pg.Client, tenants: History['tenants']): Promise<void> {
  await db.query(
    `update quipu.ledger_check set checked_at = 'infinity', rechecked_at = 'infinity'
     where checked_at = '-infinity' or tenant_id = any ($1)`,
    [tenants.map(({ id }) => id)],
  )
  for (let slices = 0; slices < 20; slices++) await db.query('select quipu.check_wallet($1, 1000)', [tenants[0]?.id])
}

/** Settles the payouts, so that no worker queries the network about them. */
export async function settleDuePayouts(url: string): Promise<void> {
  const { payouts, close } = postgresStores({ url })
  for (const { payout, claim } of await payouts.claimDue(claimSize, 60)) await settle(payouts, payout, claim)
  await close()
}

async function makeDueDeposits(db: pg.Client, tenantIds: readonly string[]): Promise<void> {
  const at = new Date()
  await db.query(
    `insert into quipu.deposit (id, tenant_id, chain, tx_hash, transfer_index, address, from_address, sender,
       amount, created_at, first_block, expires_at, solid, solid_block, due_at)
     select d.id, a.tenant_id, a.chain, encode(sha256(d.id::bytea), 'hex'), 0, a.address, 'Tbench', 'bench',
       1000000, $3, 1, $3, 'confirmed', 1, $3
     from unnest($1::text[], $2::text[]) d (id, tenant_id)
     join quipu.top_up_address a on a.tenant_id = d.tenant_id`,
    [tenantIds.map(() => systemIds.next('dep', at)), tenantIds, at],
  )
}

/** Settles a payout as completed, by this claim. */
async function settle(payouts: PayoutStore, payout: ProcessingPayout, claim: PayoutClaim): Promise<void> {
  const ended = settledPayout(payout)
  const { endedAt: at } = ended.payout
  const id = systemIds.uuid(at)
  const about = { id, tenantId: payout.tenantId, occurredAt: at, recordedAt: at }
  const fact = { ...about, type: 'payout.completed' as const }
  const body = encodeEvent({ ...fact, data: ended.payout })
  const event = { ...fact, subjectId: payout.id, recordedOn: () => ({ ...fact, subjectId: payout.id, body }) }
  const settled = await payouts.commit({ kind: 'settle', step: { ...ended, event }, claim })
  if (settled !== 'committed' && typeof settled !== 'object') throw new Error(settled)
}
