-- Notices to tenants' technical contacts about their API keys and their suspension. The audit log is their outbox: a cursor moves along
-- it, and one along the expiries of keys. See docs/decisions/notices.md.

-- No statement but that of the expiries can use it: a nearly empty table has plans that its growth keeps.
create index api_key_expiry on quipu.api_key (expires_at) where expires_at is not null;

-- How far notices to technical contacts were accepted, and the claim on the next one. One row.
create table quipu.notice_cursor (
  only_row boolean primary key default true check (only_row),
  entry_id bigint not null, -- every audit entry up to here has had its notice, or needs none
  expiry timestamptz not null, -- so has every key that expires before this, or then with an id up to `expiry_key`
  expiry_key text collate "C" not null,
  fencing_token int not null default 0,
  due_at timestamptz not null default '-infinity', -- the end of the lease, or of the pause after a failure
  claimed_entry bigint, -- the claimed notice: of an entry, or of a key's expiry
  claimed_key text collate "C",
  claimed_expiry timestamptz,
  failed_attempts int not null default 0,
  failing_since timestamptz, -- null when the last attempt was accepted
  check (num_nonnulls(claimed_entry, claimed_key) <= 1),
  check (num_nulls(claimed_key, claimed_expiry) in (0, 2))
);
insert into quipu.notice_cursor (entry_id, expiry, expiry_key)
select coalesce(max(a.id), 0), '-infinity', '' from quipu.audit_log a;
create trigger no_delete before delete on quipu.notice_cursor
  for each row execute function quipu.refuse_change();
select quipu.refuse_truncate('quipu.notice_cursor');
create trigger cursor_only_advances before update on quipu.notice_cursor
  for each row when (new.entry_id < old.entry_id
    or (new.expiry, new.expiry_key) < (old.expiry, old.expiry_key))
  execute function quipu.refuse_step();

-- Whether an audit entry changes a tenant's technical contact.
create function quipu.changes_contact(entry quipu.audit_log) returns boolean
language sql immutable
return entry.action = 'tenant.update'
  and entry.before ->> 'contact_digest' is distinct from entry.after ->> 'contact_digest';

-- Whether an audit entry has a notice. The core's `isNoticed` decides the same.
create function quipu.is_noticed(entry quipu.audit_log) returns boolean
language sql immutable
return entry.action in ('api_key.issue', 'api_key.rotate', 'api_key.revoke', 'api_key.set_addresses', 'tenant.suspend',
    'tenant.resume')
  or quipu.changes_contact(entry);
comment on function quipu.changes_contact is 'for processes'; -- `is_noticed` calls it.
comment on function quipu.is_noticed is 'for processes';

-- Claims the next notice. Returns its audit entry, or none for a key that expires soon; its key, if it concerns
-- one; and the technical contact at the time of the entry: a later change of the contact must not hide the entry
-- from the person who was the contact then.
--
-- Moves the cursor past entries without a notice, 1,000 a call. Without an entry it moves the cursor of the
-- expiries to seven days from now, in steps of an hour, so that the notice of a key's issue, or of a rotation
-- that brings its expiry within seven days, is the only one. Passes over tenants of another cell, and waits for those
-- that move.
create function quipu.claim_notice(lease_seconds float8, clock_override timestamptz)
returns table (fencing_token int, failed_attempts int, entry_id bigint, key_id text, contact_name text,
  contact_email text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  now timestamptz := quipu.store_now(clock_override);
  lease_end timestamptz := quipu.due_after(now, lease_seconds);
  c quipu.notice_cursor;
  last_id bigint;
  noticed_id bigint;
  entry quipu.audit_log;
  key quipu.api_key;
begin
  select n.* into c from quipu.notice_cursor n where n.only_row and n.due_at <= now
  for update skip locked;
  if not found then
    return;
  end if;
  with slice as materialized (
    select a as entry, a.id from quipu.audit_log a where a.id > c.entry_id order by a.id limit 1000
  )
  select max(s.id), min(s.id) filter (where quipu.is_noticed(s.entry) and (
    select true from quipu.moving_tenant m where m.tenant_id = (s.entry).tenant_id and m.left_at is not null limit 1
  ) is null) into last_id, noticed_id
  from slice s;

  if noticed_id is not null then
    select a.* into strict entry from quipu.audit_log a where a.id = noticed_id;
    select k.* into key from quipu.api_key k
    where k.id = entry.subject and k.tenant_id = entry.tenant_id;
    c.entry_id := noticed_id - 1;
  else
    c.entry_id := coalesce(last_id, c.entry_id);
    select k.* into key from quipu.api_key k
    where (k.expires_at, k.id) > (c.expiry, c.expiry_key) and k.expires_at > now
      and k.expires_at <= now + interval '7 days' and k.revoked_at is null and k.activated_at is not null
      and (select true from quipu.moving_tenant m where m.tenant_id = k.tenant_id and m.left_at is not null limit 1) is null
    order by k.expires_at, k.id limit 1;
    if key.id is null and c.expiry < now + interval '7 days' - interval '1 hour' then
      c.expiry := now + interval '7 days';
      c.expiry_key := '';
    end if;
  end if;

  if exists (
    select from quipu.moving_tenant m where m.tenant_id = coalesce(entry.tenant_id, key.tenant_id)
  ) then
    return;
  end if;
  if noticed_id is null and key.id is null then
    update quipu.notice_cursor n
    set entry_id = c.entry_id, expiry = c.expiry, expiry_key = c.expiry_key
    where n.only_row
      and (n.entry_id, n.expiry, n.expiry_key) is distinct from (c.entry_id, c.expiry, c.expiry_key);
    return;
  end if;
  update quipu.notice_cursor n
  set entry_id = c.entry_id, fencing_token = n.fencing_token + 1,
    due_at = lease_end, claimed_entry = noticed_id,
    claimed_key = case when noticed_id is null then key.id end,
    claimed_expiry = case when noticed_id is null then key.expires_at end
  where n.only_row;
  return query
  select c.fencing_token + 1, c.failed_attempts, noticed_id, key.id,
    coalesce(former.name, t.contact_name), coalesce(former.email, t.contact_email)
  from quipu.tenant t
  left join lateral (
    select a.before from quipu.audit_log a
    where a.subject = t.id and a.id > noticed_id and quipu.changes_contact(a) order by a.id limit 1
  ) changed on true
  left join quipu.audited_contact former on former.digest = changed.before ->> 'contact_digest'
  where t.id = coalesce(entry.tenant_id, key.tenant_id);
end
$$;

-- Moves the cursor past the claimed notice. Returns false when a newer claim exists, or the attempt was recorded.
create function quipu.accept_notice(fencing_token int) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
begin
  update quipu.notice_cursor n
  set entry_id = coalesce(n.claimed_entry, n.entry_id), expiry = coalesce(n.claimed_expiry, n.expiry),
    expiry_key = coalesce(n.claimed_key, n.expiry_key), claimed_entry = null, claimed_key = null,
    claimed_expiry = null, due_at = '-infinity', failed_attempts = 0, failing_since = null
  where n.only_row and n.fencing_token = fencing_token
    and num_nonnulls(n.claimed_entry, n.claimed_key) = 1;
  return found;
end
$$;

-- Makes the claimed notice due again after a failed attempt. Returns as `accept_notice`.
create function quipu.retry_notice(fencing_token int, due_seconds float8, clock_override timestamptz)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  now timestamptz := quipu.store_now(clock_override);
  due timestamptz := quipu.due_after(now, due_seconds);
begin
  update quipu.notice_cursor n
  set due_at = due, failed_attempts = n.failed_attempts + 1,
    failing_since = coalesce(n.failing_since, now), claimed_entry = null, claimed_key = null,
    claimed_expiry = null
  where n.only_row and n.fencing_token = fencing_token
    and num_nonnulls(n.claimed_entry, n.claimed_key) = 1;
  return found;
end
$$;
