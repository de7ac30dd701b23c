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
create trigger no_truncate before truncate on quipu.quote
  execute function quipu.refuse_change();

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
create trigger no_truncate before truncate on quipu.quoting
  execute function quipu.refuse_change();

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

create function quipu.insert_resolution(tenant text, id text, network_ref text, amount_mode text,
  amount bigint, merchant_name text, bank_code text, description text, expires_at timestamptz,
  content_hash text, at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform quipu.require_plausible(at);
  if not isfinite(expires_at) then
    raise exception 'a resolution ends at an instant, or has none' using errcode = 'check_violation';
  end if;
  insert into quipu.qr_resolution (tenant_id, id, network_ref, amount_mode, amount, merchant_name,
    bank_code, description, expires_at, content_hash, created_at)
  values (tenant, id, network_ref, amount_mode, amount, merchant_name, bank_code, description,
    expires_at, content_hash, at);
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

-- Inserts a quote, dated by the store's clock. Inserts nothing while quoting is paused; the instants are then
-- null. They are also null, and `is_allowed` is false, when the tenant is suspended or the key may not act.
-- Refuses a price that does not add up or does not follow from the tenant's pricing, and a life outside of the
-- setting's bounds (`quoteLifeSeconds`). Does not check the bid, as no table has the market's rate.
create function quipu.insert_quote(tenant text, quote uuid, resolution text, rate bigint,
  target bigint, principal bigint, fee bigint, source bigint, bid bigint, rate_source text,
  life_seconds float8, key text, clock_override timestamptz, out created_at timestamptz,
  out expires_at timestamptz, out is_allowed boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
  is_priced boolean;
begin
  select quipu.fits_pricing(insert_quote.rate, insert_quote.principal, insert_quote.fee, insert_quote.bid,
    t.margin_bps, t.fee_bps, t.fee_fixed) into is_priced
  from quipu.tenant t
  where t.id = tenant and t.status = 'active' and quipu.may_act(key, tenant, moment);
  is_allowed := found;
  if not is_allowed then
    return;
  end if;
  if exists (select from quipu.quoting q where q.singleton and q.status = 'paused') then
    return;
  end if;
  if life_seconds not between 15 and 300 then
    raise exception 'quote % would live for % s: 15 to 300 are allowed', quote, life_seconds
      using errcode = 'check_violation';
  end if;
  created_at := moment;
  expires_at := created_at + make_interval(secs => life_seconds);
  if source <> principal + fee
    or principal <> div(target * 100000000::numeric + rate - 1, rate) then
    raise exception 'quote % does not add up', quote using errcode = 'check_violation';
  end if;
  if not is_priced and not quipu.was_priced(tenant, rate, principal, fee, bid, created_at) then
    raise exception 'quote % does not follow from the pricing of tenant %', quote, tenant
      using errcode = 'check_violation';
  end if;
  if resolution is not null and not exists (
    select from quipu.qr_resolution r where r.tenant_id = tenant and r.id = resolution
  ) then
    raise exception 'tenant % has no resolution %', tenant, resolution
      using errcode = 'foreign_key_violation';
  end if;
  insert into quipu.quote (tenant_id, id, resolution_id, rate, target, principal, fee, source, bid,
    rate_source, created_at, expires_at)
  values (tenant, quote, resolution, rate, target, principal, fee, source, bid, rate_source,
    created_at, expires_at);
end
$$;
