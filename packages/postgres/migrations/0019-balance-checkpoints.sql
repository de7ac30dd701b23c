-- Balance checkpoints: the sums of a tenant's log up to one of its entries. Reconciliation reads the log from
-- the newest checkpoint, so its time does not grow with the history.

-- The amount that each entry of the log moved, in the column of its kind. The other columns are null.
create view quipu.log_movement as
select tenant_id, seq, ended_at as logged_at, null::bigint as deposit,
  case status when 'completed' then amount end as capture,
  case status when 'completed' then null else amount end as release,
  null::bigint as adjustment_in, null::bigint as adjustment_out,
  available_after::numeric + held_after as balance_after, payout_id, null::text as funding_id
from quipu.payout_end
union all
select tenant_id, seq, logged_at, case type when 'deposit.credited' then amount end, null, null,
  case type when 'adjustment_in' then amount end, case type when 'adjustment_out' then amount end,
  available_after::numeric + held_after, null, subject_id
from quipu.funding_entry;

-- The sums of a log up to one of its entries. Never changes.
create table quipu.balance_checkpoint (
  tenant_id text collate "C" not null references quipu.tenant,
  through_seq bigint not null, -- the last entry in the sums
  through_at timestamptz not null, -- instant of that entry
  deposit numeric not null, -- micro-USDT, as are the next four
  capture numeric not null,
  release numeric not null,
  adjustment_in numeric not null,
  adjustment_out numeric not null,
  primary key (tenant_id, through_seq)
);
-- The newest checkpoint before an instant, for the balances of a statement.
create index balance_checkpoint_at on quipu.balance_checkpoint (tenant_id, through_at, through_seq);
select quipu.keep_rows('quipu.balance_checkpoint');

-- Adds a checkpoint to a wallet, `size` entries after its newest one. Returns false when the log has fewer
-- entries, when a concurrent call adds the same checkpoint, and when an entry is missing or duplicated.
--
-- A checkpoint is final: `seq` has no gaps and only grows, so no later commit adds an entry up to
-- `through_seq`.
create function quipu.checkpoint_balance(tenant text, size int) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
set enable_sort = off -- a plan that is made while the log is short must not sort all later entries
as $$
declare
  newest quipu.balance_checkpoint;
begin
  select * into newest from quipu.balance_checkpoint c where c.tenant_id = tenant
  order by c.through_seq desc limit 1;
  if not exists (
    select from quipu.wallet w
    where w.tenant_id = tenant and w.seq >= coalesce(newest.through_seq, 0) + size
  ) then
    return false;
  end if;

  insert into quipu.balance_checkpoint (tenant_id, through_seq, through_at,
    deposit, capture, release, adjustment_in, adjustment_out)
  select tenant, max(m.seq), max(m.logged_at),
    coalesce(sum(m.deposit), 0) + coalesce(newest.deposit, 0),
    coalesce(sum(m.capture), 0) + coalesce(newest.capture, 0),
    coalesce(sum(m.release), 0) + coalesce(newest.release, 0),
    coalesce(sum(m.adjustment_in), 0) + coalesce(newest.adjustment_in, 0),
    coalesce(sum(m.adjustment_out), 0) + coalesce(newest.adjustment_out, 0)
  from (
    select * from quipu.log_movement m
    where m.tenant_id = tenant and (m.logged_at, m.seq)
      > (coalesce(newest.through_at, '-infinity'), coalesce(newest.through_seq, 0))
    order by m.logged_at, m.seq limit size
  ) m
  having count(distinct m.seq) = size and min(m.seq) = coalesce(newest.through_seq, 0) + 1
    and max(m.seq) = coalesce(newest.through_seq, 0) + size
  on conflict do nothing;
  return found;
end
$$;
