-- A database that went back to an earlier moment may have forgotten payments that the network has made, and would
-- make them again.

-- The server and the history that this database belongs to, and whether payments begin. One row.
create table quipu.lineage (
  singleton boolean primary key default true check (singleton),
  installation text collate "C" not null check (installation ~ '^[0-9A-HJKMNP-TV-Z]{4}$'), -- the end of its payouts' ids
  system_id bigint not null, -- of the cluster that initdb made, shared by its copies
  timeline bigint not null, -- of its log: each promotion and each restore begins one
  -- How often a person has confirmed that nothing is forgotten: what a process has seen before does not count.
  confirmations int not null default 0,
  confirmed_at timestamptz not null,
  -- The start of the server on which payments begin. Another start may be that of an older disk.
  server_started timestamptz not null,
  began_at timestamptz not null default '-infinity', -- when payments began on that start
  halted_at timestamptz,
  halt_reason text collate "C" check (halt_reason in ('restored', 'went_back', 'payment_forgotten', 'declared')),
  halt_detail text,
  stopped_at timestamptz, -- since when operators accept no new payout
  stopped_by text,
  stop_reason text,
  check (num_nulls(halted_at, halt_reason, halt_detail) in (0, 3)),
  check (num_nulls(stopped_at, stopped_by, stop_reason) in (0, 3))
);
create trigger limited_change before update on quipu.lineage
  for each row execute function quipu.refuse_other_change('system_id', 'timeline', 'confirmations', 'confirmed_at',
    'server_started', 'began_at', 'halted_at', 'halt_reason', 'halt_detail', 'stopped_at', 'stopped_by', 'stop_reason');

-- The first eight digits of a log file's name are its timeline.
create function quipu.current_timeline() returns bigint
language sql set search_path = pg_catalog, pg_temp
return ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint;

-- Whether the database was restored: its cluster is another one, as after the restore of a dump; or its history is
-- another one and the server has a recovery target. A promoted standby has another history too, but no target: if it
-- was synchronous, it has lost nothing that was confirmed.
create function quipu.is_restored(l quipu.lineage) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return l.system_id <> (select c.system_identifier from pg_control_system() c)
  or concat(current_setting('recovery_target'), current_setting('recovery_target_lsn'),
    current_setting('recovery_target_name'), current_setting('recovery_target_time'),
    current_setting('recovery_target_xid')) <> '' and l.timeline <> quipu.current_timeline();

-- Halts payments, unless they are halted.
create function quipu.halt(reason text, detail text) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  update quipu.lineage l set halted_at = date_trunc('milliseconds', clock_timestamp()), halt_reason = reason, halt_detail = detail
  where l.halted_at is null;
end;

-- Whether a mark of a payout that was accepted at this instant would be here: an older disk or a restored database lacks
-- marks that were written.
create function quipu.has_marks_since(accepted_at timestamptz) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return exists (
    select from quipu.lineage l
    where l.halted_at is null and l.server_started = pg_postmaster_start_time() and l.began_at < accepted_at
  );
end
$$;

-- The work of a process with each new session and every four seconds: compares what it has seen with what the database
-- has, and halts payments when some of it is missing. So a restore is stored when it is first seen, as the settings
-- that show it may be gone at the next start.
--
-- `seen_position` is a position of the log that was durable, in all that this process has written; null for a process
-- that has written nothing. `seen_payout` is its newest payout. One that has seen the log within a minute vouches for
-- a server that has started since. `server_start` is null when payments begin on this server; else the newest
-- payments of the network since `compared_from` must be compared first.
create function quipu.observe_log(seen_position pg_lsn, seen_confirmations int, seen_tenant text, seen_payout text,
  seen_age_ms float8, out installation text, out confirmations int, out halted_at timestamptz, out halt_reason text,
  out halt_detail text, out server_start timestamptz, out compared_from timestamptz, out stopped_at timestamptz,
  out stopped_by text, out stop_reason text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  l quipu.lineage;
  position pg_lsn := pg_current_wal_insert_lsn();
begin
  select * into l from quipu.lineage;
  if l.halted_at is null then
    if quipu.is_restored(l) then
      perform quipu.halt('restored', 'the cluster or its history is another one');
    elsif seen_confirmations > l.confirmations or seen_confirmations = l.confirmations and (
      seen_position > position or seen_payout is not null and not exists (
        select from quipu.payout p where p.tenant_id = seen_tenant and p.id = seen_payout
      )
    ) then
      perform quipu.halt('went_back', format('the log is at %s, and a process has written up to %s%s', position,
        seen_position, ', with the payout ' || seen_payout));
    elsif l.server_started <> pg_postmaster_start_time() and seen_confirmations = l.confirmations
      and seen_age_ms < 60000 then
      update quipu.lineage u set server_started = pg_postmaster_start_time(), began_at = clock_timestamp()
      where u.halted_at is null;
    end if;
    select * into l from quipu.lineage;
  end if;
  installation := l.installation;
  confirmations := l.confirmations;
  halted_at := l.halted_at;
  halt_reason := l.halt_reason;
  halt_detail := l.halt_detail;
  stopped_at := l.stopped_at;
  stopped_by := l.stopped_by;
  stop_reason := l.stop_reason;
  if l.server_started <> pg_postmaster_start_time() then
    server_start := pg_postmaster_start_time();
    select coalesce(max(p.created_at), l.confirmed_at) into compared_from
    from quipu.wallet w cross join lateral (
      select p.created_at from quipu.payout p where p.tenant_id = w.tenant_id order by p.id desc limit 1
    ) p;
  end if;
end
$$;

-- Lets payments begin on this start of the server, as the network's newest payments are all here.
create function quipu.accept_server(server_start timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update quipu.lineage l set server_started = server_start, began_at = clock_timestamp()
  where l.halted_at is null and pg_postmaster_start_time() = server_start;
  return found;
end
$$;

-- Halts payments, as the network has paid what this database has not.
create function quipu.halt_forgotten(detail text, seen_confirmations int) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from quipu.lineage l where l.confirmations = seen_confirmations) then
    perform quipu.halt('payment_forgotten', detail);
  end if;
end
$$;

-- Stops new payouts in the name of the person whose token is presented: of the batches that are decided after its
-- commit, none is written. `stale`: they are stopped. A confirmed restore does not start them.
create function quipu.stop_payouts(reason text, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  update quipu.lineage l set stopped_at = at, stopped_by = acting.person, stop_reason = reason
  where l.stopped_at is null;
  if not found then
    return 'stale';
  end if;
  perform quipu.write_audit(acting, 'payouts.stop', null, 'payouts', at, jsonb_build_object('status', 'open'),
    jsonb_build_object('status', 'stopped', 'reason', reason));
  return 'committed';
end
$$;

-- Ends the stop that an approved proposal names by its instant. Returns the audit entry; null when that one is over.
create function quipu.start_payouts(approved quipu.proposal, at timestamptz) returns quipu.audit_log[]
language plpgsql as $$
begin
  update quipu.lineage l set stopped_at = null, stopped_by = null, stop_reason = null
  where quipu.iso_text(l.stopped_at) = approved.details ->> 'stopped_at';
  if not found then
    return null;
  end if;
  return array[quipu.audit_entry(quipu.proposing_actor(approved.id), 'payouts.start', null, 'payouts', at,
    jsonb_build_object('status', 'stopped'), jsonb_build_object('status', 'open', 'proposal_id', approved.id))];
end
$$;

-- Halts payments on the word of a person. False when they are halted. Only for the role that migrates.
create function quipu.declare_restore(reason text, at timestamptz) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  before quipu.lineage;
begin
  select * into before from quipu.lineage for update;
  if before.halted_at is not null then
    return false;
  end if;
  perform quipu.halt('declared', reason);
  perform quipu.write_audit(row('database owner', null, null, null, null), 'restore.declare', null, 'database', at, null,
    jsonb_build_object('reason', reason));
  return true;
end
$$;

-- Lets payments begin, halted or not compared. Only for the role that migrates.
create function quipu.confirm_restore(reason text, at timestamptz) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  before quipu.lineage;
  confirmed quipu.lineage;
begin
  select * into before from quipu.lineage for update;
  if before.halted_at is null and before.server_started = pg_postmaster_start_time()
    and not quipu.is_restored(before) then
    return false;
  end if;
  update quipu.lineage
  set system_id = (select c.system_identifier from pg_control_system() c),
    timeline = quipu.current_timeline(), confirmations = confirmations + 1, confirmed_at = at,
    server_started = pg_postmaster_start_time(), began_at = clock_timestamp(), halted_at = null, halt_reason = null,
    halt_detail = null
  returning * into confirmed;
  perform quipu.write_audit(row('database owner', null, null, null, null), 'restore.confirm', null, 'database', at,
    jsonb_build_object('timeline', before.timeline, 'halt', before.halt_reason),
    jsonb_build_object('timeline', confirmed.timeline, 'reason', reason));
  return true;
end
$$;

insert into quipu.lineage (installation, system_id, timeline, confirmed_at, server_started)
select (
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + floor(random() * 32)::int, 1), '')
  from generate_series(1, 4)
), c.system_identifier, quipu.current_timeline(), now(), pg_postmaster_start_time() from pg_control_system() c;
