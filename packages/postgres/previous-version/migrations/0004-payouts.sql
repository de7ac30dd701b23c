-- Payouts. A payout is a row of `payout` that never changes, and at most one row of `payout_end`;
-- without one it is in `processing`.
-- What must hold once and for all lives here, in tables that are not partitioned by time.
-- A payout's id begins with the instant it was created, so lists go by it, newest first.
--
-- What the commit of a payout costs is above all the pages that it touches. So a key that is always
-- looked up whole begins with the column that grows with time, as the ids that tenants choose mostly do
-- too: new rows go beside the last ones. Columns of 8 bytes come first, so that none needs padding. Checks are
-- few, as each is read and prepared anew for a statement: the functions that write are the other guard.

-- The request, and the posting that holds its price. `hold` is null when the payout ended before it was
-- applied.
create table quipu.payout (
  target bigint not null, -- centavos
  created_at timestamptz not null,
  hold bigint, -- micro-USDT, as are the next two: what its quote costs
  available_after bigint,
  held_after bigint,
  applied_at timestamptz,
  leased_until timestamptz, -- the first lease, of the request that applied
  quote_id uuid not null,
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  transaction_id text collate "C" not null,
  fingerprint text not null,
  resolution_id text collate "C",
  qr_mode text, -- null, as the next two, when the QR could not be read
  merchant_name text,
  bank_code text,
  network_ref text,
  primary key (tenant_id, id),
  unique (transaction_id, tenant_id),
  constraint payout_hold check (
    num_nulls(hold, available_after, held_after, applied_at, leased_until) in (0, 5)
  )
);
-- The single use of a quote.
create unique index payout_quote on quipu.payout (quote_id, tenant_id) where hold is not null;
-- The owner may delete a quote that has expired without it. The others are what payouts cost, or will cost.
create function quipu.refuse_needed_quote() returns trigger language plpgsql as $$
begin
  if old.expires_at > clock_timestamp() or exists (
    select from quipu.payout p
    where p.quote_id = old.id and p.tenant_id = old.tenant_id and p.hold is not null
  ) then
    raise exception 'quote % is used, or has not expired', old.id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  return old;
end
$$;
create trigger needed_is_kept before delete on quipu.quote
  for each row execute function quipu.refuse_needed_quote();
create trigger append_only before update or delete on quipu.payout
  for each row execute function quipu.refuse_change();
create trigger never_emptied before truncate on quipu.payout
  execute function quipu.refuse_change();

-- One outcome, ever: an entry of the tenant's log, with its event. Of a payout that was held it is also the
-- posting that captures the hold (`completed`) or releases it.
create table quipu.payout_end (
  seq bigint not null,
  ended_at timestamptz not null, -- also the instant of the event, of which `occurred_at` is the same
  amount bigint, -- null, as the next three, of a payout that was never held
  available_after bigint,
  held_after bigint,
  event_id uuid, -- null, as the bytes, of a payout that ended `rejected`
  fencing_token int, -- whose claim settled it
  tenant_id text collate "C" not null,
  payout_id text collate "C" not null,
  status text collate "C" not null,
  network_payment_id text,
  error_code text,
  error_message text, -- as the tenant was told it, whatever the sentence is today
  body bytea, -- the event's final bytes
  primary key (payout_id, tenant_id),
  constraint payout_end_sound check (
    (status = 'completed') = (error_code is null)
    and num_nulls(amount, available_after, held_after, fencing_token) in (0, 4)
    and (event_id is null) = (status = 'rejected')
  )
);
create unique index payout_end_log on quipu.payout_end (tenant_id, ended_at, seq);
-- The exceptions, which may be few among millions of completed payouts.
create index payout_end_exceptions on quipu.payout_end (tenant_id, status, payout_id)
  where status <> 'completed';
create index payout_end_exceptions_log on quipu.payout_end (tenant_id, status, ended_at, seq)
  where status <> 'completed';
create trigger append_only before update or delete on quipu.payout_end
  for each row execute function quipu.refuse_change();
create trigger never_emptied before truncate on quipu.payout_end
  execute function quipu.refuse_change();

-- For each commit that applies payouts: which, and when their leases end. By then they have mostly ended
-- as well; who claims deletes the row, and opens those that have not.
create table quipu.payout_lease (
  due_at timestamptz not null,
  tenant_ids text[] collate "C" not null,
  payout_ids text[] collate "C" not null
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.1);

-- The exceptions among the payouts in `processing`: those that a worker has claimed, or whose request has
-- renewed its lease or given it up. Without a row the first lease counts, and its fencing token is 1.
-- Rows are inserted under the wallet's lock, and settling looks for one under that lock.
create table quipu.payout_open (
  payout_id text collate "C" not null,
  tenant_id text collate "C" not null,
  fencing_token int not null,
  leased boolean not null,
  due_at timestamptz not null, -- while leased, the end of the lease
  claim_count int not null, -- of workers
  hinted boolean not null default false, -- a hint came while it was leased: due when given back
  unanswered int not null default 0, -- how many questions the network did not answer
  catch_ups smallint not null default 0, -- times brought forward since the network last answered
  catch_up_from timestamptz, -- earliest time to bring it forward; null when the last question was answered
  raised jsonb, -- alerts raised, each code with its detail; null when there is none
  primary key (payout_id, tenant_id)
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.1);
create index payout_open_due on quipu.payout_open (due_at);
create index payout_open_tenant on quipu.payout_open (tenant_id);
create index payout_open_unanswered on quipu.payout_open (due_at) where catch_up_from is not null;

-- Hints of the network about payouts that have no row of `payout_open`, by its reference alone. Who opens
-- the payout takes the hint along.
create table quipu.network_hint (
  payout_id text collate "C" primary key,
  hinted_at timestamptz not null
);

-- The tenant's log: each entry once, with its event where it has one.
create view quipu.tenant_log as
select tenant_id, seq, ended_at as logged_at, 'payout.' || status as event_type, event_id,
  payout_id as subject_id, ended_at as occurred_at, body
from quipu.payout_end
union all
select tenant_id, seq, logged_at, type, event_id, subject_id, occurred_at, body
from quipu.funding_entry;

-- The books: each posting once, with one debit account, one credit account and one amount. A hold has no
-- `seq`: it moves nothing in or out.
create view quipu.posting as
select tenant_id, 'hold' as type, 'available' as debit, 'held' as credit, hold as amount,
  available_after, held_after, null::bigint as seq, applied_at as posted_at,
  id as payout_id, null::text as deposit_id, null::text as adjustment_id
from quipu.payout where hold is not null
union all
select tenant_id, case status when 'completed' then 'capture' else 'release' end, 'held',
  case status when 'completed' then 'payouts' else 'available' end, amount,
  available_after, held_after, seq, ended_at, payout_id, null, null
from quipu.payout_end where amount is not null
union all
select tenant_id, case type when 'deposit.credited' then 'deposit' else type end,
  case type when 'deposit.credited' then 'deposits' when 'adjustment_in' then 'adjustments'
    else 'available' end,
  case type when 'adjustment_out' then 'adjustments' else 'available' end, amount,
  available_after, held_after, seq, logged_at, null,
  case type when 'deposit.credited' then subject_id end,
  case when type <> 'deposit.credited' then subject_id end
from quipu.funding_entry where amount is not null;

-- The holds of payouts in `processing`, found without their history: by the leases that have not been
-- looked at since, and by the exceptions.
create view quipu.held_payout as
select p.tenant_id, p.id as payout_id, p.hold, p.applied_at
from (
  select i.tenant_id, i.payout_id
  from quipu.payout_lease l
  cross join unnest(l.tenant_ids, l.payout_ids) i (tenant_id, payout_id)
  union
  select o.tenant_id, o.payout_id from quipu.payout_open o
) c
join quipu.payout p on p.tenant_id = c.tenant_id and p.id = c.payout_id
where not exists (
  select from quipu.payout_end e where e.payout_id = c.payout_id and e.tenant_id = c.tenant_id
);

-- All these keys have the tenant in them, some as the first column. A lookup must go by the other one
-- too, and choose the index that has it, also while the tables are empty and every way costs the same.
-- So the planner is told that one tenant may own every row: now, and at every analysis to come.
alter table quipu.qr_resolution alter tenant_id set (n_distinct = 1);
alter table quipu.quote alter tenant_id set (n_distinct = 1);
alter table quipu.payout alter tenant_id set (n_distinct = 1);
alter table quipu.payout_end alter tenant_id set (n_distinct = 1);
select pg_restore_attribute_stats('schemaname', 'quipu', 'relname', name, 'attname', 'tenant_id',
  'inherited', false, 'null_frac', 0::real, 'avg_width', 31, 'n_distinct', 1::real)
from unnest(array['qr_resolution', 'quote', 'payout', 'payout_end']) name;
