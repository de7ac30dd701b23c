-- The check of the ledger: every wallet against its postings, every posting against its source, and
-- the operators' records against the audit log. The worker calls it all the time, in slices.
--
-- Whoever can only write as the processes must not be able to switch it off. So its functions run with
-- their owner's rights, and nobody else may write the tables that they keep.

-- How far the check of a wallet has come.
create table quipu.ledger_check (
  tenant_id text collate "C" primary key references quipu.tenant,
  checked_at timestamptz not null default '-infinity', -- the wallet, with every posting
  -- Every transfer before this instant was compared with its source, and is in these sums.
  through timestamptz not null default '-infinity',
  sums numeric[] not null default '{0,0,0,0,0,0}', -- as `quipu.sums_of` has them
  movements bigint not null default 0, -- transfers that have a `seq`
  -- All transfers before this instant were added up once more, from the first one on.
  swept timestamptz not null default '-infinity',
  swept_sums numeric[] not null default '{0,0,0,0,0,0}'
);
create index ledger_check_oldest on quipu.ledger_check (checked_at);

-- What the check has found. A difference that no longer exists has `gone_at`.
create table quipu.ledger_difference (
  id bigint generated always as identity primary key,
  tenant_id text collate "C", -- null for an entry of the audit log
  kind text collate "C" not null, -- `balance`, `sweep`, `posting`, `tenant` or `audit`
  subject text collate "C" not null, -- the id of a wallet, payout, deposit, key, …
  detail text not null,
  found_at timestamptz not null,
  gone_at timestamptz
);
create unique index ledger_difference_open on quipu.ledger_difference (kind, subject, detail)
  where gone_at is null;

-- A wallet is checked from its first moment on.
create function quipu.begin_ledger_check() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into quipu.ledger_check (tenant_id) values (new.tenant_id);
  return null;
end
$$;
create trigger begin_ledger_check after insert on quipu.wallet
  for each row execute function quipu.begin_ledger_check();
insert into quipu.ledger_check (tenant_id) select tenant_id from quipu.wallet;

-- Micro-USDT as people read them.
create function quipu.usdt_text(minor numeric) returns text
language sql immutable
return round(minor / 1000000, 6)::text;

-- The sums of so many amounts, each of its type: deposits, holds, captures, releases, adjustments in,
-- adjustments out.
create function quipu.sums_of(types text[], amounts bigint[]) returns numeric[]
language sql immutable
return (
  select array[
    coalesce(sum(m.amount) filter (where m.type = 'deposit'), 0),
    coalesce(sum(m.amount) filter (where m.type = 'hold'), 0),
    coalesce(sum(m.amount) filter (where m.type = 'capture'), 0),
    coalesce(sum(m.amount) filter (where m.type = 'release'), 0),
    coalesce(sum(m.amount) filter (where m.type = 'adjustment_in'), 0),
    coalesce(sum(m.amount) filter (where m.type = 'adjustment_out'), 0)
  ]
  from unnest(types, amounts) m (type, amount)
);

create function quipu.add_sums(a numeric[], b numeric[]) returns numeric[]
language sql immutable
return array[a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5], a[6] + b[6]];

-- Why a transfer is not what its source says; null when it is.
create function quipu.transfer_fault(t quipu.transfer) returns text
language plpgsql stable as $$
declare
  payout quipu.payout;
  quote quipu.quote;
  ended quipu.payout_end;
  deposit quipu.deposit;
begin
  if t.type in ('hold', 'capture', 'release') then
    select * into payout from quipu.payout p
    where p.tenant_id = t.tenant_id and p.id = t.payout_id limit 1;
    if payout.applied is not true then
      return format('a %s belongs to no applied payout', t.type);
    end if;
    select * into quote from quipu.quote q
    where q.id = payout.quote_id and q.tenant_id = t.tenant_id limit 1;
    if quote.payout_id is distinct from payout.id then
      return format('its quote is used by %s', coalesce(quote.payout_id, 'no payout'));
    end if;
    if quote.source <> t.amount then
      return format('a %s of %s USDT is not the %s USDT of its quote', t.type,
        quipu.usdt_text(t.amount), quipu.usdt_text(quote.source));
    end if;
    if t.type = 'hold' then
      return quipu.quote_fault(quote, payout);
    end if;
    select * into ended from quipu.payout_end e
    where e.payout_id = payout.id and e.tenant_id = t.tenant_id limit 1;
    if ended.status is null or (ended.status = 'completed') <> (t.type = 'capture') then
      return format('a %s belongs to a payout that is %s', t.type,
        coalesce(ended.status, 'processing'));
    end if;
    return null;
  end if;

  if t.type = 'deposit' then
    select * into deposit from quipu.deposit d where d.id = t.deposit_id limit 1;
    if deposit.status is distinct from 'credited' or deposit.tenant_id <> t.tenant_id
      or not exists (
        select from quipu.deposit_credit c
        where c.deposit_id = t.deposit_id and c.tenant_id = t.tenant_id and c.seq = t.seq
      ) then
      return 'a credit belongs to no credited deposit';
    end if;
    if deposit.amount <> t.amount then
      return format('a credit of %s USDT is not the %s USDT of its deposit',
        quipu.usdt_text(t.amount), quipu.usdt_text(deposit.amount));
    end if;
    if deposit.review_code is not null and not exists (
      select from quipu.audit_log a where a.subject = deposit.id and a.action = 'deposit.credit'
    ) then
      return 'a credit out of review has no entry in the audit log';
    end if;
    return null;
  end if;

  if not exists (
    select from quipu.adjustment a
    where a.tenant_id = t.tenant_id and a.id = t.adjustment_id and a.amount = t.amount
      and 'adjustment_' || a.direction = t.type and a.created_at = t.created_at
      and exists (
        select from quipu.audit_log l
        where l.subject = t.tenant_id and l.action = 'wallet.adjust' and l.actor = a.actor
          and l.at = a.created_at and l.after ->> 'adjustment_id' = a.id
      )
  ) then
    return format('an adjustment of %s USDT has no entry in the audit log',
      quipu.usdt_text(t.amount));
  end if;
  return null;
end
$$;

-- Why a quote is not what its tenant's pricing gives; null when it is.
create function quipu.quote_fault(quote quipu.quote, payout quipu.payout) returns text
language sql stable
return case
  when quote.target <> payout.target then 'its payout is of another amount than its quote'
  when quote.source <> quote.principal + quote.fee
    or quote.principal <> div(quote.target * 100000000::numeric + quote.rate - 1, quote.rate)
    then 'its quote does not add up'
  when not quipu.was_priced(quote.tenant_id, quote.rate, quote.principal, quote.fee, quote.bid,
    quote.created_at) then 'its quote is not what the tenant’s pricing gives'
end;

-- What is wrong with a tenant's own rows: its keys and its pricing, as the audit log has them.
create function quipu.tenant_faults(tenant text)
returns table (subject text, detail text) language sql stable
begin atomic
  select k.id, case
    when issued.id is null then 'the key has no entry in the audit log'
    when issued.after -> 'scopes' <> to_jsonb(k.scopes)
      then 'the key has other scopes than it was issued with'
    else 'the key was revoked and is not'
  end
  from quipu.api_key k
  left join lateral (
    select a.id, a.after from quipu.audit_log a
    where a.subject = k.id and a.action = 'api_key.issue' order by a.id limit 1
  ) issued on true
  where k.tenant_id = tenant and (
    issued.id is null or issued.after -> 'scopes' <> to_jsonb(k.scopes)
    or (k.revoked_at is null and exists (
      select from quipu.audit_log a where a.subject = k.id and a.action = 'api_key.revoke'
    ))
  )
  union all
  select t.id, 'the tenant is not what the audit log says'
  from quipu.tenant t
  left join lateral (
    select a.after from quipu.audit_log a
    where a.subject = t.id and a.action = any (quipu.tenant_actions()) order by a.id desc limit 1
  ) newest on true
  where t.id = tenant and (
    newest.after ->> 'status', (newest.after ->> 'margin_bps')::numeric,
    (newest.after ->> 'fee_bps')::numeric, (newest.after ->> 'fee_fixed_minor')::numeric,
    (newest.after ->> 'payment_cap_bob_minor')::numeric
  ) is distinct from (t.status, t.margin_bps, t.fee_bps, t.fee_fixed, t.payment_cap);
end;

-- Why an entry of the audit log describes nothing that has happened; null when it does.
create function quipu.audit_fault(entry quipu.audit_log) returns text
language sql stable
return case when exists (
    select from quipu.audit_log a
    where a.subject = entry.subject and a.action = entry.action and a.at = entry.at
      and a.id < entry.id and a.after is not distinct from entry.after
  ) or not case entry.action
    when 'api_key.issue' then exists (
      select from quipu.api_key k where k.id = entry.subject and k.created_at = entry.at
    )
    when 'api_key.revoke' then exists (
      select from quipu.api_key k where k.id = entry.subject and k.revoked_at = entry.at
    )
    when 'tenant.create' then exists (
      select from quipu.tenant t where t.id = entry.subject and t.created_at = entry.at
    )
    when 'wallet.adjust' then exists (
      select from quipu.adjustment j
      where j.tenant_id = entry.subject and j.id = entry.after ->> 'adjustment_id'
        and j.actor = entry.actor and j.created_at = entry.at
    )
    when 'deposit.credit' then exists (
      select from quipu.deposit d where d.id = entry.subject and d.credited_at = entry.at
    )
    when 'deposit.close' then exists (
      select from quipu.deposit d
      where d.id = entry.subject and d.closed_at = entry.at and d.closed_by = entry.actor
    )
    when 'top_up_address.rotate' then exists (
      select from quipu.top_up_address a
      where a.tenant_id = entry.subject and a.retired_at = entry.at
    )
    else entry.action <> all (quipu.tenant_actions()) or exists (
      select from quipu.tenant t
      where t.id = entry.subject and t.revision = (
        select count(*) from quipu.audit_log a
        where a.subject = entry.subject and a.action = any (quipu.tenant_actions())
      )
    )
  end
  then format('%s has no change to the entry %s in the name of %s', entry.subject, entry.action,
    entry.actor)
end;

-- Writes what was found, if it is new. What was found before about the same subject and is no longer so
-- is gone. `text_` is null when nothing is wrong.
create function quipu.keep_difference(tenant text, kind_ text, about text, text_ text) returns void
language plpgsql as $$
begin
  update quipu.ledger_difference d set gone_at = clock_timestamp()
  where d.kind = kind_ and d.subject = about and d.gone_at is null
    and d.detail is distinct from text_;
  insert into quipu.ledger_difference (tenant_id, kind, subject, detail, found_at)
  select tenant, kind_, about, text_, clock_timestamp() where text_ is not null
  on conflict do nothing;
end
$$;

-- By how much two amounts differ, in words; null when they do not.
create function quipu.off_by(what text, actual numeric, wanted numeric) returns text
language sql immutable
return case when actual <> wanted then format('%s is %s USDT instead of %s USDT: %s USDT off', what,
  quipu.usdt_text(actual), quipu.usdt_text(wanted), quipu.usdt_text(actual - wanted)) end;

-- Checks the next `size` transfers of a wallet against their sources and, when these were the last, its
-- balance against all of them. False while there are more.
--
-- A wallet's time never goes back and its row is locked by whoever moves money: so all transfers before
-- the newest instant of those that one statement sees are there for ever, and none will join them.
create function quipu.check_wallet(tenant text, size int) returns boolean language plpgsql as $$
declare
  done quipu.ledger_check;
  bound timestamptz;
  seen record;
  fault record;
  total numeric[];
begin
  select * into done from quipu.ledger_check c where c.tenant_id = tenant;
  select t.created_at into bound from quipu.transfer t
  where t.tenant_id = tenant and t.created_at >= done.through
  order by t.created_at offset size limit 1;
  if bound = done.through then
    bound := null; -- More than that are of one instant: all of them, then.
  end if;

  -- One statement sees one moment: the balance, what has moved, and what is held for whom.
  with moved as materialized (
    select t as row, t.type, t.amount, t.seq, t.created_at < coalesce(bound, max(t.created_at) over ())
      as is_final, t.created_at
    from quipu.transfer t
    where t.tenant_id = tenant and t.created_at >= done.through
      and t.created_at <= coalesce(bound, 'infinity')
  ), faulty as materialized (
    select m.row, quipu.transfer_fault(m.row) as fault from moved m
  )
  select w.id, w.available, w.held, w.seq, m.*, case when w.held = 0 then 0 else (
      select coalesce(sum(q.source), 0) from quipu.payout_open o
      join quipu.payout p on p.tenant_id = o.tenant_id and p.id = o.payout_id
      join quipu.quote q on q.tenant_id = p.tenant_id and q.id = p.quote_id
      where o.tenant_id = tenant
    ) end as processing, (
      select jsonb_object_agg(
        coalesce((f.row).payout_id, (f.row).deposit_id, (f.row).adjustment_id, w.id), f.fault)
      from faulty f where f.fault is not null
    ) as faults
  into seen
  from quipu.wallet w
  cross join (
    select max(m.created_at) as newest,
      count(m.seq) as movements, count(m.seq) filter (where m.is_final) as final_movements,
      quipu.sums_of(array_agg(m.type), array_agg(m.amount)) as sums,
      quipu.sums_of(array_agg(m.type) filter (where m.is_final),
        array_agg(m.amount) filter (where m.is_final)) as final_sums
    from moved m
  ) m
  where w.tenant_id = tenant;

  for fault in select key as about, value as detail from jsonb_each_text(seen.faults) loop
    perform quipu.keep_difference(tenant, 'posting', fault.about, fault.detail);
  end loop;

  if bound is null then
    total := quipu.add_sums(done.sums, seen.sums);
    perform quipu.keep_difference(tenant, 'balance', seen.id, nullif(concat_ws('; ',
      quipu.off_by('available', seen.available, total[1] - total[2] + total[4] + total[5] - total[6]),
      quipu.off_by('held', seen.held, total[2] - total[3] - total[4]),
      quipu.off_by('held for payouts in processing', seen.held, seen.processing),
      case when seen.seq <> done.movements + seen.movements
        then format('it counts %s movements instead of %s', seen.seq, done.movements + seen.movements)
      end), ''));
  end if;

  update quipu.ledger_check c
  set through = coalesce(bound, seen.newest, done.through),
    sums = quipu.add_sums(done.sums, seen.final_sums),
    movements = done.movements + seen.final_movements
  where c.tenant_id = tenant;
  return bound is null;
end
$$;

-- Adds up the next `size` old transfers of a wallet once more, from the first one on and round and
-- round: the sums must be those of each closing, and at the end those that the check carries.
create function quipu.sweep_wallet(tenant text, size int) returns void language plpgsql as $$
declare
  done quipu.ledger_check;
  closed quipu.closing;
  bound timestamptz;
  total numeric[];
  wallet_id text;
begin
  select * into done from quipu.ledger_check c where c.tenant_id = tenant;
  select * into closed from quipu.closing c
  where c.tenant_id = tenant and c.before > done.swept and c.before <= done.through
  order by c.before limit 1;
  select t.created_at into bound from quipu.transfer t
  where t.tenant_id = tenant and t.created_at >= done.swept
  order by t.created_at offset size limit 1;
  if bound <= done.swept then
    bound := null;
  end if;
  bound := least(bound, closed.before, done.through);
  select quipu.add_sums(done.swept_sums, quipu.sums_of(array_agg(t.type), array_agg(t.amount)))
  into total
  from quipu.transfer t
  where t.tenant_id = tenant and t.created_at >= done.swept and t.created_at < bound;
  select w.id into wallet_id from quipu.wallet w where w.tenant_id = tenant;

  if bound = closed.before then
    perform quipu.keep_difference(tenant, 'sweep', wallet_id || to_char(bound at time zone 'UTC',
      ', closing of YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), case when total <> array[closed.deposit,
      closed.hold, closed.capture, closed.release, closed.adjustment_in, closed.adjustment_out]
    then 'the closing is not the sum of the postings before it' end);
  end if;
  if bound = done.through then
    perform quipu.keep_difference(tenant, 'sweep', wallet_id, case when total <> done.sums
      then 'postings were added in the past, or removed' end);
    bound := '-infinity';
    total := '{0,0,0,0,0,0}';
  end if;
  update quipu.ledger_check c set swept = bound, swept_sums = total where c.tenant_id = tenant;
end
$$;

-- Keeps what is wrong with a tenant's own rows.
create function quipu.check_tenant(tenant text) returns void language plpgsql as $$
declare
  fault record;
begin
  for fault in
    select coalesce(f.subject, d.subject) as subject, f.detail
    from quipu.tenant_faults(tenant) f
    full join (
      select distinct d.subject from quipu.ledger_difference d
      where d.tenant_id = tenant and d.kind = 'tenant' and d.gone_at is null
    ) d on d.subject = f.subject
  loop
    perform quipu.keep_difference(tenant, 'tenant', fault.subject, fault.detail);
  end loop;
end
$$;

-- One slice of the check: the wallets that were checked longest ago, if that is `every_seconds` ago or
-- more. Answers how many it has checked. Whoever comes at the same time takes other ones.
create function quipu.check_ledger(wallets int, size int, every_seconds float8) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  tenant text;
  checked int := 0;
begin
  for tenant in
    select c.tenant_id from quipu.ledger_check c
    where c.checked_at < clock_timestamp() - make_interval(secs => every_seconds)
    order by c.checked_at limit wallets
    for no key update skip locked
  loop
    checked := checked + 1;
    if quipu.check_wallet(tenant, size) then
      perform quipu.check_tenant(tenant);
      perform quipu.sweep_wallet(tenant, size);
      update quipu.ledger_check c set checked_at = clock_timestamp() where c.tenant_id = tenant;
    end if;
  end loop;
  return checked;
end
$$;

-- One slice of the check of the audit log: the next `size` entries after this one. Answers the last of
-- them; null when there are no more.
create function quipu.check_audit_log(after_id bigint, size int) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  entry quipu.audit_log;
  last bigint;
begin
  for entry in
    select * from quipu.audit_log a where a.id > after_id order by a.id limit size
  loop
    perform quipu.keep_difference(null, 'audit', 'audit_log ' || entry.id, quipu.audit_fault(entry));
    last := entry.id;
  end loop;
  return last;
end
$$;
