import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeEvent } from '@quipu/wire'
import type pg from 'pg'
import { type BenchTenant, makeQuotes, source, target } from './fixtures.ts'
import { type Pgbench, tps } from './pgbench.ts'
import { completedPayout } from './payouts.ts'

const batch = 64
const clients = 2

/**
 * The two functions of the store, called by pgbench in batches of 64 that SQL itself puts together:
 * what the database alone can do.
 *
 * @returns payouts per second
 */
export async function measureSql(
  db: pg.Client,
  pgbench: Pgbench,
  tenants: readonly BenchTenant[],
  seconds: number,
): Promise<number> {
  const quotes = await makeQuotes(db, tenants, seconds * 25_000)
  await db.query(`drop schema if exists bench cascade; create schema bench;
    create sequence bench.batch;
    create table bench.quote (n int primary key, tenant_id text, quote_id uuid, payout_id text);`)
  await db.query(
    `insert into bench.quote
     select n, tenant, quote, 'po_' || lpad(upper(to_hex(n)), 8, '0') || substr(upper(md5(quote::text)), 1, 18)
     from unnest($1::text[], $2::uuid[]) with ordinality q (tenant, quote, n)`,
    [quotes.map(({ tenant }) => tenant.id), quotes.map(({ quoteId }) => quoteId)],
  )
  await db.query(functions())
  const folder = await mkdtemp(join(tmpdir(), 'quipu-bench-'))
  try {
    const script = join(folder, 'batch.sql')
    await writeFile(
      script,
      `select nextval('bench.batch') as n \\gset
       select quipu.open_payouts(bench.openings(:n), '', null);
       select quipu.settle_payouts(bench.settlements(:n), bench.bodies());`,
    )
    const transactions = String(Math.floor(quotes.length / batch / clients))
    const limits = ['-c', String(clients), '-t', transactions]
    return batch * tps(await pgbench('-n', '-M', 'prepared', '-f', script, ...limits))
  } finally {
    await rm(folder, { recursive: true })
  }
}

function functions(): string {
  const { body, places } = encodeEvent(completedPayout('0'.repeat(26)))
  const from = `from (select *, uuidv7() as event from bench.quote) q where q.n > (b - 1) * ${batch} and q.n <= b * ${batch}`
  return `
    create function bench.openings(b bigint) returns quipu.opening[] language sql as $$
      select array_agg(jsonb_populate_record(null::quipu.opening, jsonb_build_object(
        'tenant_id', tenant_id, 'payout_id', payout_id, 'transaction_id', payout_id, 'fingerprint', 'v1:bench', 'quote_id', quote_id,
        'target', ${target.minor}, 'created_at', date_trunc('milliseconds', now()), 'qr_mode', 'closed',
        'merchant_name', 'Bench', 'bank_code', '1001', 'network_ref', 'bench',
        'hold', ${source.minor}, 'lease_seconds', 15)) order by n) ${from} $$;
    create function bench.settlements(b bigint) returns quipu.settlement[] language sql as $$
      select array_agg(jsonb_populate_record(null::quipu.settlement, jsonb_build_object(
        'tenant_id', tenant_id, 'payout_id', payout_id, 'fence', 1, 'transfer_type', 'capture',
        'amount', ${source.minor}, 'status', 'completed', 'ended_at', date_trunc('milliseconds', now()),
        'network_payment_id', payout_id, 'event_id', event, 'event_type', 'payout.completed',
        'occurred_at', uuid_extract_timestamp(event), 'recorded_at', uuid_extract_timestamp(event),
        'id_place', ${places.id}, 'occurred_place', ${places.occurredAt},
        'recorded_place', ${places.recordedAt}, 'ended_place', ${places.settledAt},
        'body_from', 1, 'body_size', ${body.length})) order by n) ${from} $$;
    create function bench.bodies() returns bytea language sql immutable as $$
      select '\\x${Buffer.from(body).toString('hex')}'::bytea $$;`
}
