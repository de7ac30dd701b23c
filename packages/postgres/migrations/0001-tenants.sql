-- Tenants, their API keys, and the audit log.

-- One row in a database for tests, which its owner inserts; `migrate` and the processes never do. Only then the
-- callers choose the clock, and instants that are ahead of it.
create table quipu.test_clock (
  singleton boolean primary key default true check (singleton)
);

-- The instant that a test sets. Refused in every other database: it would use expired quotes, old prices and
-- the limits of other days.
create function quipu.set_instant(clock_override timestamptz) returns timestamptz
language plpgsql stable as $$
begin
  if not exists (select from quipu.test_clock) then
    raise exception 'clock_override is refused: this database has no row in quipu.test_clock'
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  return clock_override;
end
$$;
comment on function quipu.set_instant is 'for processes'; -- `store_now` calls it.

-- The store's clock, in whole milliseconds: the database's clock, which a test replaces by `clock_override`.
create function quipu.store_now(clock_override timestamptz) returns timestamptz
language sql volatile
return date_trunc('milliseconds',
  case when clock_override is null then clock_timestamp() else quipu.set_instant(clock_override) end);
-- `migrate` grants the processes `execute` on functions with the owner's rights and on those with this
-- comment.
comment on function quipu.store_now is 'for processes';

-- When a lease of this many seconds ends, or work that is put off by them is due again. No process keeps work from the
-- others for longer than a day.
create function quipu.due_after(moment timestamptz, seconds float8) returns timestamptz
language plpgsql stable as $$
begin
  if seconds between 0 and 86400 then
    return moment + make_interval(secs => seconds);
  end if;
  raise exception 'work cannot be kept for % s: 0 to 86400 are allowed', seconds using errcode = 'check_violation';
end
$$;

-- Refuses an instant of a caller that is more than an hour after the database's clock: the instants of a log never
-- decrease, so one entry of the future would date all later ones. Refuses one before 2020, too, which is no instant of
-- this service: `-infinity`.
create function quipu.require_plausible(instant timestamptz) returns void
language plpgsql as $$
begin
  if (instant > clock_timestamp() + interval '1 hour' or instant < '2020-01-01Z')
    and not exists (select from quipu.test_clock) then
    raise exception 'the instant % is % the database''s clock: set the clock of the process', instant,
      case when instant > clock_timestamp() then 'after' else 'long before' end using errcode = 'check_violation';
  end if;
end
$$;

-- Refuses an instant of an entry that is more than an hour from the database's clock: the checks of recent entries would
-- not find an older one. Null is such an instant.
create function quipu.require_recent(instant timestamptz) returns void
language plpgsql as $$
begin
  perform quipu.require_plausible(coalesce(instant, 'infinity'));
  if instant < clock_timestamp() - interval '1 hour' and not exists (select from quipu.test_clock) then
    raise exception 'the instant % is long before the database''s clock: set the clock of the process', instant
      using errcode = 'check_violation';
  end if;
end
$$;

-- Refuses an instant of a person's change that is more than ten minutes from the database's clock, so that no entry of
-- the audit log is dated otherwise than the moment it was written.
create function quipu.require_present(instant timestamptz) returns void
language plpgsql as $$
begin
  if instant is null or abs(extract(epoch from instant - clock_timestamp())) > 600
    and not exists (select from quipu.test_clock) then
    raise exception 'the instant % is not that of the database''s clock: set the clock of the process', instant
      using errcode = 'check_violation';
  end if;
end
$$;

-- For tables whose rows are inserted, and dropped with their partition, but never changed.
create function quipu.refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'object_not_in_prerequisite_state';
end
$$;

-- A truncation runs no trigger of a row.
create function quipu.refuse_truncate(kept regclass) returns void
language plpgsql as $$
begin
  execute format('create trigger no_truncate before truncate on %s execute function quipu.refuse_change()', kept);
end
$$;

-- Makes a table append-only.
create function quipu.keep_rows(kept regclass) returns void
language plpgsql as $$
begin
  execute format('create trigger append_only before update or delete on %s for each row execute function '
    'quipu.refuse_change()', kept);
  perform quipu.refuse_truncate(kept);
end
$$;

-- For tables whose rows are never deleted and change only in the columns that the trigger names.
create function quipu.refuse_other_change() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' or to_jsonb(new) - tg_argv is distinct from to_jsonb(old) - tg_argv then
    raise exception 'a row of % can change only in %', tg_table_name, array_to_string(tg_argv, ', ')
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  return new;
end
$$;

-- For updates that no role may make. The trigger's name is the rule, and part of the error.
create function quipu.refuse_step() returns trigger
language plpgsql as $$
begin
  raise exception 'a row of % cannot change: %', tg_table_name, tg_name
    using errcode = 'object_not_in_prerequisite_state';
end
$$;

-- A tenant, its pricing and its cap; `revision` counts its changes. `suspension` has the cause, the reason, the
-- evidence and the instant (`at`) of a suspension, as texts.
create table quipu.tenant (
  id text collate "C" primary key,
  legal_name text not null,
  contact_name text not null,
  contact_email text not null,
  contact_salt uuid not null default gen_random_uuid(), -- makes the digest of the contact; replaced when it is erased
  status text not null check (status in ('active', 'suspended')),
  margin_bps int not null check (margin_bps between 0 and 5000),
  fee_bps int not null check (fee_bps between 0 and 5000),
  fee_fixed bigint not null check (fee_fixed >= 0), -- micro-USDT
  payment_cap bigint not null check (payment_cap >= 0), -- centavos
  created_at timestamptz not null,
  revision int not null,
  suspension jsonb,
  constraint suspension_of_its_status check (suspension is null or status = 'suspended'
    and suspension ?& array['cause', 'reason', 'at'])
);
create index tenant_newest on quipu.tenant (created_at, id);
-- The ids of a wallet's transactions end with these 40 bits, so they must be unique. Among 10,000 tenants the
-- chance of a collision is 1 in 20,000; `create_tenant` then fails, and succeeds with another id.
create unique index tenant_part_of_ids on quipu.tenant
  (left(encode(sha256(id::bytea), 'hex'), 10));

-- The contacts that entries of the audit log name by a digest: what a person may have erased is outside of the chain.
create table quipu.audited_contact (
  digest text collate "C" primary key, -- `contact_digest`
  tenant_id text collate "C" not null references quipu.tenant,
  name text not null,
  email text not null
);
create index audited_contact_of_tenant on quipu.audited_contact (tenant_id);
create trigger append_only before update on quipu.audited_contact
  for each row execute function quipu.refuse_change();
select quipu.refuse_truncate('quipu.audited_contact');

-- The digest of a tenant's contact. Without the salt, which is erased with it, nobody can guess the contact from it.
create function quipu.contact_digest(t quipu.tenant) returns text
language sql stable
return encode(sha256(convert_to(jsonb_build_array(t.contact_salt, t.contact_name, t.contact_email)::text, 'UTF8')), 'hex');

-- Keeps the contact for the entries that name it. Called by every function that writes one.
create function quipu.keep_contact(t quipu.tenant) returns void
language sql
begin atomic
  insert into quipu.audited_contact (digest, tenant_id, name, email)
  select quipu.contact_digest(t), t.id, t.contact_name, t.contact_email
  on conflict do nothing;
end;

-- The state of an entry with the contact in place of its digest; nulls when it is erased.
create function quipu.with_contact(state jsonb) returns jsonb
language sql stable
return case when state ? 'contact_digest' then state - 'contact_digest' || coalesce((
  select jsonb_build_object('contact_name', c.name, 'contact_email', c.email)
  from quipu.audited_contact c where c.digest = state ->> 'contact_digest'
), '{"contact_name": null, "contact_email": null}') else state end;
comment on function quipu.with_contact is 'for processes';

-- An API key's record, without the key. It works from `activated_at` on.
create table quipu.api_key (
  id text collate "C" primary key,
  tenant_id text collate "C" not null references quipu.tenant,
  name text not null,
  prefix text not null,
  last_four text not null,
  hash text collate "C" not null unique,
  scopes text[] not null,
  created_at timestamptz not null,
  activated_at timestamptz, -- null until its proposal is approved
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  replaces text collate "C" references quipu.api_key, -- the key that this one replaces
  overlap_seconds int check (overlap_seconds between 0 and 2592000), -- how long the replaced key still works
  allowed_addresses text[] check (cardinality(allowed_addresses) > 0), -- CIDRs; null: every address
  check (num_nulls(replaces, overlap_seconds) in (0, 2))
);
create function quipu.is_usable(k quipu.api_key, moment timestamptz) returns boolean
language sql immutable
return k.activated_at is not null and k.revoked_at is null and coalesce(k.expires_at > moment, true);
-- Whether a key that a write names may still act: null, of a caller that authenticates otherwise, may. Writes ask
-- this in their own statement, so that a revoked key stops at once, in every process.
create function quipu.may_act(key text, tenant text, moment timestamptz) returns boolean
language sql stable
return key is null or exists (
  select from quipu.api_key k where k.id = key and k.tenant_id = tenant and quipu.is_usable(k, moment)
);
create index api_key_newest on quipu.api_key (tenant_id, created_at, id);
create index api_key_last_four on quipu.api_key (last_four);
-- Makes the planner look up a key by its id: it assumes that one tenant owns every row.
alter table quipu.api_key alter tenant_id set (n_distinct = 1);
select pg_restore_attribute_stats('schemaname', 'quipu', 'relname', 'api_key',
  'attname', 'tenant_id', 'inherited', false, 'null_frac', 0::real, 'avg_width', 31,
  'n_distinct', 1::real);
create trigger limited_change before update or delete on quipu.api_key
  for each row execute function quipu.refuse_other_change('activated_at', 'last_used_at', 'revoked_at',
    'expires_at', 'allowed_addresses');
create trigger expiry_is_only_brought_forward before update on quipu.api_key
  for each row when (new.expires_at is distinct from old.expires_at
    and coalesce(new.expires_at >= old.expires_at, new.expires_at is null))
  execute function quipu.refuse_step();
create trigger activation_is_final before update on quipu.api_key
  for each row when (old.activated_at is not null and new.activated_at is distinct from old.activated_at)
  execute function quipu.refuse_step();
create trigger revocation_is_final before update on quipu.api_key
  for each row when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  execute function quipu.refuse_step();

-- Who acts: the person of an operator token, and where the request came from. See `acting_operator`.
create type quipu.actor as (person text, token_id text, address text, session text, role text);

-- One action of an operator, or a refused one, with a hash that covers every entry before it. Never changes.
create table quipu.audit_log (
  id bigint primary key, -- 1, 2, 3, … without a gap
  actor text, -- null for a request with a missing or unknown token
  token_id text collate "C", -- this and the next two are null where the actor presented no token
  address text, -- of the request, as the process says
  session text collate "C", -- fingerprint of the console's session
  action text not null,
  tenant_id text collate "C", -- null where the action concerns no tenant
  subject text collate "C" not null,
  at timestamptz not null,
  before jsonb,
  after jsonb,
  hash bytea not null check (length(hash) = 32) -- `audit_hash` of the entry before and this one
);
create index audit_log_subject on quipu.audit_log (subject, id);
create index audit_log_tenant on quipu.audit_log (tenant_id, id);
select quipu.keep_rows('quipu.audit_log');

-- An instant of whole milliseconds in the format of `Date.toISOString`. With one microsecond more, `to_json` prints all
-- digits of the fraction; it takes half of the time of `to_char`, and every event has four instants.
create function quipu.iso_text(instant timestamptz) returns text
language sql stable
return substr(to_json(instant at time zone 'UTC' + interval '1 microsecond')::text, 2, 23) || 'Z';

-- The hash that chains an entry to the one before it: SHA-256 of the previous hash (32 zero bytes before the first
-- entry) and the entry's canonical bytes. These are the UTF-8 bytes of a JSON array as `jsonb` prints it: version 1,
-- id, microseconds since 1970, actor, token, address, session, action, tenant, subject, before, after. The core's
-- `auditHash` computes the same.
create function quipu.audit_hash(previous bytea, entry quipu.audit_log) returns bytea
language sql stable
return sha256(previous || convert_to(jsonb_build_array(1, entry.id::text,
  trim_scale(extract(epoch from entry.at) * 1000000)::text, entry.actor, entry.token_id, entry.address,
  entry.session, entry.action, entry.tenant_id, entry.subject, entry.before, entry.after)::text, 'UTF8'));

-- An entry for `write_audit_entries`, which numbers and chains it.
create function quipu.audit_entry(by quipu.actor, action text, tenant text, subject text,
  at timestamptz, before jsonb, after jsonb) returns quipu.audit_log
language sql immutable
return (null, (by).person, (by).token_id, (by).address, (by).session, action, tenant, subject, at, before,
  after, null)::quipu.audit_log;

-- Adds entries to the audit log, each chained to the one before. Called by the functions that make the
-- changes, in their transaction.
--
-- The log's lock is held until the transaction ends. To exclude deadlocks it is the last lock that a
-- transaction takes: a function that changes several rows writes the entries of all of them at its end.
create function quipu.write_audit_entries(entries quipu.audit_log[]) returns void
language plpgsql as $$
declare
  entry quipu.audit_log;
  last quipu.audit_log;
begin
  if cardinality(entries) = 0 then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('quipu.audit_log', 0));
  select * into last from quipu.audit_log a order by a.id desc limit 1;
  foreach entry in array entries loop
    entry.id := coalesce(last.id, 0) + 1;
    entry.hash := quipu.audit_hash(coalesce(last.hash, decode(repeat('00', 32), 'hex')), entry);
    insert into quipu.audit_log values (entry.*);
    last := entry;
  end loop;
end
$$;

-- Adds one entry, as `write_audit_entries`.
create function quipu.write_audit(by quipu.actor, action text, tenant text, subject text,
  at timestamptz, before jsonb, after jsonb) returns void
language sql
begin atomic
  select quipu.write_audit_entries(array[
    quipu.audit_entry(by, action, tenant, subject, at, before, after)]);
end;

-- The next `size` entries after the entry `after_id`, which had the hash `after_hash`, and what is wrong with
-- each; null when it is chained to the one before. A missing entry is returned with a null hash, the first one
-- of a gap alone. So is `after_id` when it is missing or has another hash. Starts at the first entry with the
-- id 0 and 32 zero bytes.
create function quipu.verify_audit_log(after_id bigint, after_hash bytea, size int)
returns table (id bigint, hash bytea, flaw text) language sql stable
begin atomic
  with start as (
    select after_id as id, a.hash from (values (after_id)) s (id)
    left join quipu.audit_log a on a.id = s.id
  ), slice as materialized (
    select a as entry, a.id, a.hash from quipu.audit_log a
    where a.id > after_id order by a.id limit size
  ), chained as materialized (
    select s.*, lag(s.id, 1, after_id) over w as previous_id,
      lag(s.hash, 1, after_hash) over w as previous_hash
    from slice s window w as (order by s.id)
  )
  select after_id, start.hash, case
    when start.hash is null then 'the entry is missing'
    when start.hash <> after_hash then 'the entry has another hash than it had'
  end
  from start where after_id > 0
  union all
  select c.previous_id + 1, null, 'the entry is missing' from chained c where c.id > c.previous_id + 1
  union all
  select c.id, c.hash, case
    when c.id = c.previous_id + 1 and c.hash <> quipu.audit_hash(c.previous_hash, c.entry)
    then 'the entry was changed or inserted, or the hash of the entry before it was changed'
  end
  from chained c
  order by 1;
end;
comment on function quipu.audit_hash is 'for processes'; -- `verify_audit_log` calls it.
comment on function quipu.verify_audit_log is 'for processes';

-- Adds an entry about a request that the role of the presented token does not allow. Returns false when there is
-- no such active token.
create function quipu.record_refusal(by jsonb, tenant text, subject text, at timestamptz, after jsonb)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, null, at);
begin
  if acting.person is null then
    return false;
  end if;
  perform quipu.write_audit(acting, 'operator.refuse', tenant, subject, at, null, after);
  return true;
end
$$;

-- Adds an entry about a look-up of a secret that was found, of the API key or the operator's token with this hash.
-- It has the id, never the hash, with which the token's person could act. Returns `unknown` when neither has it.
create function quipu.record_look_up(by jsonb, secret_hash text, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, null, at);
  found_id text;
  tenant text;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  select k.id, k.tenant_id into found_id, tenant from quipu.api_key k where k.hash = secret_hash;
  if found_id is null then
    select t.id into found_id from quipu.operator_token t where t.hash = secret_hash;
  end if;
  if found_id is null then
    return 'unknown';
  end if;
  perform quipu.write_audit(acting, 'secret.look_up', tenant, found_id, at, null, null);
  return 'committed';
end
$$;

-- Adds an entry about a list, report or statement that is taken as a file: when it begins, and with `rows` when it ends.
create function quipu.record_export(by jsonb, subject text, filter text, rows bigint, is_complete boolean, at timestamptz)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, null, at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  perform quipu.write_audit(acting, case when rows is null then 'export.begin' else 'export.end' end, null, subject, at,
    null, jsonb_strip_nulls(jsonb_build_object('filter', filter, 'rows', rows, 'complete', is_complete::text)));
  return 'committed';
end
$$;

-- Adds an entry about failed logins from an address, which names nobody.
create function quipu.record_failed_logins(address text, at timestamptz, failures int) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform quipu.require_present(at);
  perform quipu.write_audit(null, 'operator.fail_login', null, address, at, null,
    jsonb_build_object('failures', failures));
end
$$;

-- The actions that change a tenant. Each adds one to its revision, and its `after` is the whole `tenant_state`: quotes
-- are compared with the pricing in it, so an entry without one would falsify past prices.
create function quipu.tenant_actions() returns text[]
language sql immutable
return array['tenant.create', 'tenant.update', 'tenant.suspend', 'tenant.resume', 'tenant.erase_contact'];

-- The members of a tenant that can change, as the audit log has it.
create function quipu.tenant_state(t quipu.tenant, daily_limit_amount bigint, daily_limit_count int)
returns jsonb language sql stable
return jsonb_build_object('status', t.status, 'legal_name', t.legal_name,
  'contact_digest', quipu.contact_digest(t),
  'margin_bps', t.margin_bps, 'fee_bps', t.fee_bps,
  'fee_fixed_minor', t.fee_fixed::text, 'payment_cap_bob_minor', t.payment_cap::text,
  'daily_limit_usdt_minor', daily_limit_amount::text, 'daily_limit_count', daily_limit_count)
  || case when t.suspension is null then '{}' else jsonb_strip_nulls(jsonb_build_object(
    'suspension_cause', t.suspension -> 'cause', 'suspension_reason', t.suspension -> 'reason',
    'suspension_evidence', t.suspension -> 'evidence_digest', 'suspended_at', t.suspension -> 'at')) end;

-- Whether a suspension of this cause ends only when a second person approves it. The core's `needsTwoToResume` decides
-- the same.
create function quipu.needs_two_to_resume(suspension jsonb) returns boolean
language sql immutable
return coalesce(suspension ->> 'cause' in ('court_order', 'fraud', 'sanctions'), false);

-- Revokes a key for good. Returns `unauthorized` without the active token of an operator or admin, and `stale`
-- when the tenant has no such key, or the key was revoked before.
create function quipu.revoke_api_key(tenant text, key text, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  update quipu.api_key k set revoked_at = at
  where k.id = key and k.tenant_id = tenant and k.revoked_at is null;
  if not found then
    return 'stale';
  end if;
  perform quipu.write_audit(acting, 'api_key.revoke', tenant, key, at,
    jsonb_build_object('revoked_at', null), jsonb_build_object('revoked_at', quipu.iso_text(at)));
  return 'committed';
end
$$;

create function quipu.touch_api_key(tenant text, key text, at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform quipu.require_plausible(at);
  update quipu.api_key k set last_used_at = at
  where k.id = key and k.tenant_id = tenant and (k.last_used_at is null or k.last_used_at < at);
end
$$;
