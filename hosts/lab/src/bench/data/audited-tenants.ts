import { makeApiKey } from '@quipu/core/adapter'
import { systemIds, systemRandom } from '@quipu/core/system'
import { encodeEvent } from '@quipu/wire'
import type pg from 'pg'
import { completedPayout } from './payouts.ts'
import { type BenchTenant, funds } from './tenants-and-quotes.ts'

/**
 * Inserts tenants as the service makes them, so that the ledger check finds no difference: with an audited key, a
 * top-up address, and a credited deposit as the first entry of the log. Their first checks are done.
 *
 * @param at  when they were created, in whole milliseconds
 * @returns those that were inserted: of a million, one may collide with another in `tenant_part_of_ids`
 */
export async function makeAuditedTenants(db: pg.Client, count: number, at: Date): Promise<readonly BenchTenant[]> {
  const drafts = Array.from({ length: count }, () => {
    const { key, ...kept } = makeApiKey('live', systemRandom)
    const ids = { id: systemIds.next('ten', at), wallet: systemIds.next('wal', at) }
    const others = { key_id: systemIds.next('key', at), deposit: systemIds.next('dep', at) }
    return { ...ids, ...others, key, prefix: kept.prefix, last_four: kept.lastFour, hash: kept.hash }
  })
  const { rows: inserted } = await db.query<{ id: string }>(
    `insert into quipu.tenant (id, legal_name, contact_name, contact_email, status, margin_bps,
       fee_bps, fee_fixed, payment_cap, created_at, revision)
     select id, 'Bench S.R.L.', 'Bench', 'bench@example.com', 'active', 150, 0, 0, 5000000, $2, 1
     from jsonb_to_recordset($1) t (id text)
     on conflict do nothing returning id`,
    [JSON.stringify(drafts), at],
  )
  const ids = new Set(inserted.map(({ id }) => id))
  const tenants = drafts.filter(({ id }) => ids.has(id))
  await insertRecords(db, JSON.stringify(tenants), at)
  return tenants.map(({ id, key }) => ({ id, apiKey: key }))
}

async function insertRecords(db: pg.Client, tenants: string, at: Date): Promise<void> {
  const common = [tenants, at]
  await db.query(
    `insert into quipu.wallet (tenant_id, id, available, seq, created_at, updated_at, logged_at)
     select id, wallet, $3, 1, $2, $2, $2 from jsonb_to_recordset($1) t (id text, wallet text)`,
    [...common, funds.toString()],
  )
  await db.query(
    `insert into quipu.api_key (id, tenant_id, name, prefix, last_four, hash, scopes, created_at, activated_at)
     select key_id, id, 'bench', prefix, last_four, hash, '{payouts:write,payouts:read,wallet:read,webhooks:read}', $2, $2
     from jsonb_to_recordset($1) t (id text, key_id text, prefix text, last_four text, hash text)`,
    common,
  )
  await insertDeposits(db, common)
  await db.query(
    `update quipu.ledger_check c
     set checked_at = now() - random() * interval '1 hour', rechecked_at = now() - random() * interval '12 hours',
       checked = row(1, $2::timestamptz, $3::numeric, $3::numeric, 0, 0, 0, 0)
     from jsonb_to_recordset($1) t (id text) where c.tenant_id = t.id`,
    [...common, funds.toString()],
  )
  await db.query(
    `select quipu.write_audit_entries(array_agg(e.entry order by e.n))
     from (
       select row_number() over () as n, unnest(array[
         quipu.audit_entry(row('bench', null, null, null, null), 'tenant.create', t.id, t.id, $2, null, quipu.tenant_state(t, null, null)),
         quipu.audit_entry(row('bench', null, null, null, null), 'api_key.issue', t.id, k.id, $2, null, quipu.api_key_details(k))
       ]) as entry
       from jsonb_to_recordset($1) d (id text, key_id text)
       join quipu.tenant t on t.id = d.id
       join quipu.api_key k on k.id = d.key_id
     ) e`,
    common,
  )
}

/** The event's bytes are those of a payout, which are about as many. */
async function insertDeposits(db: pg.Client, common: readonly unknown[]): Promise<void> {
  await db.query(
    `with addresses as (
       insert into quipu.top_up_address (chain, account, address, index, tenant_id, address_mac, created_at)
       select 'tron', left(encode(sha256(id::bytea), 'hex'), 40), 'T' || left(md5(id), 33),
         nextval('quipu.top_up_index_tron'), id, 'none', $2
       from jsonb_to_recordset($1) t (id text)
       returning tenant_id, address
     )
     insert into quipu.deposit (id, tenant_id, chain, tx_hash, transfer_index, address, from_address, sender,
       amount, created_at, first_block, expires_at, solid, solid_block, status, credited_at)
     select t.deposit, t.id, 'tron', encode(sha256(t.deposit::bytea), 'hex'), 0, a.address, 'Tbench', 'bench',
       $3, $2, 1, $2, 'confirmed', 1, 'credited', $2
     from jsonb_to_recordset($1) t (id text, deposit text) join addresses a on a.tenant_id = t.id`,
    [...common, funds.toString()],
  )
  await db.query(
    `insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after, held_after,
       event_id, type, subject_id, body)
     select id, 1, $2, $2, $3, $3, 0, quipu.uuid_at(uuidv7(), $2), 'deposit.credited', deposit, $4
     from jsonb_to_recordset($1) t (id text, deposit text)`,
    [...common, funds.toString(), encodeEvent(completedPayout('bench'))],
  )
}
