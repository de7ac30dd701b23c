-- Tenants, their API keys, and who changed what.

-- The store's clock, in whole milliseconds. `at` stands in for the database's own clock in tests.
create function quipu.store_now(at timestamptz) returns timestamptz
language sql volatile
return date_trunc('milliseconds', coalesce(at, clock_timestamp()));
-- What the processes read may call it. They execute no other function but those with the owner's rights.
comment on function quipu.store_now is 'for processes';

-- For tables whose rows are facts: they are added, and dropped by the partition, never changed.
create function quipu.refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'object_not_in_prerequisite_state';
end
$$;

-- For rows that change in the named columns alone, and are never removed.
create function quipu.refuse_change_but() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' or to_jsonb(new) - tg_argv is distinct from to_jsonb(old) - tg_argv then
    raise exception 'a row of % changes only in %', tg_table_name, array_to_string(tg_argv, ', ')
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  return new;
end
$$;

-- For steps that nobody may take: the trigger's name says why not.
create function quipu.refuse_step() returns trigger
language plpgsql as $$
begin
  raise exception 'a row of % cannot change so: %', tg_table_name, tg_name
    using errcode = 'object_not_in_prerequisite_state';
end
$$;

create table quipu.tenant (
  id text collate "C" primary key,
  legal_name text not null,
  contact_name text not null,
  contact_email text not null,
  status text not null check (status in ('active', 'suspended')),
  margin_bps int not null check (margin_bps between 0 and 5000),
  fee_bps int not null check (fee_bps between 0 and 5000),
  fee_fixed bigint not null check (fee_fixed >= 0), -- micro-USDT
  payment_cap bigint not null check (payment_cap >= 0), -- centavos
  created_at timestamptz not null,
  revision int not null
);
create index tenant_newest on quipu.tenant (created_at, id);
-- The ids of a wallet's transactions end with these 40 bits: no two tenants may share them. Among ten
-- thousand tenants one in twenty thousand would; it is refused, and made again with another id.
create unique index tenant_part_of_ids on quipu.tenant
  (left(encode(sha256(id::bytea), 'hex'), 10));

create table quipu.api_key (
  id text collate "C" primary key,
  tenant_id text collate "C" not null references quipu.tenant,
  name text not null,
  prefix text not null,
  last_four text not null,
  hash text collate "C" not null unique,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_key_newest on quipu.api_key (tenant_id, created_at, id);
-- A key is found by its id, whatever the planner knows: one tenant may own every row.
alter table quipu.api_key alter tenant_id set (n_distinct = 1);
select pg_restore_attribute_stats('schemaname', 'quipu', 'relname', 'api_key',
  'attname', 'tenant_id', 'inherited', false, 'null_frac', 0::real, 'avg_width', 31,
  'n_distinct', 1::real);
create trigger changed_little before update or delete on quipu.api_key
  for each row execute function quipu.refuse_change_but('last_used_at', 'revoked_at');
create trigger revoked_once before update on quipu.api_key
  for each row when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  execute function quipu.refuse_step();

create table quipu.audit_log (
  id bigint generated always as identity primary key,
  actor text, -- null: a token that is missing or unknown
  action text not null,
  tenant_id text collate "C", -- null: it concerns none
  subject text collate "C" not null,
  at timestamptz not null,
  before jsonb,
  after jsonb
);
create index audit_log_subject on quipu.audit_log (subject, id);
create index audit_log_tenant on quipu.audit_log (tenant_id, id);
create trigger append_only before update or delete on quipu.audit_log
  for each row execute function quipu.refuse_change();
create trigger never_emptied before truncate on quipu.audit_log
  execute function quipu.refuse_change();

-- An instant as JSON has it.
create function quipu.iso_text(instant timestamptz) returns text
language sql stable
return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Adds an entry to the audit log. The functions that make a change call it, in the same statement.
create function quipu.write_audit(actor text, action text, tenant text, subject text,
  at timestamptz, before jsonb, after jsonb) returns void
language sql
begin atomic
  insert into quipu.audit_log (actor, action, tenant_id, subject, at, before, after)
  values (actor, action, tenant, subject, at, before, after);
end;

-- Adds an entry about what was not done. It cannot look like a change.
create function quipu.record_refusal(actor text, action text, tenant text, subject text,
  at timestamptz, after jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if action not in ('operator.refuse', 'operator.fail_login') then
    raise exception '% is no refusal', action using errcode = 'check_violation';
  end if;
  perform quipu.write_audit(actor, action, tenant, subject, at, null, after);
end
$$;

-- What an operator does to a tenant: each is one revision of it.
create function quipu.tenant_actions() returns text[]
language sql immutable
return array['tenant.create', 'tenant.update', 'tenant.suspend', 'tenant.resume'];

create function quipu.tenant_pricing(t quipu.tenant) returns jsonb
language sql immutable
return jsonb_build_object('margin_bps', t.margin_bps, 'fee_bps', t.fee_bps,
  'fee_fixed_minor', t.fee_fixed::text, 'payment_cap_bob_minor', t.payment_cap::text);

-- A tenant with its empty wallet.
create function quipu.create_tenant(tenant text, legal_name text, contact_name text,
  contact_email text, status text, margin_bps int, fee_bps int, fee_fixed bigint,
  payment_cap bigint, wallet text, actor text, at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  created quipu.tenant;
begin
  insert into quipu.tenant (id, legal_name, contact_name, contact_email, status, margin_bps,
    fee_bps, fee_fixed, payment_cap, created_at, revision)
  values (tenant, legal_name, contact_name, contact_email, status, margin_bps, fee_bps, fee_fixed,
    payment_cap, at, 1)
  returning * into created;
  insert into quipu.wallet (tenant_id, id, created_at, updated_at) values (tenant, wallet, at, at);
  perform quipu.write_audit(actor, 'tenant.create', tenant, tenant, at, null,
    jsonb_build_object('legalName', legal_name, 'status', status)
      || quipu.tenant_pricing(created));
end
$$;

-- Gives the tenant of this revision another status or pricing. False when it has another revision.
create function quipu.change_tenant(tenant text, from_revision int, new_status text,
  new_margin_bps int, new_fee_bps int, new_fee_fixed bigint, new_payment_cap bigint,
  action text, actor text, at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found_row quipu.tenant;
  changed quipu.tenant;
begin
  select * into found_row from quipu.tenant t
  where t.id = tenant and t.revision = from_revision for no key update;
  if not found then
    return false;
  end if;
  update quipu.tenant t
  set status = new_status, margin_bps = new_margin_bps, fee_bps = new_fee_bps,
    fee_fixed = new_fee_fixed, payment_cap = new_payment_cap, revision = from_revision + 1
  where t.id = tenant
  returning * into changed;

  if (case action
    when 'tenant.update' then changed.status <> found_row.status
    when 'tenant.suspend' then changed.status <> 'suspended'
      or quipu.tenant_pricing(changed) <> quipu.tenant_pricing(found_row)
    when 'tenant.resume' then changed.status <> 'active'
      or quipu.tenant_pricing(changed) <> quipu.tenant_pricing(found_row)
    else true
  end) then
    raise exception '% of % is another change', action, tenant using errcode = 'check_violation';
  end if;
  perform quipu.write_audit(actor, action, tenant, tenant, at,
    jsonb_build_object('status', found_row.status) || quipu.tenant_pricing(found_row),
    jsonb_build_object('status', changed.status) || quipu.tenant_pricing(changed));
  return true;
end
$$;

create function quipu.issue_api_key(tenant text, key text, name text, prefix text, last_four text,
  hash text, scopes text[], expires_at timestamptz, actor text, at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into quipu.api_key (id, tenant_id, name, prefix, last_four, hash, scopes, created_at,
    expires_at)
  values (key, tenant, name, prefix, last_four, hash, scopes, at, expires_at);
  perform quipu.write_audit(actor, 'api_key.issue', tenant, key, at, null, jsonb_build_object(
    'name', name, 'scopes', scopes, 'expires_at', quipu.iso_text(expires_at)));
end
$$;

-- False when the tenant has no such key, or it was revoked before. Nothing takes it back.
create function quipu.revoke_api_key(tenant text, key text, actor text, at timestamptz)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update quipu.api_key k set revoked_at = at
  where k.id = key and k.tenant_id = tenant and k.revoked_at is null;
  if not found then
    return false;
  end if;
  perform quipu.write_audit(actor, 'api_key.revoke', tenant, key, at,
    jsonb_build_object('revoked_at', null), jsonb_build_object('revoked_at', quipu.iso_text(at)));
  return true;
end
$$;

create function quipu.touch_api_key(tenant text, key text, at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update quipu.api_key k set last_used_at = at
  where k.id = key and k.tenant_id = tenant and (k.last_used_at is null or k.last_used_at < at);
end
$$;
