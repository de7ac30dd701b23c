import { bob, rate, usdt } from '@quipu/core'
import { quotePrice } from '@quipu/core/adapter'
import { systemIds } from '@quipu/core/system'
import { encodeEvent } from '@quipu/wire'
import type pg from 'pg'
import { makeAuditedTenants } from './audited-tenants.ts'
import { completedPayout } from './payouts.ts'
import { funds } from './tenants-and-quotes.ts'

const perStatement = 5_000
const hourMs = 3_600_000

/** The month is that of La Paz and of UTC together: it begins an hour before the one and ends an hour after the other. */
const businessMonth = { from: new Date('2026-09-30T23:00:00.000Z'), to: new Date('2026-11-01T05:00:00.000Z') }
/** One payout in this many is of each of these. */
const every = { declined: 50, failed: 20, refunded: 200, adjusted: 150 }

type Row = Record<string, string | number | null>

/**
 * Inserts payouts of a month as if they had been made one by one: of tenants with other pricings, at bids that move, with
 * failures, refunds and adjustments, and at the milliseconds around each midnight of both zones.
 */
export async function makeBusinessMonth(
  db: pg.Client,
  size: { readonly payouts: number; readonly tenants: number },
): Promise<readonly string[]> {
  await db.query('set synchronous_commit = off')
  const tenants = await makeAuditedTenants(db, size.tenants, new Date(businessMonth.from.getTime() - 24 * hourMs))
  const wallets = new Map(tenants.map(({ id }) => [id, { available: funds, seq: 1n, at: '' }]))
  const instants = monthInstants(size.payouts)
  for (let made = 0; made < instants.length; made += perStatement) {
    const rows = instants.slice(made, made + perStatement).map((at, n) => {
      const number = made + n
      const tenantId = tenants[(number * 7) % tenants.length]?.id ?? ''
      return rowOf(number, tenantId, new Date(at), wallets.get(tenantId) ?? { available: 0n, seq: 0n, at: '' })
    })
    await insertRows(db, rows)
  }
  const kept = [...wallets].map(([id, { available, seq, at }]) => ({
    id,
    available: String(available),
    seq: String(seq),
    at,
  }))
  await db.query(
    `update quipu.wallet w set available = k.available, seq = k.seq, logged_at = k.at, updated_at = k.at
     from jsonb_to_recordset($1) k (id text, available bigint, seq bigint, at timestamptz)
     where w.tenant_id = k.id and k.at is not null`,
    [JSON.stringify(kept.filter(({ at }) => at !== ''))],
  )
  await db.query('reset synchronous_commit')
  return tenants.map(({ id }) => id)
}

/** Evenly over the month, and the milliseconds around each midnight of both zones, ascending. */
function monthInstants(count: number): readonly number[] {
  const [from, to] = [businessMonth.from.getTime(), businessMonth.to.getTime()]
  const borders: number[] = []
  for (let day = Math.ceil(from / (24 * hourMs)) * 24 * hourMs; day < to; day += 24 * hourMs)
    for (const midnight of [day, day + 4 * hourMs]) borders.push(midnight - 1, midnight, midnight + 1)
  const chosen = borders.slice(0, count)
  const others = count - chosen.length
  const step = Math.floor((to - from) / (others + 1))
  return [...chosen, ...Array.from({ length: others }, (_, n) => from + (n + 1) * step)].toSorted((a, b) => a - b)
}

function rowOf(n: number, tenantId: string, at: Date, wallet: { available: bigint; seq: bigint; at: string }): Row {
  const pricing = { marginBps: (n * 37) % 300, feeBps: (n * 11) % 90, feeFixed: usdt(BigInt((n * 7_919) % 250_000)) }
  const bid = rate(97_000n + BigInt((n * 613) % 6_000))
  const price = quotePrice(bob(BigInt(100 + ((n * 104_729) % 400_000))), bid, pricing)
  if (typeof price === 'string') throw new Error(`payout ${n} has no price`)
  const isDeclined = n % every.declined === 7
  const isFailed = !isDeclined && n % every.failed === 3
  const status = isDeclined ? 'cancelled' : isFailed ? 'failed' : 'completed'
  const { source } = price
  const held = wallet.available - source.minor
  if (status === 'completed') wallet.available = held
  wallet.seq += 1n
  wallet.at = at.toISOString()
  const end = { seq: String(wallet.seq), after: String(wallet.available) }
  const refund =
    status === 'completed' && n % every.refunded === 11 ? source.minor - BigInt(n % 3) * price.fee.minor : 0n
  const other = refund === 0n && n % every.adjusted === 5 ? BigInt(n) : 0n
  wallet.available += refund + other
  if (refund + other > 0n) wallet.seq += 1n
  return {
    tenant: tenantId,
    payout: systemIds.next('po', at),
    adjustment: systemIds.next('prp', at),
    at: at.toISOString(),
    ms: 40 + ((n * 97) % 3_000),
    status,
    bid: String(bid),
    rate: String(price.rate),
    target: String(price.target.minor),
    principal: String(price.principal.minor),
    fee: String(price.fee.minor),
    source: String(source.minor),
    hold: isDeclined ? null : String(source.minor),
    hold_after: isDeclined ? null : String(held),
    ...end,
    error: isDeclined ? 'INSUFFICIENT_BALANCE' : isFailed ? 'PAYMENT_FAILED' : null,
    moved: refund + other > 0n ? String(refund + other) : null,
    refunded: refund > 0n ? 1 : null,
    moved_seq: String(wallet.seq),
    moved_after: String(wallet.available),
  }
}

const insertRows = (db: pg.Client, rows: readonly Row[]): Promise<unknown> =>
  db.query(
    `with item as materialized (
       select i.*, quipu.uuid_at(uuidv7(), i.at) as id from jsonb_to_recordset($1) i (tenant text, payout text,
         adjustment text, at timestamptz, ms int, status text, bid bigint, rate bigint, target bigint, principal bigint,
         fee bigint, source bigint, hold bigint, hold_after bigint, seq bigint, after bigint, error text, moved bigint,
         refunded int, moved_seq bigint, moved_after bigint)
     ), quotes as (
       insert into quipu.quote (tenant_id, id, rate, target, principal, fee, source, bid, rate_source, created_at, expires_at)
       select tenant, id, rate, target, principal, fee, source, bid, 'fixed', at - interval '5 s', at from item order by id
     ), payouts as (
       insert into quipu.payout (target, created_at, hold, available_after, held_after, accepted_at, leased_until, quote_id,
         tenant_id, id, transaction_id, fingerprint, details)
       select target, at, hold, hold_after, hold, case when hold is not null then at - ms * interval '1 ms' end,
         case when hold is not null then at end, id, tenant, payout, id::text, 'bench',
         '{"qr":{"amount_mode":"closed","merchant":{"name":"Bench","bank_code":"1001"}}}'
       from item order by item.id
     ), ends as (
       insert into quipu.payout_end (seq, ended_at, amount, available_after, held_after, event_id, fencing_token, tenant_id,
         payout_id, status, network_payment_id, error_code, error_message, body)
       select seq, at, hold, case when hold is not null then after end, case when hold is not null then 0 end, id,
         case when hold is not null then 1 end, tenant, payout, status, payout, error, case when error is not null then 'Bench' end, $2
       from item order by id
     ), entries as (
       insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after, held_after, type, subject_id)
       select tenant, moved_seq, at, at, moved, moved_after, 0, 'adjustment_in', adjustment from item where moved is not null
     )
     insert into quipu.adjustment (tenant_id, id, direction, amount, reason, actor, created_at, payout_id)
     select tenant, adjustment, 'in', moved, 'bench', 'bench', at, case when refunded = 1 then payout end
     from item where moved is not null`,
    [JSON.stringify(rows), encodeEvent(completedPayout('bench'))],
  )
