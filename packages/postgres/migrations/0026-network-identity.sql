-- Which QR network the payouts of this database are ordered at. Another one, or one that has lost its ledger, has not
-- seen what was paid: its answers prove nothing.

-- The newest row is the database's network. The first is the one that the first process presents; operators confirm
-- the others.
create table quipu.network_confirmation (
  confirmed_at timestamptz primary key,
  identity text not null, -- as the adapter of the network gives it
  actor text, -- null for the first one
  reason text,
  constraint confirmed_by_an_operator check (num_nulls(actor, reason) in (0, 2))
);
select quipu.keep_rows('quipu.network_confirmation');

-- Why processes with this network neither pay nor settle. A confirmation deletes all rows.
create table quipu.network_halt (
  identity text primary key,
  payout_id text collate "C", -- a completed payout that it did not know; null for another network than the database's
  since timestamptz not null,
  seen_at timestamptz not null -- when a process last presented it
);
select quipu.refuse_truncate('quipu.network_halt');

-- A process presents its network. Returns `ours`; `other`, when the database's is another one; or `forgetful`, when it
-- did not know a completed payout. See `NetworkStore.meet` in packages/core/src/network/network-store.ts.
create function quipu.meet_network(identity text, clock_override timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  moment timestamptz := quipu.store_now(clock_override);
  ours text;
begin
  select c.identity into ours from quipu.network_confirmation c order by c.confirmed_at desc limit 1;
  if ours is null then
    lock table quipu.network_confirmation in share row exclusive mode;
    insert into quipu.network_confirmation (confirmed_at, identity)
    select moment, identity where not exists (select from quipu.network_confirmation);
    select c.identity into strict ours
    from quipu.network_confirmation c order by c.confirmed_at desc limit 1;
  end if;
  if ours = identity then
    return case when exists (select from quipu.network_halt h where h.identity = meet_network.identity)
      then 'forgetful' else 'ours' end;
  end if;
  insert into quipu.network_halt as h (identity, since, seen_at) values (identity, moment, moment)
  on conflict on constraint network_halt_pkey do update set seen_at = moment, payout_id = null;
  return 'other';
end
$$;

-- The newest payout that the network completed at the time of this one: it must know it. None when there is none.
-- `is_current`: no other network was confirmed since this payout was ordered.
create function quipu.known_payment(tenant text, payout text, out tenant_id text, out payout_id text,
  out network_ref text, out created_at timestamptz, out ended_at timestamptz, out is_current boolean)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set enable_sort = off -- the newest ends are read from the index
as $$
#variable_conflict use_column
declare
  ordered_at timestamptz;
  since timestamptz;
  newest record;
begin
  select p.created_at into strict ordered_at from quipu.payout p where p.tenant_id = tenant and p.id = payout;
  is_current := not exists (
    select from quipu.network_confirmation c where c.actor is not null and c.confirmed_at > ordered_at
  );
  since := (select max(c.confirmed_at) from quipu.network_confirmation c
    where c.actor is not null and c.confirmed_at <= ordered_at);
  select e.tenant_id, e.payout_id, e.network_ref, e.ended_at into newest
  from quipu.payout_end e
  where e.status = 'completed' and (is_current or e.payout_id < payout)
    and not exists ( -- People settle by evidence what the network does not know.
      select from quipu.audit_log a where a.subject = e.payout_id and a.action = 'payout.settle'
    )
  order by e.payout_id desc limit 1;
  select p.tenant_id, p.id, coalesce(newest.network_ref, p.details ->> 'network_ref'), p.created_at, newest.ended_at
  into tenant_id, payout_id, network_ref, created_at, ended_at
  from quipu.payout p
  where p.tenant_id = newest.tenant_id and p.id = newest.payout_id
    and p.created_at > coalesce(since, '-infinity');
end
$$;

-- The database's network did not know this completed payout: processes with it neither pay nor settle. Does nothing
-- for another network, which halts anyway.
create function quipu.halt_network(identity text, payout text, clock_override timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  moment timestamptz := quipu.store_now(clock_override);
begin
  if not exists (
    select from quipu.payout_end e where e.payout_id = payout and e.status = 'completed'
  ) then
    raise exception 'no completed payout %', payout using errcode = 'foreign_key_violation';
  end if;
  insert into quipu.network_halt (identity, payout_id, since, seen_at)
  select identity, payout, moment, moment
  from (select * from quipu.network_confirmation c order by c.confirmed_at desc limit 1) c
  where c.identity = halt_network.identity
  on conflict on constraint network_halt_pkey do nothing;
end
$$;

-- An admin confirms that payouts are ordered at this network from now on. Returns `unauthorized` when the token may
-- not, or `stale` when it is the database's network and nothing is halted.
create function quipu.confirm_network(identity text, by jsonb, reason text, at timestamptz)
returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  acting quipu.actor := quipu.acting_operator(by, array['admin'], at);
  before quipu.network_confirmation;
  logged timestamptz;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  lock table quipu.network_confirmation in share row exclusive mode;
  select * into before from quipu.network_confirmation c order by c.confirmed_at desc limit 1;
  if before.identity = identity and not exists (
    select from quipu.network_halt h where h.identity = confirm_network.identity
  ) then
    return 'stale';
  end if;
  logged := greatest(at, before.confirmed_at + interval '1 ms');
  insert into quipu.network_confirmation (confirmed_at, identity, actor, reason)
  values (logged, identity, acting.person, reason);
  delete from quipu.network_halt;
  perform quipu.write_audit(acting, 'network.confirm', null, 'network', logged,
    jsonb_build_object('identity', before.identity),
    jsonb_build_object('identity', identity, 'reason', reason));
  return 'committed';
end
$$;
