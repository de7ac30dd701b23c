-- Sessions of the console. A browser presents a secret instead of the operator token, and the functions find the
-- token by the secret's hash, so that a session ends with its token, and for all processes at once.

-- A sign-in to the console: its secret's hash, its token, its use, its end. Processes cannot read the hash.
create table quipu.console_session (
  hash text collate "C" primary key check (hash ~ '^[0-9a-f]{64}$'),
  fingerprint text collate "C" not null generated always as (left(hash, 16)) stored,
  token_id text collate "C" not null references quipu.operator_token,
  origin text collate "C" not null check (origin in ('token', 'oidc')),
  has_second_factor boolean not null,
  address text, -- of the sign-in
  browser text check (length(browser) <= 200), -- as it names itself
  created_at timestamptz not null,
  seen_at timestamptz not null, -- the person's last use, to the minute
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint expires_in_time
    check (expires_at > created_at and expires_at <= created_at + interval '12 hours')
);
-- For `acting_operator`, which is given the session's fingerprint.
create index console_session_of_token on quipu.console_session (token_id, fingerprint);
create index console_session_newest on quipu.console_session (created_at, fingerprint);
-- Who can read a hash can present it to the functions below in place of the secret.
comment on column quipu.console_session.hash is 'not for processes';
-- Expired rows are deleted: the audit log has both ends of each session.
create trigger limited_change before update on quipu.console_session
  for each row execute function quipu.refuse_other_change('ended_at', 'seen_at', 'has_second_factor', 'fingerprint');
create trigger end_is_final before update on quipu.console_session
  for each row when (old.ended_at is not null and new.ended_at is distinct from old.ended_at)
  execute function quipu.refuse_step();
select quipu.refuse_truncate('quipu.console_session');

-- The session with this hash, while neither it nor its token has ended, and the person has used it within the idle
-- seconds. The hash of the token goes to a process that was shown the secret; without it, the process reads no hash.
create function quipu.authenticate_console_session(session_hash text, at timestamptz, idle_seconds float8)
returns table (id text, person text, label text, role text, fingerprint text, created_at timestamptz,
  created_by text, activated_at timestamptz, expires_at timestamptz, revoked_at timestamptz,
  revoked_by text, token_hash text, session_expires_at timestamptz, origin text, has_second_factor boolean,
  seen_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select t.id, t.person, t.label, t.role, t.fingerprint, t.created_at, t.created_by, t.activated_at,
    t.expires_at, t.revoked_at, t.revoked_by, t.hash, s.expires_at, s.origin, s.has_second_factor, s.seen_at
  from quipu.console_session s join quipu.operator_token t on t.id = s.token_id
  where s.hash = session_hash and s.ended_at is null and s.expires_at > at
    and s.seen_at > at - make_interval(secs => idle_seconds)
    and t.activated_at is not null and t.revoked_at is null and t.expires_at > at;
end;

-- Records that the person has used the session with this hash; once a minute is enough.
create function quipu.touch_console_session(session_hash text, at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform quipu.require_present(at);
  update quipu.console_session s set seen_at = at where s.hash = session_hash and s.seen_at < at;
end
$$;

-- Inserts a session of the acting person's token, with its audit entry, and deletes those that have expired.
create function quipu.insert_console_session(session_hash text, acting quipu.actor, at timestamptz,
  expires_at timestamptz, about jsonb, origin text, has_second_factor boolean) returns void
language plpgsql as $$
declare
  token quipu.operator_token;
  ends_at timestamptz;
begin
  select * into strict token from quipu.operator_token t where t.id = acting.token_id;
  ends_at := least(expires_at, token.expires_at);
  delete from quipu.console_session s where s.expires_at <= at;
  insert into quipu.console_session (hash, token_id, origin, has_second_factor, address, browser, created_at, seen_at,
    expires_at)
  values (session_hash, token.id, origin, has_second_factor, acting.address, about ->> 'browser', at, at, ends_at);
  acting.session := left(session_hash, 16);
  perform quipu.write_audit(acting, 'console.sign_in', null, token.id, at, null,
    jsonb_build_object('fingerprint', token.fingerprint, 'expires_at', quipu.iso_text(ends_at)));
end
$$;

-- Opens a session for the active token with this hash. Results: `unauthorized` when there is none,
-- `needs_second_factor` when the person has one and no right code of it is given.
create function quipu.open_console_session(session_hash text, by jsonb, at timestamptz,
  expires_at timestamptz, about jsonb, factor jsonb) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, null, at);
  is_enrolled boolean;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  is_enrolled := exists (
    select from quipu.second_factor f where f.person = acting.person and f.confirmed_at is not null);
  if is_enrolled and (factor is null or not quipu.use_second_factor(acting.person, session_hash, factor)) then
    return 'needs_second_factor';
  end if;
  perform quipu.insert_console_session(session_hash, acting, at, expires_at, about, 'token', is_enrolled);
  return 'committed';
end
$$;

-- Ends the session with this hash; returns whether it had not ended. `address` is that of the request.
create function quipu.end_console_session(session_hash text, address text, at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ended quipu.console_session;
  acting quipu.actor;
begin
  perform quipu.require_present(at);
  update quipu.console_session s set ended_at = at where s.hash = session_hash and s.ended_at is null
  returning * into ended;
  if not found then
    return false;
  end if;
  select t.person, t.id, end_console_session.address, ended.fingerprint, t.role into strict acting
  from quipu.operator_token t where t.id = ended.token_id;
  perform quipu.write_audit(acting, 'console.sign_out', null, ended.token_id, at,
    jsonb_build_object('ended_at', null), jsonb_build_object('ended_at', quipu.iso_text(at)));
  return true;
end
$$;

-- Ends the session with this fingerprint in the name of the person whose token is presented: an own one, or any for an
-- admin. Returns `stale` when there is none to end.
create function quipu.end_session_of(session text, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, null, at);
  ended quipu.console_session;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  update quipu.console_session s set ended_at = at
  from quipu.operator_token t
  where s.fingerprint = session and s.ended_at is null and s.expires_at > at and t.id = s.token_id
    and (acting.role = 'admin' or t.person = acting.person)
  returning s.* into ended;
  if not found then
    return 'stale';
  end if;
  perform quipu.write_audit(acting, 'console.end_session', null, ended.token_id, at,
    jsonb_build_object('session', session, 'ended_at', null),
    jsonb_build_object('session', session, 'ended_at', quipu.iso_text(at)));
  return 'committed';
end
$$;
