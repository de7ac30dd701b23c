-- Wallets, and the tenant's log: ended payouts, deposits and adjustments in the order of their commits.
-- Amounts are micro-USDT.
--
-- The log has one row an entry, in two tables: `payout_end` for payouts, `funding_entry` for the rest. The
-- entry of a payout with a hold is also the posting that captures or releases the hold.
-- docs/accounting.md shows how to read the ledger.

-- The only stored balance: the balances of the service's accounts are the sums of their postings. Every write
-- of money locks the tenant's row first, tenants in ascending order.
--
-- A commit logs the bytes of a row between its first and its last changed one. So columns that never change come
-- first, then those that a hold changes, then those that a capture changes.
create table quipu.wallet (
  tenant_id text collate "C" primary key references quipu.tenant,
  id text collate "C" not null unique,
  created_at timestamptz not null,
  daily_limit_amount bigint, -- what the tenant may pay out in a day; null: no limit, as in the next one
  daily_limit_count int,
  moved_to text collate "C", -- the cell that has the tenant: the row is a frozen copy; null: here
  used_on date not null default '-infinity', -- day of the newest accepted payout, in UTC
  used_count int not null default 0,
  used_amount numeric not null default 0, -- the holds of that day's payouts, without released ones
  available bigint not null default 0,
  held bigint not null default 0,
  updated_at timestamptz not null,
  seq bigint not null default 0, -- number of the newest entry of the tenant's log
  logged_at timestamptz not null default '-infinity', -- instant of the newest entry
  constraint wallet_not_negative check (least(available, held, used_amount, used_count) >= 0)
-- Every commit updates its wallets: the free space of 80 % keeps these updates heap-only (HOT) between two
-- vacuums.
) with (fillfactor = 20, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.1);

-- A migration changes the form of every row, also of frozen copies: `migrate`, and who fills a column outside it, sets
-- `quipu.migrating`. No process may.
create function quipu.is_migrating() returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return coalesce(current_setting('quipu.migrating', true) = 'on', false) and pg_has_role(session_user, 'quipu_owner', 'member');

-- Stops the money of a tenant that has moved (0041-cells.sql). A commit either had the wallet's lock before, or fails.
create function quipu.refuse_moved() returns trigger
language plpgsql as $$
begin
  if new.moved_to is not null and not quipu.is_migrating() then
    raise exception 'the tenant % has moved to cell %', old.tenant_id, old.moved_to using errcode = '57R01';
  end if;
  return null;
end
$$;
create trigger refuse_moved after update on quipu.wallet
  for each row when (old.moved_to is not null) execute function quipu.refuse_moved();

-- The cell of this database (0041-cells.sql). One row.
create table quipu.cell (
  singleton boolean primary key default true check (singleton),
  letter text collate "C" check (letter ~ '^[ghjkmnpqrstvwxyz]$'), -- null: keys and ids carry none
  entered_at timestamptz -- when tenants of another cell came, whose keys until then do not carry this letter
);
insert into quipu.cell default values;

-- The cell that has a tenant, or to which it moves; a tenant without a row is here. In a copy the tenants that stay are
-- elsewhere once it has its own letter. No foreign key, as the rows are many.
create table quipu.tenant_cell (
  tenant_id text collate "C" primary key,
  cell text collate "C" not null,
  left_at timestamptz -- null while the tenant moves: the other cell does not have it yet
);
create index tenant_cell_moving on quipu.tenant_cell (cell) where left_at is null;
-- Tenants that move or have moved: no claim takes their work. A claim asks with `limit 1` in a scalar subquery: of an
-- `exists` the planner may make a join that reads both tables.
create view quipu.moving_tenant as
select t.tenant_id, t.cell, t.left_at from quipu.tenant_cell t
where t.cell is distinct from (select c.letter from quipu.cell c where c.singleton);

-- Daily limits (docs/decisions/daily-limits.md) are decided on the wallet's row by `accept_payouts`.
create function quipu.utc_day(instant timestamptz) returns date
language sql immutable
return (instant at time zone 'UTC')::date;
comment on function quipu.utc_day is 'for processes'; -- `daily_use` calls it.

-- The part that a wallet has used of its daily limits on the day of this instant.
create function quipu.daily_use(w quipu.wallet, moment timestamptz, out amount numeric, out count int)
language sql immutable
begin atomic
  select case when quipu.utc_day(moment) > w.used_on then 0 else w.used_amount end,
    case when quipu.utc_day(moment) > w.used_on then 0 else w.used_count end;
end;
comment on function quipu.daily_use is 'for processes';

-- The types of events that `funding_entry` has; those of payouts' ends are in `payout_end`.
create function quipu.funding_event_types() returns text[]
language sql immutable
return array['deposit.pending', 'deposit.credited', 'deposit.in_review', 'deposit.closed', 'payout.refunded',
  'wallet.balance_low', 'wallet.balance_restored'];
comment on function quipu.funding_event_types is 'for processes';

-- The log's entries of deposits, adjustments, refunds and balances that crossed a threshold; a refund is an adjustment
-- and the entry of its event. In this table and `payout_end` together, `seq` numbers the entries of a tenant from 1
-- without a gap and `logged_at` never decreases: both are set under the wallet's lock.
create table quipu.funding_entry (
  tenant_id text collate "C" not null,
  seq bigint not null,
  logged_at timestamptz not null,
  occurred_at timestamptz not null, -- the block's time of a pending deposit, else `logged_at`
  amount bigint, -- this and the next two are null when no money moved
  available_after bigint,
  held_after bigint,
  event_id uuid, -- null for an adjustment, as is `body`
  type text collate "C" not null,
  subject_id text collate "C" not null, -- id of the deposit, adjustment, refunded payout or wallet
  body bytea, -- the event's final bytes
  constraint funding_entry_sound check (
    (type in ('adjustment_in', 'adjustment_out') or type = any (quipu.funding_event_types()))
    and num_nulls(amount, available_after, held_after)
      = case when type in ('deposit.credited', 'adjustment_in', 'adjustment_out') then 0 else 3 end
    and num_nulls(event_id, body) = case when type like 'adjustment%' then 2 else 0 end
    and amount > 0
  ),
  constraint event_id_of_its_instant check (
    event_id is null or uuid_extract_timestamp(event_id) is not distinct from logged_at
  ),
  primary key (tenant_id, logged_at, seq)
);
-- For the events of all tenants. Created before the next one, which the planner takes among equals.
create index funding_entry_event on quipu.funding_entry (type, event_id);
create index funding_entry_type on quipu.funding_entry (tenant_id, type, logged_at, seq);
-- A deposit has at most one credit, and an adjustment one posting.
create unique index funding_entry_posting on quipu.funding_entry (subject_id, tenant_id)
  where amount is not null;
select quipu.keep_rows('quipu.funding_entry');

-- One row for each commit that logs events: those of its tenants that have endpoints. Commits only insert,
-- and claims of deliveries only delete, so the two share no lock.
create table quipu.delivery_signal (
  tenant_ids text[] collate "C" not null
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.1);

-- A correction of a wallet, as its proposal says. Never changes.
create table quipu.adjustment (
  tenant_id text collate "C" not null references quipu.tenant,
  id text collate "C" not null,
  direction text not null check (direction in ('in', 'out')),
  amount bigint not null check (amount > 0),
  reason text not null,
  actor text not null,
  created_at timestamptz not null,
  payout_id text collate "C", -- the completed payout that it refunds
  primary key (tenant_id, id)
);
-- A payout is refunded once.
create unique index adjustment_refund on quipu.adjustment (payout_id) where payout_id is not null;
select quipu.keep_rows('quipu.adjustment');

-- The version 7 UUID with the same random bits and this instant.
create function quipu.uuid_at(id uuid, at timestamptz) returns uuid
language sql immutable
return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || right(id::text, 23))::uuid;
comment on function quipu.uuid_at is 'for processes';
