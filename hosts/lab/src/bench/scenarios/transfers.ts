import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { temporaryFolder } from '../../run/temporary-folder.ts'
import { type Pgbench, tps, transactions } from '../postgres/pgbench.ts'
import { type CpuSource, startUsage } from '../report/cpu.ts'

export type TransfersResult = { readonly perSecond: number; readonly postgresCpuUs: number }

/**
 * A bare ledger in SQL with the tables, foreign keys and indexes of pgledger: accounts with rules, transfers by an
 * idempotency key, and two entries a transfer with the balance before and after. It runs one statement after the other,
 * and locks accounts in one order. PostgreSQL makes its ids, so it takes two thirds of pgledger's CPU.
 */
const tables = `
  create schema transfers;
  create table transfers.account (id text primary key, currency text not null, balance numeric not null,
    version bigint not null, allow_negative boolean not null, created_at timestamptz not null, updated_at timestamptz not null);
  create table transfers.transfer (id text primary key, source text not null references transfers.account,
    target text not null references transfers.account, amount numeric not null, created_at timestamptz not null,
    event_at timestamptz not null, check (amount > 0 and source <> target));
  create index on transfers.transfer (source);
  create index on transfers.transfer (target);
  create index on transfers.transfer (event_at);
  create table transfers.entry (id text primary key, account_id text not null references transfers.account,
    transfer_id text not null references transfers.transfer,
    amount numeric not null, balance_before numeric not null, balance_after numeric not null, version bigint not null,
    created_at timestamptz not null);
  create index on transfers.entry (account_id);
  create index on transfers.entry (transfer_id);
  create table transfers.idempotency_key (key text primary key, created_at timestamptz not null default now());
  create function transfers.move(account_id text, moved numeric, transfer_id text, at timestamptz) returns void
  language plpgsql as $$
  declare
    changed transfers.account;
  begin
    update transfers.account a set balance = a.balance + moved, version = a.version + 1, updated_at = at
    where a.id = account_id returning a.* into changed;
    if changed.balance < 0 and not changed.allow_negative then
      raise exception 'account % does not allow a negative balance', account_id;
    end if;
    insert into transfers.entry values ('e_' || uuidv7(), account_id, transfer_id, moved, changed.balance - moved,
      changed.balance, changed.version, at);
  end
  $$;
  create function transfers.transfer(key text, source text, target text, amount numeric) returns transfers.transfer
  language plpgsql as $$
  declare
    made transfers.transfer;
    currencies int;
  begin
    insert into transfers.idempotency_key (key) values (transfer.key);
    perform from transfers.account a where a.id in (source, target) order by a.id for update;
    select count(distinct a.currency) into currencies from transfers.account a where a.id in (source, target);
    if currencies <> 1 then raise exception 'two currencies'; end if;
    insert into transfers.transfer values ('t_' || uuidv7(), source, target, amount, now(), now()) returning * into made;
    perform transfers.move(source, -amount, made.id, made.created_at);
    perform transfers.move(target, amount, made.id, made.created_at);
    return made;
  end
  $$;
  insert into transfers.account
  select kind || n, 'USDT', 900000000, 0, false, now(), now()
  from unnest('{wallet,hold,settled}'::text[]) kind, generate_series(1, 1000) n;`

export const makeTransferTables = (db: pg.Client): Promise<unknown> => db.query(tables)

/** A payout without Quipu: wallet to hold, hold to settled, each a statement and a commit with its own key. */
const script = `
  \\set n random(1, 1000)
  \\set unique random(1, 9000000000000000000)
  select * from transfers.transfer('h' || :unique || '.' || :client_id, 'wallet' || :n, 'hold' || :n, 10.203353);
  select * from transfers.transfer('s' || :unique || '.' || :client_id, 'hold' || :n, 'settled' || :n, 10.203353);`

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
