-- Operator tokens. A token proves the person who acts: functions that take one look the person up themselves, so
-- that a process cannot act in the name of a person whose token it was not shown.

-- A token of an operator: person, role, hash, expiry, revocation. Processes cannot read the hash.
create table quipu.operator_token (
  id text collate "C" primary key,
  -- Lower case, so that no two spellings of a name are two people.
  person text collate "C" not null check (person ~ '^[a-z0-9][a-z0-9._@-]{0,63}$'),
  label text not null check (length(label) between 1 and 100),
  role text collate "C" not null check (role in ('viewer', 'operator', 'admin', 'auditor')),
  hash text collate "C" not null unique check (hash ~ '^[0-9a-f]{64}$'),
  fingerprint text collate "C" not null generated always as (left(hash, 16)) stored,
  created_at timestamptz not null,
  -- A person, or 'database owner' or 'identity provider', which no person can be called.
  created_by text not null,
  activated_at timestamptz, -- null until its proposal is approved
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by text,
  constraint expires_within_366_days
    check (expires_at > created_at and expires_at <= created_at + interval '8784 hours'),
  check (num_nulls(revoked_at, revoked_by) in (0, 2))
);
-- Who can read a hash can present it to the functions below in place of the token.
comment on column quipu.operator_token.hash is 'not for processes';
create index operator_token_newest on quipu.operator_token (created_at, id);
-- `fingerprint` is generated from the hash; a trigger before an update sees it as null.
create trigger limited_change before update or delete on quipu.operator_token
  for each row execute function quipu.refuse_other_change('activated_at', 'revoked_at', 'revoked_by',
    'fingerprint');
create trigger activation_is_final before update on quipu.operator_token
  for each row when (old.activated_at is not null and new.activated_at is distinct from old.activated_at)
  execute function quipu.refuse_step();
create trigger revocation_is_final before update on quipu.operator_token
  for each row when (old.revoked_at is not null and (new.revoked_at is distinct from old.revoked_at
    or new.revoked_by is distinct from old.revoked_by))
  execute function quipu.refuse_step();
select quipu.refuse_truncate('quipu.operator_token');

-- Whether the token was revoked.
create function quipu.is_by_revoked(token text) returns boolean
language sql stable
begin atomic
  select exists (select from quipu.operator_token t where t.id = token and t.revoked_at is not null);
end;

-- The person of the active token whose hash is presented, if it has one of these roles; null: any role. Otherwise a
-- row of nulls. `by` has `token_hash`, and `address` and `session` where the request has them. Locks the token, so
-- that its revocation waits for the transaction, or the transaction sees the revocation.
create function quipu.acting_operator(by jsonb, roles text[], at timestamptz) returns quipu.actor
language plpgsql as $$
declare
  acting quipu.actor;
begin
  perform quipu.require_present(at);
  select t.person, t.id, by ->> 'address', by ->> 'session', t.role into acting
  from quipu.operator_token t
  where t.hash = by ->> 'token_hash' and (roles is null or t.role = any (roles))
    and t.activated_at is not null and t.revoked_at is null and t.expires_at > at
  for share;
  if acting.session is not null and not exists (
    select from quipu.console_session s
    where s.token_id = acting.token_id and s.fingerprint = acting.session
  ) then
    raise exception 'the session % is not one of the operator token', acting.session
      using errcode = 'check_violation';
  end if;
  return acting;
end
$$;

-- The active token with this hash.
create function quipu.authenticate_operator(token_hash text, at timestamptz)
returns table (id text, person text, label text, role text, fingerprint text, created_at timestamptz,
  created_by text, activated_at timestamptz, expires_at timestamptz, revoked_at timestamptz,
  revoked_by text)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select t.id, t.person, t.label, t.role, t.fingerprint, t.created_at, t.created_by, t.activated_at,
    t.expires_at, t.revoked_at, t.revoked_by
  from quipu.operator_token t
  where t.hash = token_hash and t.activated_at is not null and t.revoked_at is null
    and t.expires_at > at;
end;

-- The token with this hash, active or not: for who found one somewhere, and so knows its hash.
create function quipu.find_operator_token(token_hash text)
returns table (id text, person text, label text, role text, fingerprint text, created_at timestamptz,
  created_by text, activated_at timestamptz, expires_at timestamptz, revoked_at timestamptz,
  revoked_by text)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select t.id, t.person, t.label, t.role, t.fingerprint, t.created_at, t.created_by, t.activated_at,
    t.expires_at, t.revoked_at, t.revoked_by
  from quipu.operator_token t where t.hash = token_hash;
end;

-- The details of audit entries and proposals about a token.
create function quipu.operator_token_details(t quipu.operator_token) returns jsonb
language sql stable
return jsonb_build_object('person', t.person, 'label', t.label, 'role', t.role,
  'fingerprint', t.fingerprint, 'expires_at', quipu.iso_text(t.expires_at));

-- Inserts a token that can do no more than read. Returns `unauthorized` without the active token of an admin,
-- and `hash_used` when the hash is another token's.
create function quipu.issue_operator_token(token text, person text, label text, role text, hash text,
  expires_at timestamptz, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['admin'], at);
  issued quipu.operator_token;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  if role not in ('viewer', 'auditor') then
    raise exception 'a token of the role % needs a proposal', role using errcode = 'check_violation';
  end if;
  insert into quipu.operator_token (id, person, label, role, hash, created_at, created_by,
    activated_at, expires_at)
  values (token, person, label, role, hash, at, acting.person, at, expires_at)
  on conflict on constraint operator_token_hash_key do nothing
  returning * into issued;
  if issued.id is null then
    return 'hash_used';
  end if;
  perform quipu.write_audit(acting, 'operator_token.issue', null, token, at, null,
    quipu.operator_token_details(issued));
  return 'committed';
end
$$;

-- Inserts a token that can write, and the proposal to activate it. Returns as `issue_operator_token`.
create function quipu.propose_operator_token(token text, person text, label text, role text,
  hash text, token_expires_at timestamptz, proposal text, reason text, evidence_note text,
  evidence_digest text, by jsonb, at timestamptz, expires_at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['admin'], at);
  proposed quipu.operator_token;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  if role not in ('operator', 'admin') then
    raise exception 'a token of the role % needs no proposal', role using errcode = 'check_violation';
  end if;
  insert into quipu.operator_token (id, person, label, role, hash, created_at, created_by, expires_at)
  values (token, person, label, role, hash, at, acting.person, token_expires_at)
  on conflict on constraint operator_token_hash_key do nothing
  returning * into proposed;
  if proposed.id is null then
    return 'hash_used';
  end if;
  perform quipu.insert_proposal(null, proposal, 'issue_operator_token', token,
    quipu.operator_token_details(proposed), reason, evidence_note, evidence_digest, acting, at,
    expires_at, false);
  return 'committed';
end
$$;

-- Revokes a token for good: any for an admin, otherwise the presented one. Withdraws the open proposals that it made,
-- and fails those that it made or approved and that are not executed. Results: `stale` when it was revoked before,
-- `unauthorized` when the presented token is not active, `last_admin` when no other active token of an admin would be
-- left.
create function quipu.revoke_operator_token(token text, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor;
  entries quipu.audit_log[];
begin
  -- All rows in one order: two admins may revoke each other's tokens at once.
  perform from quipu.operator_token t
  where t.id = token or t.hash = by ->> 'token_hash' or (t.role = 'admin' and t.revoked_at is null)
  order by t.id for no key update;
  acting := quipu.acting_operator(by, null, at);
  if acting.person is null then
    return 'unauthorized';
  end if;
  if acting.role <> 'admin' and acting.token_id <> token then
    raise exception 'only an admin revokes the token %', token using errcode = 'insufficient_privilege';
  end if;
  if quipu.is_active_admin(token, at) and not exists (
    select from quipu.operator_token t where t.id <> token and quipu.is_active_admin(t.id, at)
  ) then
    return 'last_admin';
  end if;
  update quipu.operator_token t set revoked_at = at, revoked_by = acting.person
  where t.id = token and t.revoked_at is null;
  if not found then
    return 'stale';
  end if;
  entries := array[quipu.audit_entry(acting, 'operator_token.revoke', null, token, at,
    jsonb_build_object('revoked_at', null), jsonb_build_object('revoked_at', quipu.iso_text(at)))];
  perform from quipu.proposal p
  where (p.proposed_with = token or p.approved_with = token) and p.status in ('open', 'approved')
  order by p.id for no key update;
  with ended as (
    update quipu.proposal p
    set status = case p.status when 'open' then 'withdrawn' else 'failed' end,
      withdrawn_at = case p.status when 'open' then at end,
      withdrawn_by = case p.status when 'open' then acting.person end,
      failed_at = case p.status when 'approved' then at end,
      failure = case p.status when 'approved' then 'TOKEN_REVOKED' end
    where p.status = 'open' and p.proposed_with = token and p.expires_at > at
      or p.status = 'approved' and (p.proposed_with = token or p.approved_with = token)
    returning p.id, p.tenant_id, p.status, p.failure
  )
  select entries || array_agg(quipu.audit_entry(acting,
    case e.status when 'withdrawn' then 'proposal.withdraw' else 'proposal.fail' end, e.tenant_id, e.id, at,
    jsonb_build_object('status', case e.status when 'withdrawn' then 'open' else 'approved' end),
    jsonb_strip_nulls(jsonb_build_object('status', e.status, 'failure', e.failure))) order by e.id)
  into entries from ended e;
  perform quipu.write_audit_entries(entries);
  return 'committed';
end
$$;

-- Whether this is an active token of an admin, and not one of a single sign-in.
create function quipu.is_active_admin(token text, at timestamptz) returns boolean
language sql stable
begin atomic
  select exists (
    select from quipu.operator_token t
    where t.id = token and t.role = 'admin' and t.created_by <> 'identity provider' and t.activated_at is not null and t.revoked_at is null
      and t.expires_at > at
  );
end;

-- Inserts an active token of any role. Has the caller's rights, so that only the owner of the tables can call
-- it: for the first two admins, and when no admin is left.
create function quipu.bootstrap_operator_token(token text, person text, label text, role text,
  hash text, at timestamptz, expires_at timestamptz) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  issued quipu.operator_token;
begin
  insert into quipu.operator_token (id, person, label, role, hash, created_at, created_by,
    activated_at, expires_at)
  values (token, person, label, role, hash, at, 'database owner', at, expires_at)
  returning * into issued;
  perform quipu.write_audit(row('database owner', null, null, null, null), 'operator_token.issue', null, token, at, null,
    quipu.operator_token_details(issued));
end
$$;
