-- The ledger check compares every entry of each wallet's log with its source, every wallet with its log, and
-- the tenants' and operators' records with the audit log. Processes write money only by functions; the check
-- finds what a bug in these functions, or the owner of the tables, has written wrongly.
--
-- This file has the queries that find differences; 0021-ledger-check.sql walks the log, and
-- 0027-differences.sql has the records.

-- Each adjustment is compared with its entry of the audit log.
create index audit_log_adjustment on quipu.audit_log ((after ->> 'adjustment_id'))
  where action = 'wallet.adjust';

-- An amount in micro-USDT as a decimal number of USDT.
create function quipu.usdt_text(amount numeric) returns text
language sql immutable
return round(amount / 1000000, 6)::text;

-- A text that says by how much two amounts differ; null when they are equal.
create function quipu.off_by(what text, actual numeric, expected numeric) returns text
language sql immutable
return case when actual <> expected then format('%s is %s USDT instead of %s USDT: %s USDT off', what,
  quipu.usdt_text(actual), quipu.usdt_text(expected), quipu.usdt_text(actual - expected)) end;

-- The difference of a payout whose quote does not follow from the tenant's pricing. One cause gives many of them, so
-- `record_mispriced` counts them in one row.
create function quipu.mispriced() returns text
language sql immutable
return 'its quote is not what the tenant’s pricing gives';

-- The differences of these payouts, given with the amounts that they captured or released: a capture or
-- release differs from the hold, the hold from the quote, or the quote from the tenant's pricing. Accepts a
-- pricing that was in force within two minutes of the quote, as processes cache a tenant for some seconds by
-- their own clocks. Writes the price rule out, as calling `fits_pricing` would repeat a fault of it.
create function quipu.payout_differences(tenant text, ids text[], captures bigint[], releases bigint[],
  have_ended boolean)
returns table (subject text, detail text) language sql stable
begin atomic
  with pricing as materialized (
    select a.at - interval '2 minutes' as since,
      lead(a.at) over (order by a.id) + interval '2 minutes' as until,
      10000 - (a.after ->> 'margin_bps')::numeric as kept,
      (a.after ->> 'fee_bps')::numeric as fee_bps,
      (a.after ->> 'fee_fixed_minor')::numeric as fee_fixed
    from quipu.audit_log a
    where a.subject = tenant and a.action = any (quipu.tenant_actions())
  ), compared as (
    select i.id, case
      when p.id is null then 'the end belongs to no payout'
      when p.hold is null then case when coalesce(i.capture, i.release) is not null
        then 'a capture or release belongs to no accepted payout' end
      when have_ended and coalesce(i.capture, i.release) is null
        then 'it has ended, and its hold was neither captured nor released'
      when i.capture <> p.hold then format('a capture of %s USDT is not the %s USDT of its hold',
        quipu.usdt_text(i.capture), quipu.usdt_text(p.hold))
      when i.release <> p.hold then format('a release of %s USDT is not the %s USDT of its hold',
        quipu.usdt_text(i.release), quipu.usdt_text(p.hold))
      when q.id is null then 'its quote does not exist'
      when q.source <> p.hold then format('a hold of %s USDT is not the %s USDT of its quote',
        quipu.usdt_text(p.hold), quipu.usdt_text(q.source))
      when q.target <> p.target then 'its payout is of another amount than its quote'
      when q.source <> q.principal + q.fee
        or q.principal is distinct from ceil(q.target * 100000000::numeric / nullif(q.rate, 0))
        then 'its quote does not add up'
      when not exists (
        select from pricing r
        where r.since <= q.created_at and coalesce(r.until >= q.created_at, true)
          and q.rate = floor(q.bid * r.kept / 10000)
          and q.fee = ceil(q.principal * r.fee_bps / 10000) + r.fee_fixed
      ) then quipu.mispriced()
    end as difference
    from unnest(ids, captures, releases) i (id, capture, release)
    left join quipu.payout p on p.tenant_id = tenant and p.id = i.id
    left join quipu.quote q on q.id = p.quote_id and q.tenant_id = tenant and p.hold is not null
  )
  select c.id, c.difference from compared c where c.difference is not null;
end;

-- The differences of these entries of deposits and adjustments, given by instant and number. Each row is looked up by
-- its key: by the statistics one tenant owns every row, so the planner would otherwise read all deposits of the tenant,
-- and for an `exists` in a `case` the whole audit log.
create function quipu.funding_differences(tenant text, times timestamptz[], seqs bigint[])
returns table (subject text, detail text) language sql stable
begin atomic
  with compared as (
    select f.subject_id, case
      when f.type like 'deposit.%' and d.id is null then 'an entry belongs to no deposit'
      when f.amount is null then null
      when f.type = 'deposit.credited' then case
        when d.status <> 'credited' or d.solid is distinct from 'confirmed'
          or d.credited_at is distinct from f.logged_at then 'a credit belongs to no credited deposit'
        when d.amount <> f.amount then format('a credit of %s USDT is not the %s USDT of its deposit',
          quipu.usdt_text(f.amount), quipu.usdt_text(d.amount))
        when d.review_code is not null and credit.id is null
          then 'a credit out of review has no entry in the audit log'
      end
      when adjusted.id is null then format('an adjustment of %s USDT has no entry in the audit log',
        quipu.usdt_text(f.amount))
    end as difference
    from unnest(times, seqs) i (logged_at, seq)
    cross join lateral (
      select * from quipu.funding_entry f
      where f.tenant_id = tenant and f.logged_at = i.logged_at and f.seq = i.seq limit 1
    ) f
    left join lateral (
      select * from quipu.deposit d
      where f.type like 'deposit.%' and d.id = f.subject_id and d.tenant_id = tenant limit 1
    ) d on true
    left join lateral (
      select l.id from quipu.audit_log l
      where d.review_code is not null and l.subject = d.id and l.action = 'deposit.credit' and l.at = f.logged_at
      limit 1
    ) credit on true
    left join lateral (
      select a.* from quipu.adjustment a
      where f.type like 'adjustment%' and a.tenant_id = tenant and a.id = f.subject_id
        and a.amount = f.amount and 'adjustment_' || a.direction = f.type and a.created_at = f.logged_at
      limit 1
    ) a on true
    left join lateral (
      select l.id from quipu.audit_log l
      where l.action = 'wallet.adjust' and l.after ->> 'adjustment_id' = a.id
        and l.subject = tenant and l.actor = a.actor and l.at = a.created_at
      limit 1
    ) adjusted on true
  )
  select c.subject_id, c.difference from compared c where c.difference is not null;
end;

-- The differences of a tenant's status, pricing and keys from the audit log.
create function quipu.tenant_differences(tenant text)
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
  left join lateral ( -- For `exists` in an `or` the planner may read the whole log, once for each call.
    select a.id from quipu.audit_log a
    where a.subject = k.id and a.action = 'api_key.revoke' limit 1
  ) revoked on true
  where k.tenant_id = tenant and k.activated_at is not null and (
    issued.id is null or issued.after -> 'scopes' <> to_jsonb(k.scopes)
    or (k.revoked_at is null and revoked.id is not null)
  )
  union all
  select t.id, 'the tenant is not what the audit log says'
  from quipu.tenant t
  join quipu.wallet w on w.tenant_id = t.id
  left join lateral (
    select a.after from quipu.audit_log a
    where a.subject = t.id and a.action = any (quipu.tenant_actions()) order by a.id desc limit 1
  ) newest on true
  where t.id = tenant
    and newest.after - array['proposal_id', 'reason', 'evidence_digest']
      is distinct from quipu.tenant_state(t, w.daily_limit_amount, w.daily_limit_count);
end;

-- The difference of an audit entry whose change no row shows; null when there is none.
create function quipu.audit_difference(entry quipu.audit_log) returns text
language plpgsql stable as $$ -- Not SQL: later files create some of the tables.
begin
return case when exists (
    select from quipu.audit_log a
    where a.subject = entry.subject and a.action = entry.action and a.at = entry.at
      and a.id < entry.id and a.after is not distinct from entry.after
  ) or not case entry.action
    when 'api_key.issue' then exists (
      select from quipu.api_key k where k.id = entry.subject and k.activated_at = entry.at
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
    when 'difference.close' then exists (
      select from quipu.difference d
      where d.id = entry.subject and d.closed_at = entry.at and d.closed_by = entry.actor
    )
    else entry.action <> all (quipu.tenant_actions()) or exists (
      select from quipu.tenant t
      where t.id = entry.subject and t.revision = (
        select count(*) from quipu.audit_log a
        where a.subject = entry.subject and a.action = any (quipu.tenant_actions())
      )
    )
  end
  then format('%s has no change for the audit entry %s by %s', entry.subject, entry.action, entry.actor)
end;
end
$$;

-- The unique indexes and triggers that guard the ledger, each with its difference; null when it is in place.
-- The indexes guarantee one payout per `transaction_id`, one use per quote, one end per payout, one credit
-- per deposit, one entry per number.
create function quipu.guard_differences()
returns table (subject text, detail text) language sql stable
begin atomic
  select g.name, case when not exists (
      select from pg_index x
      where x.indexrelid = to_regclass('quipu.' || g.name) and x.indisunique and x.indisvalid
    ) then 'the unique index is missing or invalid' end
  from unnest(array['payout_pkey', 'payout_transaction_id_tenant_id_key', 'payout_quote', 'payout_end_pkey',
    'payout_end_log', 'funding_entry_pkey', 'funding_entry_posting', 'adjustment_pkey', 'deposit_pkey',
    'deposit_transfer']) g (name)
  union all
  select g.name, 'the trigger ' || (
    select min(n.trigger) from unnest(array['append_only', g.second]) n (trigger)
    where n.trigger is not null and not exists (
      select from pg_trigger t
      where t.tgrelid = to_regclass('quipu.' || g.name) and t.tgname = n.trigger and t.tgenabled in ('O', 'A')
    )
  ) || ' is missing or disabled'
  from (values ('quote', 'used_quote_stays'), ('payout', null), ('payout_end', null), ('funding_entry', null),
    ('adjustment', null), ('balance_checkpoint', null), ('audit_log', null)) g (name, second);
end;
