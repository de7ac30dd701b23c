-- Who may ask the network about the payouts in `processing`, and when.

-- Paces the payouts that are brought forward after an outage of the network, in all workers. Its row is
-- also the lock under which a release decides whether its payout is the probe.
create table quipu.network_catch_up (
  singleton boolean primary key default true check (singleton),
  next_at timestamptz not null -- when the next payout may be brought forward
);

create function quipu.lock_network_catch_up(moment timestamptz) returns timestamptz
language sql as $$
  insert into quipu.network_catch_up as c (next_at) values (moment)
  on conflict (singleton) do update set next_at = greatest(c.next_at, moment)
  returning next_at
$$;

-- Ends a lease. See `PayoutStore.release` in packages/core/src/payout/ports.ts.
create function quipu.release_payout(tenant text, payout text, holder int, due_seconds float8,
  answered boolean, probe_seconds float8, alerts jsonb, catch_up_seconds float8[], at timestamptz)
returns boolean
language plpgsql as $$
declare
  moment timestamptz := quipu.store_now(at);
  wait_seconds float8 := due_seconds;
begin
  if probe_seconds < due_seconds then
    perform quipu.lock_network_catch_up(moment);
    if not exists (
      select from quipu.payout_open o
      where o.catch_up_from is not null
        and (o.leased or o.due_at <= moment + make_interval(secs => probe_seconds))
        and (o.payout_id <> payout or o.tenant_id <> tenant)
    ) then
      wait_seconds := probe_seconds;
    end if;
  end if;
  update quipu.payout_open o
  set leased = false, woken = false, raised = alerts,
    due_at = moment + make_interval(secs => case when o.woken then 0 else wait_seconds end),
    unanswered = o.unanswered + case when answered then 0 when not answered then 1 else 0 end,
    catch_ups = case when answered then 0 else o.catch_ups end,
    catch_up_from = case
      when answered then null
      when not answered then moment + make_interval(
        secs => catch_up_seconds[least(o.catch_ups + 1, cardinality(catch_up_seconds))])
      else o.catch_up_from
    end
  where o.payout_id = payout and o.tenant_id = tenant and o.fence = holder;
  return found;
end
$$;

-- The network answers again. See `PayoutStore.catchUp` in packages/core/src/payout/ports.ts.
create function quipu.catch_up_payouts(per_second float8, at timestamptz) returns void
language plpgsql as $$
declare
  moment timestamptz := quipu.store_now(at);
  first_at timestamptz;
  waiting int;
begin
  if not exists (
    select from quipu.payout_open o where o.catch_up_from is not null and not o.leased
  ) then
    return;
  end if;
  first_at := quipu.lock_network_catch_up(moment);
  with locked as materialized (
    select o.ctid as row_id, o.catch_up_from from quipu.payout_open o
    where o.catch_up_from is not null and not o.leased
    for update skip locked
  ), placed as (
    select row_id, first_at
      + make_interval(secs => (row_number() over (order by catch_up_from) - 1) / per_second) as slot_at
    from locked
  )
  update quipu.payout_open o
  set due_at = least(o.due_at, greatest(p.slot_at, o.catch_up_from)),
    catch_ups = o.catch_ups + 1, catch_up_from = null
  from placed p where o.ctid = p.row_id;
  get diagnostics waiting = row_count;
  update quipu.network_catch_up
  set next_at = first_at + make_interval(secs => waiting / per_second);
end
$$;

