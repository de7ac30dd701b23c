-- Sign-ins that a process vouches for: by an OpenID provider, or with a second factor. The processes' role could invent
-- them, so each has a MAC by a key that the owner of the database stores, and that this role cannot read.

-- The keys of `OPERATOR_SIGN_IN_KEY`. Only the owner writes and reads them.
create table quipu.sign_in_key (
  id text collate "C" primary key check (id ~ '^[a-z0-9-]{1,16}$'),
  key bytea not null check (length(key) = 32)
);
comment on column quipu.sign_in_key.key is 'not for processes';

-- HMAC-SHA256 with a key of 32 bytes (RFC 2104).
create function quipu.hmac_sha256(key bytea, message text) returns text
language plpgsql immutable as $$
declare
  inner_pad bytea := decode(repeat('36', 64), 'hex');
  outer_pad bytea := decode(repeat('5c', 64), 'hex');
begin
  for i in 0 .. length(key) - 1 loop
    inner_pad := set_byte(inner_pad, i, get_byte(key, i) # 54);
    outer_pad := set_byte(outer_pad, i, get_byte(key, i) # 92);
  end loop;
  return encode(sha256(outer_pad || sha256(inner_pad || convert_to(message, 'UTF8'))), 'hex');
end
$$;

-- Whether a stored key made the MAC of this text: `<id of the key>.<64 digits>`. Hashes are compared, so that the time
-- says nothing about the right one.
create function quipu.is_signed(message text, mac text) returns boolean
language sql stable
begin atomic
  select coalesce((
    select sha256(convert_to(quipu.hmac_sha256(k.key, message), 'UTF8')) = sha256(convert_to(split_part(mac, '.', 2), 'UTF8'))
    from quipu.sign_in_key k where k.id = split_part(mac, '.', 1)
  ), false);
end;

-- Opens a session of a person whom an OpenID provider has named, with a token that nobody is shown and that ends with
-- it. The MAC is of person, role, both hashes and end. Returns whether it matches.
create function quipu.sign_in(token text, person text, role text, token_hash text, session_hash text, mac text,
  about jsonb, at timestamptz, expires_at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  signed text := concat_ws(E'\n', 'sign_in', person, role, token_hash, session_hash, quipu.iso_text(expires_at));
  acting quipu.actor := (person, token, about ->> 'address', left(session_hash, 16), role);
begin
  perform quipu.require_present(at);
  if not quipu.is_signed(signed, mac) or expires_at <= at then
    return false;
  end if;
  insert into quipu.operator_token (id, person, label, role, hash, created_at, created_by, activated_at, expires_at)
  values (token, person, 'console', role, token_hash, at, 'identity provider', at, expires_at);
  perform quipu.insert_console_session(session_hash, acting, at, expires_at, about, 'oidc', true);
  return true;
end
$$;

-- The second factors of people (RFC 6238): a secret, encrypted by a key that the database does not have.
create table quipu.second_factor (
  person text collate "C" primary key,
  secret text not null, -- begins with the id of its key
  created_at timestamptz not null,
  confirmed_at timestamptz, -- null until the person has shown a code
  last_step bigint not null default 0, -- of the last code: each serves once
  attempts int not null default 0, -- since the last right one
  attempted_at timestamptz
);

-- Stores a secret of the person whose token is presented, until `confirm_second_factor` without effect. Returns `stale`
-- when another one is in effect.
create function quipu.enrol_second_factor(by jsonb, secret text, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, null, at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  insert into quipu.second_factor as f (person, secret, created_at)
  values (acting.person, enrol_second_factor.secret, at)
  on conflict (person) do update set secret = excluded.secret, created_at = at
  where f.confirmed_at is null;
  return case when found then 'committed' else 'stale' end;
end
$$;

-- Counts an attempt of the person whose token is presented, before the code is compared, so that concurrent guesses
-- count too: five, and then one in fifteen minutes. Results: `claimed` with the secret, `locked`, `none`,
-- `unauthorized`.
create function quipu.claim_second_factor(by jsonb, at timestamptz, out result text, out secret text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, null, at);
  own quipu.second_factor;
begin
  result := 'unauthorized';
  if acting.person is null then
    return;
  end if;
  select * into own from quipu.second_factor f where f.person = acting.person for no key update;
  result := case when not found then 'none'
    when own.attempts >= 5 and own.attempted_at > at - interval '15 minutes' then 'locked' else 'claimed' end;
  if result = 'claimed' then
    update quipu.second_factor f set attempts = f.attempts + 1, attempted_at = at where f.person = acting.person;
    secret := own.secret;
  end if;
end
$$;

-- Uses a code once: its step, with a MAC of person, hash of what it opens, and step. Returns whether it was new and true.
create function quipu.use_second_factor(person text, hash text, factor jsonb) returns boolean
language plpgsql as $$
declare
  step bigint := (factor ->> 'step')::bigint;
begin
  if not quipu.is_signed(concat_ws(E'\n', 'second_factor', person, hash, step), factor ->> 'mac') then
    return false;
  end if;
  update quipu.second_factor f set last_step = step, attempts = 0
  where f.person = use_second_factor.person and f.last_step < step;
  return found;
end
$$;

-- Puts the second factor into effect, by a code of it. The session of the request has seen it. Returns `stale` when the
-- code is wrong or used, or the factor in effect.
create function quipu.confirm_second_factor(by jsonb, factor jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, null, at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  if not quipu.use_second_factor(acting.person, by ->> 'token_hash', factor) then
    return 'stale';
  end if;
  update quipu.second_factor f set confirmed_at = at where f.person = acting.person and f.confirmed_at is null;
  if not found then
    return 'stale';
  end if;
  update quipu.console_session s set has_second_factor = true
  where s.token_id = acting.token_id and s.fingerprint = acting.session;
  perform quipu.write_audit(acting, 'second_factor.confirm', null, acting.person, at, null,
    jsonb_build_object('confirmed_at', quipu.iso_text(at)));
  return 'committed';
end
$$;

-- Removes the second factor of a person who has lost it, and ends the person's sessions. Only an admin, and never the
-- own one. Returns `stale` when there is none.
create function quipu.remove_second_factor(person text, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['admin'], at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  delete from quipu.second_factor f
  where f.person = remove_second_factor.person and f.person <> acting.person and f.confirmed_at is not null;
  if not found then
    return 'stale';
  end if;
  update quipu.console_session s set ended_at = at
  from quipu.operator_token t
  where t.id = s.token_id and t.person = remove_second_factor.person and s.ended_at is null;
  perform quipu.write_audit(acting, 'second_factor.remove', null, person, at,
    jsonb_build_object('enrolled', 'true'), jsonb_build_object('enrolled', 'false'));
  return 'committed';
end
$$;

-- Replaces a secret by the same one, encrypted by a newer key. Returns false when it is no longer the given one.
create function quipu.renew_second_factor(person text, old_secret text, new_secret text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update quipu.second_factor f set secret = new_secret
  where f.person = renew_second_factor.person and f.secret = old_secret;
  return found;
end
$$;
