-- Payouts. A payout is one row of `payout` and at most one row of `payout_end`; without the latter it is in
-- `processing`. Neither row ever changes.
-- These tables are not partitioned by time, as their unique keys must hold over all rows.
-- A payout's id begins with its creation instant, so lists are sorted by id, newest first.
--
-- The cost of a payout's commit is above all the number of pages it touches. So a key that is always looked
-- up whole begins with the column that grows with time, and new rows go beside the last ones. (The ids that
-- tenants choose mostly grow, too.) Columns of 8 bytes come first, so that none needs padding. There are few
-- check constraints, as each statement prepares them anew; the functions that write check their input
-- instead.

-- The request, and the posting of its hold. `hold` is null when the payout ended before it was accepted.
create table quipu.payout (
  target bigint not null, -- centavos
  created_at timestamptz not null,
  hold bigint, -- micro-USDT, as are the next two; equals the quote's `source`
  available_after bigint,
  held_after bigint,
  accepted_at timestamptz,
  leased_until timestamptz, -- end of the first lease, which the accepting request holds
  quote_id uuid not null,
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  transaction_id text collate "C" not null,
  fingerprint text not null,
  resolution_id text collate "C",
  key_id text collate "C", -- the API key that asked for it; null for a caller that authenticates otherwise
  details json not null, -- what no index and no guard needs: the QR as it was read, the network's reference, the labels
  primary key (tenant_id, id),
  unique (transaction_id, tenant_id),
  constraint payout_hold check (
    num_nulls(hold, available_after, held_after, accepted_at, leased_until) in (0, 5)
      and leased_until <= accepted_at + interval '1 day' -- as `due_after` limits other leases
  )
);
-- At most one payout uses a quote.
create unique index payout_quote on quipu.payout (quote_id, tenant_id) where hold is not null;
-- The owner of the tables can delete a quote only when it has expired and no payout uses it.
create function quipu.refuse_quote_delete() returns trigger language plpgsql as $$
begin
  if old.expires_at > clock_timestamp() or exists (
    select from quipu.payout p
    where p.quote_id = old.id and p.tenant_id = old.tenant_id and p.hold is not null
  ) then
    raise exception 'quote % cannot be deleted: it is used, or has not expired', old.id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  return old;
end
$$;
create trigger used_quote_stays before delete on quipu.quote
  for each row execute function quipu.refuse_quote_delete();
select quipu.keep_rows('quipu.payout');

-- Whether this is how a payout ends that is not `completed`. Not SQL, which the planner would put in place of the call
-- at each statement.
create function quipu.is_exception(status text, has_hold boolean, error_code text, error_message text) returns boolean
language plpgsql immutable as $$
begin
  return coalesce(error_message is not null and case
    when status = 'failed' then error_code = 'PAYMENT_FAILED' and has_hold
    when status = 'rejected' then error_code = 'QR_REFUSED'
    when status = 'cancelled' and has_hold then error_code in ('INSUFFICIENT_FUNDS', 'AMOUNT_EXCEEDS_PROVIDER_LIMIT',
      'PAYMENT_CANCELLED')
    when status = 'cancelled' then error_code in ('QUOTE_AMOUNT_MISMATCH', 'QUOTE_RESOLUTION_MISMATCH',
      'AMOUNT_EXCEEDS_PROVIDER_LIMIT', 'DAILY_LIMIT_EXCEEDED', 'INSUFFICIENT_BALANCE', 'QUOTE_EXPIRED',
      'QUOTE_ALREADY_USED')
  end, false);
end
$$;

-- The outcome of a payout: an entry of the tenant's log, with its event. If the payout had a hold, the row is
-- also the posting that captures it (`completed`) or releases it (any other status).
create table quipu.payout_end (
  seq bigint not null,
  ended_at timestamptz not null, -- also `occurred_at` and `recorded_at` of the event
  amount bigint, -- this, the next two and `fencing_token` are null for a payout without a hold
  available_after bigint,
  held_after bigint,
  event_id uuid, -- null for a payout that ended `rejected`, as is `body`
  fencing_token int, -- of the claim that settled it
  tenant_id text collate "C" not null,
  payout_id text collate "C" not null,
  status text collate "C" not null,
  network_payment_id text,
  error_code text,
  error_message text, -- as the tenant got it, also when a later release words it differently
  network_ref text, -- that the network gave after the reading's; null when it gave none
  body bytea, -- the event's final bytes
  primary key (payout_id, tenant_id),
  constraint payout_end_sound check (
    num_nulls(amount, available_after, held_after, fencing_token) in (0, 4)
    and num_nulls(event_id, body) = case status when 'rejected' then 2 else 0 end
    and case status
      when 'completed' then num_nulls(error_code, error_message) = 2 and amount is not null
      else quipu.is_exception(status, amount is not null, error_code, error_message)
    end
  )
);
create unique index payout_end_log on quipu.payout_end (tenant_id, ended_at, seq);
-- For lists of payouts that were not completed: a few among millions that were.
create index payout_end_exceptions on quipu.payout_end (tenant_id, status, payout_id)
  where status <> 'completed';
create index payout_end_exceptions_log on quipu.payout_end (tenant_id, status, ended_at, seq)
  where status <> 'completed';
select quipu.keep_rows('quipu.payout_end');

-- One row for each commit that accepts payouts: its payouts, and when their first leases end. Most of them
-- have ended by then. A claim deletes the row, and inserts the rest into `payout_open`.
create table quipu.payout_lease (
  due_at timestamptz not null,
  tenant_ids text[] collate "C" not null,
  payout_ids text[] collate "C" not null
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.1);

-- The payouts in `processing` that a worker or an operator has claimed, or whose request has renewed or yielded its
-- claim. Any other payout in `processing` has its first lease, with fencing token 1. Rows are inserted under the
-- wallet's lock, under which `settle_payouts` looks for one.
create table quipu.payout_open (
  payout_id text collate "C" not null,
  tenant_id text collate "C" not null,
  fencing_token int not null,
  leased boolean not null,
  due_at timestamptz not null, -- while leased, the end of the lease
  claim_count int not null, -- claims by workers and operators
  hinted boolean not null default false, -- a hint came while it was leased: due as soon as the claim is yielded
  unanswered int not null default 0, -- requests to the network that it did not answer
  catch_ups smallint not null default 0, -- times brought forward since the network last answered
  catch_up_from timestamptz, -- earliest time to bring it forward; null when the network answered last
  raised jsonb, -- raised alerts, each code with its detail; null when there is none
  ordered boolean, -- the order may have left; only of a payout that was accepted with a mark
  network_ref text, -- that the network gave after the reading's; null when it gave none
  primary key (payout_id, tenant_id)
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.1);
create index payout_open_due on quipu.payout_open (due_at);
create index payout_open_tenant on quipu.payout_open (tenant_id);
create index payout_open_unanswered on quipu.payout_open (due_at) where catch_up_from is not null;

-- Hints (callbacks) of the network about payouts without a row of `payout_open`. `yield_payout` consumes
-- them.
create table quipu.network_hint (
  payout_id text collate "C" primary key,
  hinted_at timestamptz not null
);

-- The tenant's log: one row an entry, with its event if it has one.
create view quipu.tenant_log as
select tenant_id, seq, ended_at as logged_at, 'payout.' || status as event_type, event_id,
  payout_id as subject_id, ended_at as occurred_at, body
from quipu.payout_end
union all
select tenant_id, seq, logged_at, type, event_id, subject_id, occurred_at, body
from quipu.funding_entry;

-- The ledger: one row a posting, with one debit account, one credit account and one amount. A hold has no
-- `seq`, as it is not an entry of the log.
create view quipu.posting as
select tenant_id, 'hold' as type, 'available' as debit, 'held' as credit, hold as amount,
  available_after, held_after, null::bigint as seq, accepted_at as posted_at,
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

-- The holds of payouts in `processing`. Reads `payout_lease` and `payout_open`, and not the history of
-- payouts.
create view quipu.held_payout as
select p.tenant_id, p.id as payout_id, p.hold, p.accepted_at
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

-- Some of these keys begin with the tenant. A lookup must choose the index that has the other column as well,
-- also while the tables are empty and every plan costs the same. So these settings make the planner assume,
-- now and after each `analyze`, that one tenant owns every row.
alter table quipu.qr_resolution alter tenant_id set (n_distinct = 1);
alter table quipu.quote alter tenant_id set (n_distinct = 1);
alter table quipu.payout alter tenant_id set (n_distinct = 1);
alter table quipu.payout_end alter tenant_id set (n_distinct = 1);
select pg_restore_attribute_stats('schemaname', 'quipu', 'relname', name, 'attname', 'tenant_id',
  'inherited', false, 'null_frac', 0::real, 'avg_width', 31, 'n_distinct', 1::real)
from unnest(array['qr_resolution', 'quote', 'payout', 'payout_end']) name;
