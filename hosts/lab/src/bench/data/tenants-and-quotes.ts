import { type Bob, bob, type Usdt, usdt } from '@quipu/core'
import { makeApiKey } from '@quipu/core/adapter'
import { systemIds, systemRandom } from '@quipu/core/system'
import type pg from 'pg'

/** Each payout is of BOB 100.00, at the rate 9.8007. */
export const target: Bob = bob(100_00n)
export const source: Usdt = usdt(10_203_353n)

export type BenchTenant = { readonly id: string; readonly apiKey: string }
export type BenchQuote = { readonly tenant: BenchTenant; readonly quoteId: string }

export const funds = 9n * 10n ** 17n

/** Inserts tenants with enough USDT for all measurements, each with an API key. */
export async function makeTenants(db: pg.Client, count: number): Promise<readonly BenchTenant[]> {
  const at = new Date()
  const tenants = Array.from({ length: count }, () => {
    const { key, ...kept } = makeApiKey('live', systemRandom)
    const ids = { id: systemIds.next('ten', at), wallet: systemIds.next('wal', at) }
    return { ...ids, key, keyId: systemIds.next('key', at), ...kept }
  })
  const rows = JSON.stringify(tenants)
  await db.query(
    `insert into quipu.tenant (id, legal_name, contact_name, contact_email, status, margin_bps,
       fee_bps, fee_fixed, payment_cap, created_at, revision)
     select id, 'Bench S.R.L.', 'Bench', 'bench@example.com', 'active', 150, 0, 0, 5000000, now(), 1
     from jsonb_to_recordset($1) t (id text)`,
    [rows],
  )
  await db.query(
    `insert into quipu.wallet (tenant_id, id, available, created_at, updated_at)
     select id, wallet, $2, now(), now() from jsonb_to_recordset($1) t (id text, wallet text)`,
    [rows, funds.toString()],
  )
  await db.query(
    `insert into quipu.api_key (id, tenant_id, name, prefix, last_four, hash, scopes, created_at,
       activated_at, last_used_at)
     select "keyId", id, 'bench', prefix, "lastFour", hash, '{payouts:write,payouts:read,wallet:read,webhooks:read}', now(),
       now(), now()
     from jsonb_to_recordset($1) t (id text, "keyId" text, prefix text, "lastFour" text, hash text)`,
    [rows],
  )
  return tenants.map(({ id, key }) => ({ id, apiKey: key }))
}

/** Inserts quotes, for the tenants in turn. */
export async function makeQuotes(db: pg.Client, tenants: readonly BenchTenant[], count: number): Promise<BenchQuote[]> {
  const { rows } = await db.query<{ id: string; place: number }>({
    text: `with dealt as (
        select uuidv7() as id, (n % $2)::int as place from generate_series(0, $3::int - 1) n
      ), made as (
        insert into quipu.quote (tenant_id, id, rate, target, principal, fee, source, bid,
          rate_source, created_at, expires_at)
        select ($1::text[])[place + 1], id, 98007, $4, $5, 0, $5, 99500, 'fixed', now(), now() + interval '1 hour'
        from dealt
      )
      select id, place from dealt`,
    values: [tenants.map(({ id }) => id), tenants.length, count, target.minor.toString(), source.minor.toString()],
  })
  return rows.map(({ id, place }) => {
    const tenant = tenants[place]
    if (!tenant) throw new Error('a quote has no tenant')
    return { tenant, quoteId: id }
  })
}

export async function countEvents(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ count: string }>('select count(*) from quipu.tenant_log where event_id is not null')
  return Number(rows[0]?.count)
}
