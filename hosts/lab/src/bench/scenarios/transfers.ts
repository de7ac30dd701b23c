import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { temporaryFolder } from '../../run/temporary-folder.ts'
import { type Pgbench, tps, transactions } from '../postgres/pgbench.ts'
import { type CpuSource, startUsage } from '../report/cpu.ts'

export type TransfersResult = { readonly perSecond: number; readonly postgresCpuUs: number }

/** A bare ledger: accounts, transfers by an idempotency key, and two entries a transfer with the balance after each. */
const tables = `
  create schema transfers;
  create table transfers.account (id int primary key, balance bigint not null, version bigint not null,
    changed_at timestamptz not null) with (fillfactor = 70);
  create table transfers.transfer (id uuid primary key, key text not null unique, source int not null,
    target int not null, amount bigint not null, created_at timestamptz not null);
  create table transfers.entry (id uuid primary key, transfer_id uuid not null, account_id int not null,
    amount bigint not null, balance_after bigint not null, version bigint not null, created_at timestamptz not null);
  create index on transfers.entry (account_id, version);
  create function transfers.transfer(given_key text, source_id int, target_id int, amount bigint) returns uuid
  language plpgsql as $$
  declare
    transfer_id uuid := uuidv7();
    at timestamptz := clock_timestamp();
    changed record;
  begin
    insert into transfers.transfer values (transfer_id, given_key, source_id, target_id, amount, at);
    perform from transfers.account a where a.id in (source_id, target_id) order by a.id for no key update;
    for changed in
      update transfers.account a set balance = a.balance + case a.id when target_id then amount else -amount end,
        version = a.version + 1, changed_at = at
      where a.id in (source_id, target_id) returning a.*
    loop
      if changed.id = source_id and changed.balance < 0 then raise exception 'balance too low'; end if;
      insert into transfers.entry values (uuidv7(), transfer_id, changed.id,
        case changed.id when target_id then amount else -amount end, changed.balance, changed.version, at);
    end loop;
    return transfer_id;
  end
  $$;
  insert into transfers.account select n, 900000000000, 0, now() from generate_series(1, 3000) n;`

export const makeTransferTables = (db: pg.Client): Promise<unknown> => db.query(tables)

/** What a payout would be without Quipu: wallet to hold, hold to settled, each a statement with its own key. */
const script = `
  \\set wallet random(1, 1000)
  \\set unique random(1, 9000000000000000000)
  select transfers.transfer('h' || :unique || :client_id, :wallet, :wallet + 1000, 10);
  select transfers.transfer('s' || :unique || :client_id, :wallet + 1000, :wallet + 2000, 10);`

/** Runs both transfers by pgbench. A unit is both of them. */
export async function measureTransfers(
  pgbench: Pgbench,
  postgresCpu: CpuSource,
  { seconds, clients }: { seconds: number; clients: number },
): Promise<TransfersResult> {
  await using folder = await temporaryFolder('bench-transfers')
  const file = join(folder.path, 'transfers.sql')
  await writeFile(file, script)
  const endUsage = startUsage({ postgres: postgresCpu })
  const threads = String(Math.min(2, clients))
  const limits = ['-c', String(clients), '-j', threads, '-T', String(seconds)]
  const report = await pgbench('-n', '-M', 'prepared', '-f', file, ...limits)
  const { cpuUs } = endUsage()
  return { perSecond: tps(report), postgresCpuUs: cpuUs.postgres / transactions(report) }
}
