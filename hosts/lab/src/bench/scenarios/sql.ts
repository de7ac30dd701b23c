import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { type BenchQuote, type BenchTenant, makeQuotes, source } from '../data/tenants-and-quotes.ts'
import { type Pgbench, tps } from '../postgres/pgbench.ts'
import { temporaryFolder } from '../../run/temporary-folder.ts'

const batch = 64
const clients = 2

/**
 * Calls `accept_payouts` and `settle_payouts` by pgbench, in batches of 64 that SQL builds: the upper bound
 * of the database alone.
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
  await makeBatches(db, quotes)
  await using folder = await temporaryFolder('bench-sql')
  const script = join(folder.path, 'batch.sql')
  await writeFile(
    script,
    `select nextval('bench.batch') as n \\gset
     select bench.apply(:n);
     select bench.settle(:n);`,
  )
  const transactions = String(Math.floor(quotes.length / batch / clients))
  const limits = ['-c', String(clients), '-t', transactions]
  return batch * tps(await pgbench('-n', '-M', 'prepared', '-f', script, ...limits))
}

/** Makes `bench.apply` and `bench.settle`, which pay the batch of this number, from 1. */
export async function makeBatches(db: pg.Client, quotes: readonly BenchQuote[]): Promise<void> {
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
}

function functions(): string {
  const from = `from (select *, uuidv7() as event from bench.quote) q where q.n > (b - 1) * ${batch} and q.n <= b * ${batch}`
  const all = (value: string): string => `array_agg(${value} order by n)`
  const owners = `array(select dense_rank() over (order by tenant_id)::int ${from} order by n)`
  return `
    create function bench.apply(b bigint) returns text[] language sql as $$
      select quipu.accept_payouts(array(select distinct tenant_id ${from} order by 1), ${owners},
        ${all('payout_id')}, ${all('payout_id')},
        ${all(`'v1:bench'::text`)}, ${all('quote_id')}, ${all(`${source.minor}::bigint`)},
        ${all(`date_trunc('milliseconds', now())`)},
        ${all(`'{"qr":{"amount_mode":"closed","merchant":{"name":"Bench","bank_code":"1001"}},"network_ref":"bench"}'::text`)},
        ${all('null::text')}, ${all('15000')}, null) ${from} $$;
    create function bench.settle(b bigint) returns text[] language sql as $$
      select (quipu.settle_payouts(array(select distinct tenant_id ${from} order by 1), ${owners},
        ${all('payout_id')}, ${all('1')},
        ${all(`'completed'::text`)}, ${all('null::text')}, ${all('null::text')}, ${all('payout_id')},
        ${all('uuid_extract_timestamp(event)')}, ${all('event')},
        ${all('null::text')})).results ${from} $$;`
}
