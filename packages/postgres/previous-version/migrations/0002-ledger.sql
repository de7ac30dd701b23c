-- Wallets, and the tenant's log: what ended or moved for a tenant, in the order of the commits.
-- Amounts are micro-USDT.
--
-- The log is in two tables, one row an entry: `payout_end`, and `funding_entry` for everything else.
-- An entry of a payout that was held also is the posting that captures or releases the hold.
-- docs/accounting.md shows how to read the books.

-- The only stored balance: the service's own accounts are the sum of their postings. The row is also the
-- tenant's mutex: a write of money locks it first, tenants in ascending order.
create table quipu.wallet (
  tenant_id text collate "C" primary key references quipu.tenant,
  id text collate "C" not null unique,
  available bigint not null default 0,
  held bigint not null default 0,
  seq bigint not null default 0, -- of the newest entry of the tenant's log
  logged_at timestamptz not null default '-infinity', -- and its instant
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint wallet_not_negative check (least(available, held) >= 0)
) with (fillfactor = 20, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.1);

-- The log's entries of deposits and adjustments. `seq` numbers the entries of a tenant from 1 without a gap
-- and `logged_at` never goes back, in both tables together: the wallet's lock decides both.
create table quipu.funding_entry (
  tenant_id text collate "C" not null,
  seq bigint not null,
  logged_at timestamptz not null,
  occurred_at timestamptz not null, -- of a pending deposit: its block's time
  amount bigint, -- null, as the next two, when nothing moved
  available_after bigint,
  held_after bigint,
  event_id uuid, -- null, as the bytes, of an adjustment
  type text collate "C" not null,
  subject_id text collate "C" not null, -- the deposit or adjustment
  body bytea, -- the event's final bytes
  constraint funding_entry_sound check (
    type in ('deposit.pending', 'deposit.credited', 'deposit.in_review', 'adjustment_in',
      'adjustment_out')
    and num_nulls(amount, available_after, held_after)
      = case when type in ('deposit.pending', 'deposit.in_review') then 3 else 0 end
    and num_nulls(event_id, body) = case when type like 'adjustment%' then 2 else 0 end
    and amount > 0
  ),
  constraint event_id_of_its_instant check (
    event_id is null or uuid_extract_timestamp(event_id) is not distinct from logged_at
  ),
  primary key (tenant_id, logged_at, seq)
);
create index funding_entry_type on quipu.funding_entry (tenant_id, type, logged_at, seq);
-- The one credit of a deposit, the one posting of an adjustment.
create unique index funding_entry_posting on quipu.funding_entry (subject_id, tenant_id)
  where amount is not null;
create trigger append_only before update or delete on quipu.funding_entry
  for each row execute function quipu.refuse_change();
create trigger never_emptied before truncate on quipu.funding_entry
  execute function quipu.refuse_change();

-- One row for each commit that logs events: the tenants among its own that have endpoints. Commits only insert
-- and claims of deliveries only delete, so that the two share no lock.
create table quipu.delivery_signal (
  tenant_ids text[] collate "C" not null
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.1);

create table quipu.adjustment (
  tenant_id text collate "C" not null references quipu.tenant,
  id text collate "C" not null,
  direction text not null check (direction in ('in', 'out')),
  amount bigint not null check (amount > 0),
  reason text not null,
  actor text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create trigger append_only before update or delete on quipu.adjustment
  for each row execute function quipu.refuse_change();
create trigger never_emptied before truncate on quipu.adjustment
  execute function quipu.refuse_change();

-- A commit decides the instant of an entry under its wallet's lock, when the event's bytes are made. Where
-- that instant is later, it is written over the one in the bytes. That is rare, and cheaper than to put the
-- bytes of every event together in SQL.

-- A version 7 UUID with its random bits kept and another instant.
create function quipu.uuid_at(id uuid, at timestamptz) returns uuid
language sql immutable
return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || right(id::text, 23))::uuid;

-- An event's bytes with this id and these instants. `places` are the offsets, from 0, of the texts of its id,
-- of `occurred_at`, of `recorded_at`, and of the `completed_at` or `credited_at` in its data, which is null
-- where the data has none; all have a fixed width. `redateEvent` in packages/core does the same.
create function quipu.redated_body(body bytea, places int[], id uuid, occurred timestamptz,
  recorded timestamptz)
returns bytea language plpgsql stable as $$
declare
  iso constant text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
  occurred_text bytea := convert_to(to_char(occurred at time zone 'UTC', iso), 'UTF8');
  recorded_text bytea := convert_to(to_char(recorded at time zone 'UTC', iso), 'UTF8');
begin
  body := overlay(body placing convert_to(id::text, 'UTF8') from places[1] + 1);
  body := overlay(body placing occurred_text from places[2] + 1);
  body := overlay(body placing recorded_text from places[3] + 1);
  return case when places[4] is null then body
    else overlay(body placing occurred_text from places[4] + 1) end;
end
$$;
