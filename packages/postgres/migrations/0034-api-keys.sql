-- API keys: their issue and allowed addresses. A live key with `payouts:write` lets a tenant move more money, so it
-- takes a proposal that another admin approves. See docs/decisions/two-people.md.

-- Whether one person alone cannot issue a key: it moves real money. The API of production accepts no key with
-- another prefix than `qpu_live_`, and that of the sandbox none with it.
create function quipu.key_needs_two(k quipu.api_key) returns boolean
language sql immutable
return 'payouts:write' = any (k.scopes) and k.prefix not in ('qpu_test_', 'qpu_mock_');

-- The details of audit entries and proposals about a key.
create function quipu.api_key_details(k quipu.api_key) returns jsonb
language sql stable
return jsonb_build_object('name', k.name, 'scopes', k.scopes, 'expires_at', quipu.iso_text(k.expires_at))
  || jsonb_strip_nulls(jsonb_build_object('replaces', k.replaces, 'overlap_seconds', k.overlap_seconds,
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
  ends := least(replaced.expires_at, at + make_interval(secs => k.overlap_seconds));
  update quipu.api_key o set expires_at = ends where o.id = replaced.id;
  return array[entry, quipu.audit_entry(acting, 'api_key.rotate', k.tenant_id, replaced.id, at,
    jsonb_build_object('expires_at', quipu.iso_text(replaced.expires_at)),
    jsonb_build_object('expires_at', quipu.iso_text(ends), 'replaced_by', k.id))];
end
$$;

-- Inserts a key with these members by their columns. It works from `activated_at`, or once its proposal is approved.
create function quipu.insert_api_key(key jsonb, at timestamptz, activated_at timestamptz) returns quipu.api_key
language sql
begin atomic
  insert into quipu.api_key (id, tenant_id, name, prefix, last_four, hash, scopes, created_at,
    activated_at, expires_at, allowed_addresses, replaces, overlap_seconds)
  select k.id, k.tenant_id, k.name, k.prefix, k.last_four, k.hash, k.scopes, at,
    insert_api_key.activated_at, k.expires_at, k.allowed_addresses, k.replaces, k.overlap_seconds
  from jsonb_populate_record(null::quipu.api_key, key) k
  returning *;
end;

-- Issues a key that works at once. Returns `unauthorized` without the active token of an operator, or of an
-- admin where the key has `payouts:write`.
create function quipu.issue_api_key(key jsonb, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by,
    case when key -> 'scopes' ? 'payouts:write' then array['admin'] else array['operator', 'admin'] end, at);
  issued quipu.api_key;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  issued := quipu.insert_api_key(key, at, at);
  if quipu.key_needs_two(issued) then
    raise exception 'the key % needs a proposal', issued.id using errcode = 'check_violation';
  end if;
  perform quipu.write_audit_entries(quipu.key_issued(issued, acting, null, at));
  return 'committed';
end
$$;

-- Inserts a key that does not work yet, and the proposal to activate it, of which `proposal` has the id, reason,
-- evidence and expiry by their columns. Returns as `issue_api_key`.
create function quipu.propose_api_key(key jsonb, proposal jsonb, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['admin'], at);
  k quipu.api_key;
  p quipu.proposal := jsonb_populate_record(null::quipu.proposal, proposal);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  k := quipu.insert_api_key(key, at, null);
  perform quipu.insert_proposal(k.tenant_id, p.id, 'issue_api_key', k.id,
    jsonb_build_object('name', k.name, 'last_four', k.last_four, 'scopes', array_to_string(k.scopes, ' '))
      || jsonb_strip_nulls(jsonb_build_object('expires_at', quipu.iso_text(k.expires_at),
        'allowed_addresses', array_to_string(k.allowed_addresses, ' '), 'replaces', k.replaces,
        'overlap_seconds', k.overlap_seconds::text)),
    p.reason, p.evidence_note, p.evidence_digest, acting, at, p.expires_at, false);
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

-- The presented key, by its hash, if it works and has `keys:write`, and another key of its tenant; nulls where there is
-- none. A tenant's keys are changed one after another, so that two keys cannot revoke each other, and their rows are
-- locked in the order in which `touch_api_key` locks them.
create function quipu.lock_own_keys(presented jsonb, subject text, at timestamptz,
  out acting quipu.api_key, out changed quipu.api_key)
language plpgsql as $$
declare
  tenant text;
  own quipu.api_key;
begin
  perform quipu.require_present(at);
  select k.tenant_id into tenant from quipu.api_key k where k.hash = presented ->> 'key_hash';
  if not found then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('quipu.api_key ' || tenant, 0));
  for own in
    select k.* from quipu.api_key k
    where k.tenant_id = tenant and (k.id = subject or k.hash = presented ->> 'key_hash')
    order by k.id for no key update
  loop
    if own.id = subject then
      changed := own;
    end if;
    if own.hash = presented ->> 'key_hash' and quipu.is_usable(own, at) and 'keys:write' = any (own.scopes)
      and exists (select from quipu.tenant t where t.id = tenant and t.status = 'active')
    then
      acting := own;
    end if;
  end loop;
end
$$;

-- Revokes a key of the tenant of the presented one. Returns `unauthorized` unless that works and has `keys:write`,
-- `stale` when the tenant has no such key or it is revoked, and `last` when no other key that works has `keys:write`.
create function quipu.revoke_own_api_key(presented jsonb, key text, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  locked record;
  acting quipu.api_key;
  revoked quipu.api_key;
begin
  select * into locked from quipu.lock_own_keys(presented, key, at);
  acting := locked.acting;
  revoked := locked.changed;
  if acting.id is null then
    return 'unauthorized';
  elsif revoked.id is null or revoked.revoked_at is not null then
    return 'stale';
  elsif acting.id = revoked.id and not exists (
    select from quipu.api_key k where k.tenant_id = acting.tenant_id and k.id <> acting.id
      and quipu.is_usable(k, at) and 'keys:write' = any (k.scopes)
  ) then
    return 'last';
  end if;
  update quipu.api_key k set revoked_at = at where k.id = revoked.id;
  perform quipu.write_audit((acting.id, null, presented ->> 'address', null, null), 'api_key.revoke', acting.tenant_id,
    revoked.id, at, jsonb_build_object('revoked_at', null), jsonb_build_object('revoked_at', quipu.iso_text(at)));
  return 'committed';
end
$$;

-- Inserts a key with the name and rights of the key that it `replaces`, and of the given `id`, `hash`, `last_four`
-- and `overlap_seconds`. It expires with that one, and no later than the presented key. Returns as
-- `revoke_own_api_key`; also `stale` when the replaced key does not work, and `wider` when it has a scope that the
-- presented one lacks, or that one's addresses are limited to others.
create function quipu.rotate_own_api_key(presented jsonb, key jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  locked record;
  acting quipu.api_key;
  k quipu.api_key;
begin
  select * into locked from quipu.lock_own_keys(presented, key ->> 'replaces', at);
  acting := locked.acting;
  k := locked.changed;
  if acting.id is null then
    return 'unauthorized';
  elsif k.id is null or not quipu.is_usable(k, at) then
    return 'stale';
  elsif not k.scopes <@ acting.scopes
    or (acting.allowed_addresses is not null and acting.allowed_addresses is distinct from k.allowed_addresses)
  then
    return 'wider';
  end if;
  k.expires_at := least(k.expires_at, acting.expires_at);
  k := quipu.insert_api_key(key || (to_jsonb(k) - '{id,hash,last_four,replaces,overlap_seconds}'::text[]), at, at);
  perform quipu.write_audit_entries(
    quipu.key_issued(k, (acting.id, null, presented ->> 'address', null, null), null, at));
  return 'committed';
end
$$;
