-- Sessions of the console. A browser presents a secret instead of the operator token, and the functions find the
-- token by the secret's hash, so that a session ends with its token, and for all processes at once.

-- A sign-in to the console: its secret's hash, its token, its end. Processes cannot read the hash.
create table quipu.console_session (
  hash text collate "C" primary key check (hash ~ '^[0-9a-f]{64}$'),
  fingerprint text collate "C" not null generated always as (left(hash, 16)) stored,
  token_id text collate "C" not null references quipu.operator_token,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint expires_within_12_hours
    check (expires_at > created_at and expires_at <= created_at + interval '12 hours')
);
-- For `acting_operator`, which is given the session's fingerprint.
create index console_session_of_token on quipu.console_session (token_id, fingerprint);
-- Who can read a hash can present it to the functions below in place of the secret.
comment on column quipu.console_session.hash is 'not for processes';
-- Expired rows are deleted: the audit log has both ends of each session.
create trigger limited_change before update on quipu.console_session
  for each row execute function quipu.refuse_other_change('ended_at', 'fingerprint');
create trigger end_is_final before update on quipu.console_session
  for each row when (old.ended_at is not null and new.ended_at is distinct from old.ended_at)
  execute function quipu.refuse_step();
create trigger no_truncate before truncate on quipu.console_session
  execute function quipu.refuse_change();

-- The session with this hash, while neither it nor its token has ended. The hash of the token goes to a process
-- that was shown the secret; without it, the process reads no hash.
create function quipu.authenticate_console_session(session_hash text, at timestamptz)
returns table (id text, person text, label text, role text, fingerprint text, created_at timestamptz,
  created_by text, activated_at timestamptz, expires_at timestamptz, revoked_at timestamptz,
  revoked_by text, token_hash text, session_expires_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select t.id, t.person, t.label, t.role, t.fingerprint, t.created_at, t.created_by, t.activated_at,
    t.expires_at, t.revoked_at, t.revoked_by, t.hash, s.expires_at
  from quipu.console_session s join quipu.operator_token t on t.id = s.token_id
  where s.hash = session_hash and s.ended_at is null and s.expires_at > at
    and t.activated_at is not null and t.revoked_at is null and t.expires_at > at;
end;

-- Opens a session for the active token with this hash, and deletes those that have expired; returns whether there is
-- such a token.
create function quipu.open_console_session(session_hash text, by jsonb, at timestamptz,
  expires_at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, null, at);
  token quipu.operator_token;
  ends_at timestamptz;
begin
  if acting.person is null then
    return false;
  end if;
  select * into strict token from quipu.operator_token t where t.id = acting.token_id;
  ends_at := least(expires_at, token.expires_at);
  delete from quipu.console_session s where s.expires_at <= at;
  insert into quipu.console_session (hash, token_id, created_at, expires_at)
  values (session_hash, token.id, at, ends_at);
  acting.session := left(session_hash, 16);
  perform quipu.write_audit(acting, 'console.sign_in', null, token.id, at, null,
    jsonb_build_object('fingerprint', token.fingerprint, 'expires_at', quipu.iso_text(ends_at)));
  return true;
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
