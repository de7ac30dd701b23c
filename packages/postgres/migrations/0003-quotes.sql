-- QR readings and firm prices.

-- A QR as the network read it.
create table quipu.qr_resolution (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  network_ref text not null,
  amount_mode text not null check (amount_mode in ('closed', 'open')),
  amount bigint check (amount >= 0), -- centavos
  merchant_name text not null,
  bank_code text not null,
  description text,
  expires_at timestamptz,
  content_hash text not null,
  created_at timestamptz not null,
  primary key (id, tenant_id)
);

-- A row never changes. A quote is used when a row of `payout` with a hold names it; a unique index makes that
-- at most one.
create table quipu.quote (
  rate bigint not null, -- BOB per USDT, times 10^4
  target bigint not null, -- centavos
  principal bigint not null, -- micro-USDT, as are `fee` and `source`
  fee bigint not null,
  source bigint not null,
  bid bigint not null, -- market rate before the margin, in the unit of `rate`
  created_at timestamptz not null,
  expires_at timestamptz not null,
  id uuid not null,
  tenant_id text collate "C" not null,
  resolution_id text collate "C",
  rate_source text not null, -- name of the rate source that quoted the bid
  primary key (id, tenant_id),
  constraint quote_positive check (least(rate, target, source) > 0 and least(principal, fee) >= 0)
);
create trigger append_only before update on quipu.quote
  for each row execute function quipu.refuse_change();
select quipu.refuse_truncate('quipu.quote');

-- One row: whether new quotes are given. Before the first change there is none, and they are.
create table quipu.quoting (
  singleton boolean primary key default true check (singleton),
  status text collate "C" not null default 'open' check (status in ('open', 'paused')),
  changed_at timestamptz, -- the newest change; null when there was none
  changed_by text,
  reason text,
  constraint changed_by_an_operator check (
    num_nulls(changed_at, changed_by) in (0, 2) and (reason is not null) = (status = 'paused'))
);
create trigger limited_change before update or delete on quipu.quoting
  for each row execute function quipu.refuse_other_change('status', 'changed_at', 'changed_by', 'reason');
select quipu.refuse_truncate('quipu.quoting');

-- Pauses or resumes quoting in the name of the person whose token is presented. Returns `unauthorized` when no
-- such token may write, and `stale` when the status is this one already.
create function quipu.set_quoting(status text, by jsonb, at timestamptz, reason text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
  old_status text;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  insert into quipu.quoting default values on conflict (singleton) do nothing;
  select q.status into old_status from quipu.quoting q for no key update;
  if old_status = set_quoting.status then
    return 'stale';
  end if;
  update quipu.quoting
  set status = set_quoting.status, changed_at = at, changed_by = acting.person, reason = set_quoting.reason;
  perform quipu.write_audit(acting,
    case set_quoting.status when 'paused' then 'quoting.pause' else 'quoting.resume' end,
    null, 'quoting', at, jsonb_build_object('status', old_status),
    jsonb_strip_nulls(jsonb_build_object('status', set_quoting.status, 'reason', set_quoting.reason)));
  return 'committed';
end
$$;

-- Stores readings of QRs. Results: `not_allowed` (the tenant is suspended, or the key may not act), otherwise null; null
-- when all are stored.
create function quipu.insert_resolutions(tenant_ids text[], ids text[], network_refs text[], amount_modes text[],
  amounts bigint[], merchant_names text[], bank_codes text[], descriptions text[], expires_ats timestamptz[],
  content_hashes text[], created_ats timestamptz[], key_ids text[], clock_override timestamptz) returns text[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
  batch record;
begin
  perform quipu.require_plausible(c) from unnest(created_ats) c;
  with item as materialized (
    select i.*, case when t.found is null or (i.key_id is not null and usable.found is null) then 'not_allowed' end
      as refusal
    from unnest(tenant_ids, ids, network_refs, amount_modes, amounts, merchant_names, bank_codes, descriptions,
      expires_ats, content_hashes, created_ats, key_ids) with ordinality
      i (tenant_id, id, network_ref, amount_mode, amount, merchant_name, bank_code, description, expires_at,
        content_hash, created_at, key_id, place)
    left join lateral (
      select true as found from quipu.tenant t where t.id = i.tenant_id and t.status = 'active' limit 1
    ) t on true
    left join lateral ( -- as `may_act`, which the planner cannot put in place of its call
      select true as found from quipu.api_key k
      where k.id = i.key_id and k.tenant_id = i.tenant_id and quipu.is_usable(k, moment) limit 1
    ) usable on true
  ), inserted as (
    insert into quipu.qr_resolution (tenant_id, id, network_ref, amount_mode, amount, merchant_name, bank_code,
      description, expires_at, content_hash, created_at)
    select i.tenant_id, i.id, i.network_ref, i.amount_mode, i.amount, i.merchant_name, i.bank_code, i.description,
      i.expires_at, i.content_hash, i.created_at
    from item i where i.refusal is null
  )
  select array_agg(i.refusal order by i.place) as refusals, count(i.refusal) as refused,
    bool_and(isfinite(i.expires_at)) as is_finite
  into batch from item i;
  if not batch.is_finite then
    raise exception 'a resolution ends at an instant, or has none' using errcode = 'check_violation';
  end if;
  return case when batch.refused > 0 then batch.refusals end;
end
$$;

-- Whether this pricing yields this price, as `quotePrice` in packages/core/src/quote/price.ts. Divides once for each
-- amount, so nothing is rounded twice.
create function quipu.fits_pricing(rate bigint, principal bigint, fee bigint, bid bigint,
  margin_bps numeric, fee_bps numeric, fee_fixed numeric) returns boolean
language sql immutable
return rate = div(bid * (10000 - margin_bps), 10000)
  and fee = div(principal * fee_bps + 9999, 10000) + fee_fixed;

-- Whether the audit log has a pricing of the tenant, in force within two minutes of `moment`, that yields
-- this price: processes cache a tenant for some seconds, by their own clocks.
create function quipu.was_priced(tenant text, rate bigint, principal bigint, fee bigint, bid bigint,
  moment timestamptz) returns boolean
language sql stable
return exists (
  select from (
    select a.at, lead(a.at) over (order by a.id) as until, a.after
    from quipu.audit_log a
    where a.subject = tenant and a.action = any (quipu.tenant_actions())
  ) p
  where p.at <= moment + interval '2 minutes'
    and coalesce(p.until >= moment - interval '2 minutes', true)
    and quipu.fits_pricing(rate, principal, fee, bid, (p.after ->> 'margin_bps')::numeric,
      (p.after ->> 'fee_bps')::numeric, (p.after ->> 'fee_fixed_minor')::numeric)
);

-- Inserts quotes, dated by the store's clock. Results: `not_allowed` (the tenant is suspended, or the key may not act),
-- `paused` (quoting is), `no_resolution` (the tenant has no such one), otherwise null; null when all are inserted.
-- Refuses the batch for a price that does not add up or does not follow from the tenant's pricing, and for a life
-- outside of the setting's bounds (`quoteLifeSeconds`). Does not check the bid, as no table has the market's rate.
create function quipu.insert_quotes(tenant_ids text[], ids uuid[], resolution_ids text[], rates bigint[],
  targets bigint[], principals bigint[], fees bigint[], sources bigint[], bids bigint[], rate_sources text[],
  life_ms int[], key_ids text[], clock_override timestamptz, out results text[], out created_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
  is_paused boolean := exists (select from quipu.quoting q where q.singleton and q.status = 'paused');
  batch record;
begin
  with item as materialized (
    select i.*,
      case
        when t.margin_bps is null or (i.key_id is not null and usable.found is null) then 'not_allowed'
        when is_paused then 'paused'
        when i.resolution_id is not null and resolution.found is null then 'no_resolution'
      end as refusal,
      case
        when t.margin_bps is null or (i.key_id is not null and usable.found is null) or is_paused then null
        when i.life_ms not between 15000 and 300000 then
          format('would live for %s s: 15 to 300 are allowed', i.life_ms / 1000.0)
        when i.source <> i.principal + i.fee or i.principal <> div(i.target * 100000000::numeric + i.rate - 1, i.rate)
          then 'does not add up'
        when not quipu.fits_pricing(i.rate, i.principal, i.fee, i.bid, t.margin_bps, t.fee_bps, t.fee_fixed)
          and not quipu.was_priced(i.tenant_id, i.rate, i.principal, i.fee, i.bid, moment)
          then 'does not follow from the pricing of tenant ' || i.tenant_id
      end as fault
    from unnest(tenant_ids, ids, resolution_ids, rates, targets, principals, fees, sources, bids, rate_sources, life_ms,
      key_ids) with ordinality
      i (tenant_id, id, resolution_id, rate, target, principal, fee, source, bid, rate_source, life_ms, key_id, place)
    left join lateral (
      select t.margin_bps, t.fee_bps, t.fee_fixed from quipu.tenant t
      where t.id = i.tenant_id and t.status = 'active' limit 1
    ) t on true
    left join lateral ( -- as `may_act`, which the planner cannot put in place of its call
      select true as found from quipu.api_key k
      where k.id = i.key_id and k.tenant_id = i.tenant_id and quipu.is_usable(k, moment) limit 1
    ) usable on true
    left join lateral (
      select true as found from quipu.qr_resolution r where r.id = i.resolution_id and r.tenant_id = i.tenant_id limit 1
    ) resolution on true
  ), inserted as (
    insert into quipu.quote (tenant_id, id, resolution_id, rate, target, principal, fee, source, bid, rate_source,
      created_at, expires_at)
    select i.tenant_id, i.id, i.resolution_id, i.rate, i.target, i.principal, i.fee, i.source, i.bid, i.rate_source,
      moment, moment + make_interval(secs => i.life_ms / 1000.0)
    from item i where i.refusal is null and i.fault is null
  )
  select array_agg(i.refusal order by i.place) as refusals, count(i.refusal) as refused,
    min(i.id || ' ' || i.fault) as fault
  into batch from item i;
  if batch.fault is not null then
    raise exception 'quote %', batch.fault using errcode = 'check_violation';
  end if;
  results := case when batch.refused > 0 then batch.refusals end;
  created_at := moment;
end
$$;
