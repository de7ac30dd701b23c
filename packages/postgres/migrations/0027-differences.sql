-- The differences of every check. The ledger check (0021-ledger-check.sql) and the check of the audit log record
-- theirs in the database; processes record those of the other checks by `record_differences`.

create sequence quipu.difference_change;

-- A row is never deleted. The difference that a run sees again is the row with its check, kind and subject that
-- is not gone.
create table quipu.difference (
  id text collate "C" primary key,
  change bigint not null, -- of the sequence, anew with every change that is alerted; in commit order
  changed_at timestamptz not null default clock_timestamp(), -- when it got that number, whatever a caller says
  check_name text collate "C" not null
    check (check_name in ('ledger', 'audit', 'network', 'chain', 'liquidity', 'report')),
  kind text collate "C" not null,
  scope text collate "C" not null, -- what one run covers; empty when that is everything
  tenant_id text collate "C", -- null when it concerns no single tenant
  subject text collate "C" not null, -- id of a wallet, payout, deposit, key, address, …
  detail text not null,
  currency text collate "C" check (currency in ('USDT', 'BOB')),
  expected_amount numeric(80) check (expected_amount < 'NaN'),
  found_amount numeric(80) check (found_amount < 'NaN'),
  found_at timestamptz not null,
  last_seen_at timestamptz not null,
  gone_at timestamptz,
  closed_at timestamptz,
  closed_by text,
  close_reason text,
  proposal_id text collate "C",
  status text collate "C" not null generated always as (
    case when closed_at is not null then 'closed' when gone_at is not null then 'gone' else 'open' end
  ) stored,
  constraint amounts_have_a_currency check (
    (currency is null) = (num_nulls(expected_amount, found_amount) = 2)),
  constraint closed_by_an_operator check (num_nulls(closed_at, closed_by, close_reason) in (0, 3)
    and (closed_at is not null or proposal_id is null))
);
create unique index difference_present on quipu.difference (check_name, kind, subject)
  where gone_at is null;
create index difference_newest on quipu.difference (found_at, id);
create index difference_of_tenant on quipu.difference (tenant_id, found_at, id);
create index difference_of_status on quipu.difference (status, found_at, id);
create index difference_open on quipu.difference (check_name, found_at) where status = 'open';
create index difference_changed on quipu.difference (change);
create index difference_unseen on quipu.difference (check_name, scope, last_seen_at) where gone_at is null;
create trigger limited_change before update or delete on quipu.difference
  for each row execute function quipu.refuse_other_change('change', 'changed_at', 'detail', 'currency',
    'expected_amount', 'found_amount', 'last_seen_at', 'gone_at', 'closed_at', 'closed_by',
    'close_reason', 'proposal_id', 'status');
create trigger gone_is_final before update on quipu.difference
  for each row when (old.gone_at is not null) execute function quipu.refuse_step();
create trigger closed_is_final before update on quipu.difference
  for each row when (old.closed_at is not null and (
    (new.closed_at, new.closed_by, new.close_reason, new.proposal_id, new.detail, new.change,
      new.changed_at)
      is distinct from
    (old.closed_at, old.closed_by, old.close_reason, old.proposal_id, old.detail, old.change,
      old.changed_at)))
  execute function quipu.refuse_step();
select quipu.refuse_truncate('quipu.difference');

create type quipu.found_difference as (
  id text, check_name text, kind text, scope text, tenant_id text, subject text, detail text,
  currency text, expected_amount numeric, found_amount numeric
);

-- An id as the core makes it: a prefix, 48 bits of milliseconds and 80 random bits, in Crockford's base 32.
create function quipu.new_id(prefix text, at timestamptz) returns text
language sql volatile
begin atomic
  with digits as (
    select lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
      || left(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 20) as hex
  ), bits as (
    select b'00' || ('x' || d.hex)::bit(128) as bits from digits d
  )
  select prefix || '_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
    1 + substring(b.bits from 1 + 5 * n for 5)::bit(5)::int, 1), '' order by n)
  from bits b cross join generate_series(0, 25) n;
end;

-- Whether a difference that is seen again is unchanged. The core's `isSameDifference` decides the same.
create function quipu.is_same_difference(stored quipu.difference, seen quipu.found_difference)
returns boolean
language sql immutable
return stored.check_name = 'liquidity' or coalesce(
  stored.found_amount - stored.expected_amount = seen.found_amount - seen.expected_amount,
  stored.detail = seen.detail);

-- The lock of every write that opens or changes a difference. It makes the numbers of changes increase in commit
-- order, so that a reader of all changes up to one number has missed none.
create function quipu.lock_differences() returns void
language sql
begin atomic
  select pg_advisory_xact_lock(hashtextextended('quipu.difference', 0));
end;

-- Records a difference that a run has found at this instant.
create function quipu.put_difference(seen quipu.found_difference, at timestamptz) returns void
language plpgsql as $$
declare
  stored quipu.difference;
  is_same boolean;
begin
  perform quipu.lock_differences();
  select * into stored from quipu.difference d
  where d.check_name = seen.check_name and d.kind = seen.kind and d.subject = seen.subject
    and d.gone_at is null
  for no key update;
  if found then
    is_same := quipu.is_same_difference(stored, seen);
    if stored.status = 'open' then
      update quipu.difference d
      set detail = seen.detail, currency = seen.currency, expected_amount = seen.expected_amount,
        found_amount = seen.found_amount, last_seen_at = greatest(d.last_seen_at, at),
        change = case when is_same then d.change else nextval('quipu.difference_change') end,
        changed_at = case when is_same then d.changed_at else clock_timestamp() end
      where d.id = stored.id;
      return;
    end if;
    update quipu.difference d
    set last_seen_at = greatest(d.last_seen_at, case when is_same then at end),
      gone_at = case when not is_same then at end
    where d.id = stored.id;
    if is_same then
      return;
    end if;
  end if;
  insert into quipu.difference (id, change, check_name, kind, scope, tenant_id, subject, detail, currency,
    expected_amount, found_amount, found_at, last_seen_at)
  values (seen.id, nextval('quipu.difference_change'), seen.check_name, seen.kind, seen.scope,
    seen.tenant_id, seen.subject, seen.detail, seen.currency, seen.expected_amount, seen.found_amount, at, at);
end
$$;

-- Records what the checks in the database find about one subject: a difference of this kind or, when `detail` is
-- null, none; an earlier one is then gone. Amounts are in micro-USDT.
create function quipu.record_difference(check_name text, tenant text, kind text, about text, detail text,
  expected numeric default null, actual numeric default null) returns void
language plpgsql as $$
#variable_conflict use_variable
declare
  at timestamptz := quipu.store_now(null);
begin
  if detail is not null then
    perform quipu.put_difference((quipu.new_id('dif', at), check_name, kind, '', tenant, about, detail,
      case when num_nulls(expected, actual) < 2 then 'USDT' end, expected, actual), at);
    return;
  end if;
  perform from quipu.difference d
  where d.check_name = record_difference.check_name and d.kind = record_difference.kind
    and d.subject = about and d.gone_at is null;
  if found then
    perform quipu.lock_differences();
    update quipu.difference d set gone_at = at
    where d.check_name = record_difference.check_name and d.kind = record_difference.kind
      and d.subject = about and d.gone_at is null;
  end if;
end
$$;

-- Whether a process finds such differences: of a closed set of kinds, and about a row of the tenant that it names.
-- The core's `foundKinds` has the same kinds. Those of the checks in the database are not among them, so that no
-- process can change one.
create function quipu.is_found_by_process(seen quipu.found_difference) returns boolean
language sql stable
return coalesce(case seen.check_name
  when 'network' then case
    when seen.kind not in ('unknown_here', 'not_completed', 'other_amount', 'paid_twice', 'other_time',
      'absent_there', 'returned', 'contradicts') then false
    when seen.tenant_id is null
      then seen.kind = 'unknown_here' or seen.subject = seen.scope || ' ' || seen.kind
    else seen.kind <> 'unknown_here' and exists (
      select from quipu.payout p where p.id = seen.subject and p.tenant_id = seen.tenant_id)
  end
  when 'chain' then seen.kind in ('short', 'surplus', 'unread') and exists (
    select from quipu.top_up_address a
    where a.address = seen.subject and a.tenant_id = seen.tenant_id)
  when 'liquidity' then seen.kind = 'below_floor' and seen.subject = 'network' and seen.tenant_id is null
  when 'report' then seen.kind in ('revenue', 'volume', 'statement') and seen.tenant_id is null
    and seen.subject ~ '^\d{4}-\d\d-\d\d$'
  when 'ledger' then seen.kind = 'credit' and exists (
    select from quipu.deposit d where d.id = seen.subject and d.tenant_id = seen.tenant_id)
end, false);

-- Records the differences that a run of a process has found: an array of objects with the members of
-- `found_difference`. Refuses what no process finds, and instants of the future, before which nothing seen would
-- ever be gone.
create function quipu.record_differences(seen jsonb, at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  each quipu.found_difference;
begin
  perform quipu.require_plausible(at);
  for each in
    select * from jsonb_populate_recordset(null::quipu.found_difference, seen) s
    order by s.check_name, s.kind, s.subject
  loop
    if not quipu.is_found_by_process(each) then
      raise exception 'no process finds a difference of %, % about % of %', each.check_name, each.kind,
        each.subject, coalesce('tenant ' || each.tenant_id, 'no tenant') using errcode = 'check_violation';
    end if;
    perform quipu.put_difference(each, at);
  end loop;
end
$$;

-- After a complete run of a check by a process: the differences of its scope that it has not seen are gone.
-- Returns their number. They stay on record.
create function quipu.resolve_differences(check_name text, scope text, at timestamptz) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  resolved int;
begin
  if check_name not in ('network', 'chain', 'liquidity', 'report') then
    raise exception 'the differences of % are resolved by the store alone', check_name
      using errcode = 'check_violation';
  end if;
  perform quipu.require_plausible(at);
  perform quipu.lock_differences();
  update quipu.difference d set gone_at = at
  where d.check_name = resolve_differences.check_name and d.scope = resolve_differences.scope
    and d.gone_at is null and d.last_seen_at < at;
  get diagnostics resolved = row_count;
  return resolved;
end
$$;

-- Closes an open difference in the name of the person whose token is presented. Returns `unauthorized` when no such
-- token may write, and `stale` when it is not open. Refuses a proposal that is not an executed one of the
-- difference's tenant.
create function quipu.close_difference(difference text, by jsonb, at timestamptz, reason text,
  proposal text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
  closed quipu.difference;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  update quipu.difference d
  set closed_at = at, closed_by = acting.person, close_reason = reason, proposal_id = proposal
  where d.id = difference and d.status = 'open'
  returning * into closed;
  if not found then
    return 'stale';
  end if;
  if proposal is not null and not exists (
    select from quipu.proposal p
    where p.id = proposal and p.tenant_id = closed.tenant_id and p.status = 'executed'
  ) then
    raise exception 'proposal % is not an executed one of the difference’s tenant', proposal
      using errcode = 'check_violation';
  end if;
  perform quipu.write_audit(acting, 'difference.close', closed.tenant_id, difference, at,
    jsonb_build_object('status', 'open'),
    jsonb_build_object('status', 'closed', 'check', closed.check_name, 'kind', closed.kind,
      'subject', closed.subject, 'reason', reason)
      || jsonb_strip_nulls(jsonb_build_object('proposal_id', proposal)));
  return 'committed';
end
$$;
