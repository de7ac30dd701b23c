-- The claims of payouts in `processing`: which worker may query the network about which payout, and when.

-- One row. Paces, for all workers together, the payouts that are brought forward after an outage of the
-- network. Also the lock under which `yield_payout` chooses one unanswered payout as the probe.
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

-- Inserts the missing rows of `payout_open` for payouts in `processing`, under their wallets' locks.
create function quipu.open_payouts(tenant_ids text[], payout_ids text[]) returns void
language plpgsql as $$
begin
  perform quipu.lock_wallets(tenant_ids);
  insert into quipu.payout_open (payout_id, tenant_id, fencing_token, leased, due_at, claim_count)
  select p.id, p.tenant_id, 1, true, p.leased_until, 0
  from unnest(tenant_ids, payout_ids) i (tenant_id, payout_id)
  cross join lateral (
    select p.id, p.tenant_id, p.leased_until from quipu.payout p
    where p.tenant_id = i.tenant_id and p.id = i.payout_id and p.hold is not null limit 1
  ) p
  where not exists (
    select from quipu.payout_end e where e.payout_id = p.id and e.tenant_id = p.tenant_id
  )
  on conflict do nothing;
end
$$;

-- Deletes the first leases that have expired. Returns those of their payouts that have not ended: the request
-- died, or it still waits for the network and has renewed its lease.
create function quipu.take_overdue_leases(moment timestamptz, out tenant_ids text[],
  out payout_ids text[])
language sql as $$
  with over as (
    delete from quipu.payout_lease l
    where l.ctid = any (array(
      select l.ctid from quipu.payout_lease l where l.due_at <= moment limit 5000
      for update skip locked
    ))
    returning l.tenant_ids, l.payout_ids
  )
  select array_agg(c.tenant_id), array_agg(c.payout_id)
  from over o cross join lateral unnest(o.tenant_ids, o.payout_ids) c (tenant_id, payout_id)
  where not exists (
    select from quipu.payout_end e where e.payout_id = c.payout_id and e.tenant_id = c.tenant_id
  ) and (select true from quipu.moving_tenant m where m.tenant_id = c.tenant_id and m.left_at is not null limit 1) is null
$$;

-- Claims payouts that are due, longest due first. One worker claims at a time, as it has to lock the wallets
-- before it can choose; a concurrent call returns no row, and its worker polls again. Locks all wallets in
-- one statement, tenants ascending. A payout that has ended has no row; one that is left would be due for ever,
-- and is deleted. Skips tenants that move.
create function quipu.claim_payouts(most int, lease_seconds float8, clock_override timestamptz)
returns table (tenant_id text, payout_id text, fencing_token int, claim_count int, unanswered int,
  raised jsonb, ordered boolean, network_ref text, was_due_at timestamptz, moment timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  now timestamptz := quipu.store_now(clock_override);
  lease_end timestamptz := quipu.due_after(now, lease_seconds);
  overdue record;
  tenants text[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('quipu.claim_payouts', 0)) then
    return;
  end if;
  delete from quipu.network_hint h where h.hinted_at < now - interval '1 hour';
  select * into overdue from quipu.take_overdue_leases(now);
  tenants := overdue.tenant_ids || array(
    select o.tenant_id from quipu.payout_open o
    where o.due_at <= now
      and (select true from quipu.moving_tenant m where m.tenant_id = o.tenant_id limit 1) is null
    order by o.due_at limit most
  );
  if cardinality(tenants) = 0 then
    return;
  end if;
  perform quipu.lock_wallets(tenants);
  if overdue.payout_ids is not null then
    perform quipu.open_payouts(overdue.tenant_ids, overdue.payout_ids);
  end if;
  return query
  with due as materialized (
    select d.tenant_id, d.payout_id, exists (
      select from quipu.payout_end e where e.payout_id = d.payout_id and e.tenant_id = d.tenant_id
    ) as has_ended
    from quipu.payout_open d
    where d.due_at <= now and d.tenant_id = any (tenants)
      and (select true from quipu.moving_tenant m where m.tenant_id = d.tenant_id limit 1) is null
    order by d.due_at limit most
  ), unopened as (
    delete from quipu.payout_open o using due d
    where o.payout_id = d.payout_id and o.tenant_id = d.tenant_id and d.has_ended
  )
  update quipu.payout_open o
  set fencing_token = o.fencing_token + 1, claim_count = o.claim_count + 1, leased = true,
    hinted = false, due_at = lease_end
  from due d
  where o.payout_id = d.payout_id and o.tenant_id = d.tenant_id and not d.has_ended
    and o.due_at <= now -- A renewal or a yield may have come since the rows were read.
  returning o.tenant_id, o.payout_id, o.fencing_token, o.claim_count, o.unanswered, o.raised, o.ordered,
    o.network_ref, old.due_at, now;
end
$$;

-- Extends a lease, and marks the payout as ordered with `marks_order`. See `PayoutStore.renew` and `markOrdered` in
-- packages/core/src/payout/ports.ts.
create function quipu.renew_payout(tenant text, payout text, fencing_token int, lease_seconds float8,
  marks_order boolean, clock_override timestamptz)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  lease_end timestamptz := quipu.due_after(quipu.store_now(clock_override), lease_seconds);
begin
  if renew_payout.fencing_token = 1 and not exists (select from quipu.payout_open o where o.payout_id = payout) then
    perform quipu.open_payouts(array[tenant], array[payout]);
  end if;
  update quipu.payout_open o
  set due_at = lease_end, ordered = o.ordered or marks_order
  where o.payout_id = payout and o.tenant_id = tenant and o.fencing_token = renew_payout.fencing_token and o.leased
    and not exists (select from quipu.wallet w where w.tenant_id = tenant and w.moved_to is not null);
  return found;
end
$$;

-- Gives a claim back. See `PayoutStore.yieldClaim` in packages/core/src/payout/ports.ts.
create function quipu.yield_payout(tenant text, payout text, fencing_token int, due_seconds float8,
  answered boolean, probe_seconds float8, alerts jsonb, calls jsonb, catch_up_seconds float8[], given_ref text,
  clock_override timestamptz)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
  due timestamptz := quipu.due_after(moment, due_seconds);
begin
  if yield_payout.fencing_token = 1 and not exists (select from quipu.payout_open o where o.payout_id = payout) then
    perform quipu.open_payouts(array[tenant], array[payout]);
  end if;
  perform quipu.record_network_calls(tenant, payout, calls);
  if probe_seconds < due_seconds then
    perform quipu.lock_network_catch_up(moment);
    if not exists (
      select from quipu.payout_open o
      where o.catch_up_from is not null
        and (o.leased or o.due_at <= moment + make_interval(secs => probe_seconds))
        and (o.payout_id <> payout or o.tenant_id <> tenant)
    ) then
      due := quipu.due_after(moment, probe_seconds);
    end if;
  end if;
  delete from quipu.network_hint h
  where h.payout_id = payout and exists ( -- The hint is for the newest claim.
    select from quipu.payout_open o
    where o.payout_id = payout and o.tenant_id = tenant and o.fencing_token = yield_payout.fencing_token
  );
  if found then
    due := moment;
  end if;
  update quipu.payout_open o
  set leased = false, hinted = false, raised = alerts, network_ref = coalesce(given_ref, o.network_ref),
    due_at = case when o.hinted then moment else due end,
    unanswered = o.unanswered + case when answered then 0 when not answered then 1 else 0 end,
    catch_ups = case when answered then 0 else o.catch_ups end,
    catch_up_from = case
      when answered then null
      when not answered then moment + make_interval(
        secs => catch_up_seconds[least(o.catch_ups + 1, cardinality(catch_up_seconds))])
      else o.catch_up_from
    end
  where o.payout_id = payout and o.tenant_id = tenant and o.fencing_token = yield_payout.fencing_token;
  return found;
end
$$;

-- Makes a payout due at a hint of the network. See `PayoutStore.hint` in packages/core/src/payout/ports.ts.
create function quipu.hint_payout(payout text, clock_override timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
begin
  update quipu.payout_open o
  set hinted = o.leased, due_at = case when o.leased then o.due_at else least(o.due_at, moment) end
  where o.payout_id = payout
    and (select true from quipu.moving_tenant m where m.tenant_id = o.tenant_id and m.left_at is not null limit 1) is null;
  if not found and not exists (select from quipu.payout_end e where e.payout_id = payout)
    and not exists (select from quipu.payout_open o where o.payout_id = payout) then
    insert into quipu.network_hint (payout_id, hinted_at) values (payout, moment)
    on conflict do nothing;
  end if;
end
$$;

-- Brings unanswered payouts forward once the network answers again. See `PayoutStore.catchUp` in
-- packages/core/src/payout/ports.ts.
create function quipu.catch_up_payouts(per_second float8, clock_override timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
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
  set next_at = least(first_at + make_interval(secs => waiting / per_second), moment + interval '1 day');
end
$$;

