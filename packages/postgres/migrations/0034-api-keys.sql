-- The functions that change tenants and issue API keys. What lets a tenant move more money, a raised limit or a
-- live key with `payouts:write`, takes the presented token of an admin, or a proposal that another admin
-- approves. See docs/decisions/two-people.md.

-- Changes a tenant. Returns `stale` when it has another revision than `from_revision`, and `unauthorized` without
-- the active token of an operator, or of an admin where a price or a limit changes. Refuses an action that does not
-- match the change.
create function quipu.change_tenant(tenant text, from_revision int, new_status text,
  new_legal_name text, new_contact_name text, new_contact_email text,
  new_margin_bps int, new_fee_bps int, new_fee_fixed bigint, new_payment_cap bigint,
  new_daily_limit_amount bigint, new_daily_limit_count int,
  action text, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor;
  found_row quipu.tenant;
  changed quipu.tenant;
  w quipu.wallet;
  before jsonb;
  after jsonb;
begin
  perform quipu.lock_wallets(array[tenant]);
  acting := quipu.acting_operator(by, array['operator', 'admin'], at);
  if acting.person is null then
    return 'unauthorized';
  end if;
  select * into found_row from quipu.tenant t
  where t.id = tenant and t.revision = from_revision for no key update;
  if not found then
    return 'stale';
  end if;
  select * into strict w from quipu.wallet where tenant_id = tenant;
  if acting.role <> 'admin'
    and (found_row.margin_bps, found_row.fee_bps, found_row.fee_fixed, found_row.payment_cap,
      w.daily_limit_amount, w.daily_limit_count)
    is distinct from (new_margin_bps, new_fee_bps, new_fee_fixed, new_payment_cap,
      new_daily_limit_amount, new_daily_limit_count)
  then
    return 'unauthorized';
  end if;
  before := quipu.tenant_state(found_row, w.daily_limit_amount, w.daily_limit_count);
  changed := quipu.write_tenant(tenant, new_status, new_legal_name, new_contact_name, new_contact_email,
    new_margin_bps, new_fee_bps, new_fee_fixed, new_payment_cap, new_daily_limit_amount, new_daily_limit_count);
  after := quipu.tenant_state(changed, new_daily_limit_amount, new_daily_limit_count);

  if (case action
    when 'tenant.update' then changed.status <> found_row.status
    when 'tenant.suspend' then changed.status <> 'suspended' or after - 'status' <> before - 'status'
    when 'tenant.resume' then changed.status <> 'active' or after - 'status' <> before - 'status'
    else true
  end) then
    raise exception 'the action % does not match the change of tenant %', action, tenant
      using errcode = 'check_violation';
  end if;
  perform quipu.write_audit(acting, action, tenant, tenant, at, before, after);
  return 'committed';
end
$$;

-- Writes a tenant's next revision. The caller has locked the wallet and the tenant.
create function quipu.write_tenant(tenant text, new_status text, new_legal_name text,
  new_contact_name text, new_contact_email text, new_margin_bps int, new_fee_bps int,
  new_fee_fixed bigint, new_payment_cap bigint, new_daily_limit_amount bigint,
  new_daily_limit_count int) returns quipu.tenant
language plpgsql as $$
declare
  changed quipu.tenant;
begin
  update quipu.tenant t
  set status = new_status, legal_name = new_legal_name, contact_name = new_contact_name,
    contact_email = new_contact_email, margin_bps = new_margin_bps, fee_bps = new_fee_bps,
    fee_fixed = new_fee_fixed, payment_cap = new_payment_cap, revision = t.revision + 1
  where t.id = tenant
  returning * into strict changed;
  update quipu.wallet w
  set daily_limit_amount = new_daily_limit_amount, daily_limit_count = new_daily_limit_count
  where w.tenant_id = tenant
    and (w.daily_limit_amount is distinct from new_daily_limit_amount
      or w.daily_limit_count is distinct from new_daily_limit_count);
  return changed;
end
$$;

-- Sets the limits that an approved proposal names; `none` is no limit. Returns the audit entry. The caller has
-- locked the wallet.
create function quipu.change_limits(approved quipu.proposal, at timestamptz) returns quipu.audit_log[]
language plpgsql as $$
declare
  t quipu.tenant;
  w quipu.wallet;
  changed quipu.tenant;
  d jsonb := approved.details;
  amount bigint;
  count int;
begin
  select * into strict t from quipu.tenant
  where id = approved.subject and id = approved.tenant_id for no key update;
  select * into strict w from quipu.wallet where tenant_id = approved.subject;
  amount := case when d ? 'daily_limit_usdt_minor'
    then nullif(d ->> 'daily_limit_usdt_minor', 'none')::bigint else w.daily_limit_amount end;
  count := case when d ? 'daily_limit_count'
    then nullif(d ->> 'daily_limit_count', 'none')::int else w.daily_limit_count end;
  changed := quipu.write_tenant(t.id, t.status, t.legal_name, t.contact_name, t.contact_email,
    t.margin_bps, t.fee_bps, t.fee_fixed, coalesce((d ->> 'payment_cap_bob_minor')::bigint, t.payment_cap),
    amount, count);
  return array[quipu.audit_entry(quipu.proposing_actor(approved.id), 'tenant.update', t.id, t.id, at,
    quipu.tenant_state(t, w.daily_limit_amount, w.daily_limit_count),
    quipu.tenant_state(changed, amount, count) || jsonb_build_object('proposal_id', approved.id))];
end
$$;

-- Whether one person alone cannot issue a key: it moves real money. The API of production accepts no key with
-- another prefix than `qpu_live_`, and that of the sandbox none with it.
create function quipu.key_needs_two(k quipu.api_key) returns boolean
language sql immutable
return 'payouts:write' = any (k.scopes) and k.prefix not in ('qpu_test_', 'qpu_mock_');

-- What audit entries and proposals say about a key.
create function quipu.api_key_details(k quipu.api_key) returns jsonb
language sql stable
return jsonb_build_object('name', k.name, 'scopes', k.scopes, 'expires_at', quipu.iso_text(k.expires_at))
  || jsonb_strip_nulls(jsonb_build_object('replaces', k.replaces, 'overlap_hours', k.overlap_hours,
    'allowed_addresses', k.allowed_addresses));

-- The audit entries of a key that becomes active. Where it replaces another one, brings that one's expiry
-- forward.
create function quipu.key_issued(k quipu.api_key, acting quipu.actor, proposal text, at timestamptz)
returns quipu.audit_log[]
language plpgsql as $$
declare
  entry quipu.audit_log := quipu.audit_entry(acting, 'api_key.issue', k.tenant_id, k.id, at, null,
    quipu.api_key_details(k) || jsonb_strip_nulls(jsonb_build_object('proposal_id', proposal)));
  replaced quipu.api_key;
  ends timestamptz;
begin
  if k.replaces is null then
    return array[entry];
  end if;
  select * into strict replaced from quipu.api_key o
  where o.id = k.replaces and o.tenant_id = k.tenant_id for no key update;
  if replaced.scopes <> k.scopes or replaced.prefix <> k.prefix then
    raise exception 'the key % has other rights than the key % that it replaces', k.id, replaced.id
      using errcode = 'check_violation';
  end if;
  ends := least(replaced.expires_at, at + make_interval(hours => k.overlap_hours));
  update quipu.api_key o set expires_at = ends where o.id = replaced.id;
  return array[entry, quipu.audit_entry(acting, 'api_key.rotate', k.tenant_id, replaced.id, at,
    jsonb_build_object('expires_at', quipu.iso_text(replaced.expires_at)),
    jsonb_build_object('expires_at', quipu.iso_text(ends), 'replaced_by', k.id))];
end
$$;

-- Issues a key that works at once. Returns `unauthorized` without the active token of an operator, or of an
-- admin where the key has `payouts:write`.
create function quipu.issue_api_key(tenant text, key text, name text, prefix text, last_four text,
  hash text, scopes text[], expires_at timestamptz, allowed_addresses text[], replaces text,
  overlap_hours int, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by,
    case when 'payouts:write' = any (scopes) then array['admin'] else array['operator', 'admin'] end, at);
  issued quipu.api_key;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  insert into quipu.api_key (id, tenant_id, name, prefix, last_four, hash, scopes, created_at,
    activated_at, expires_at, allowed_addresses, replaces, overlap_hours)
  values (key, tenant, name, prefix, last_four, hash, scopes, at, at, expires_at, allowed_addresses,
    replaces, overlap_hours)
  returning * into issued;
  if quipu.key_needs_two(issued) then
    raise exception 'the key % needs a proposal', key using errcode = 'check_violation';
  end if;
  perform quipu.write_audit_entries(quipu.key_issued(issued, acting, null, at));
  return 'committed';
end
$$;

-- Inserts a key that does not work yet, and the proposal to activate it. Returns as `issue_api_key`.
create function quipu.propose_api_key(tenant text, key text, name text, prefix text, last_four text,
  hash text, scopes text[], key_expires_at timestamptz, allowed_addresses text[], replaces text,
  overlap_hours int, proposal text, reason text, evidence_note text, evidence_digest text,
  by jsonb, at timestamptz, expires_at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['admin'], at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  insert into quipu.api_key (id, tenant_id, name, prefix, last_four, hash, scopes, created_at, expires_at,
    allowed_addresses, replaces, overlap_hours)
  values (key, tenant, name, prefix, last_four, hash, scopes, at, key_expires_at, allowed_addresses,
    replaces, overlap_hours);
  perform quipu.insert_proposal(tenant, proposal, 'issue_api_key', key,
    jsonb_build_object('name', name, 'last_four', last_four, 'scopes', array_to_string(scopes, ' '))
      || jsonb_strip_nulls(jsonb_build_object('expires_at', quipu.iso_text(key_expires_at),
        'allowed_addresses', array_to_string(allowed_addresses, ' '), 'replaces', replaces,
        'overlap_hours', overlap_hours::text)),
    reason, evidence_note, evidence_digest, acting, at, expires_at, false);
  return 'committed';
end
$$;

-- Activates the key of an approved proposal. Returns the audit entries.
create function quipu.activate_api_key(approved quipu.proposal, at timestamptz) returns quipu.audit_log[]
language plpgsql as $$
declare
  activated quipu.api_key;
begin
  update quipu.api_key k set activated_at = at
  where k.id = approved.subject and k.tenant_id = approved.tenant_id
  returning * into strict activated;
  return quipu.key_issued(activated, quipu.proposing_actor(approved.id), approved.id, at);
end
$$;

-- Sets the addresses that may use a key. Returns `unauthorized` without the active token of an admin, and
-- `stale` when the tenant has no such key or it is revoked.
create function quipu.set_allowed_addresses(tenant text, key text, addresses text[], by jsonb,
  at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['admin'], at);
  before text[];
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  select k.allowed_addresses into before from quipu.api_key k
  where k.id = key and k.tenant_id = tenant and k.revoked_at is null for no key update;
  if not found then
    return 'stale';
  end if;
  update quipu.api_key k set allowed_addresses = addresses where k.id = key;
  perform quipu.write_audit(acting, 'api_key.set_addresses', tenant, key, at,
    jsonb_build_object('allowed_addresses', before), jsonb_build_object('allowed_addresses', addresses));
  return 'committed';
end
$$;
