-- The three writes of payouts. Each takes a batch as parallel arrays with one element an item, named as the columns in
-- plural, and decides item by item. Results have one element an item in the same order, or are null when all are
-- `committed`. `tenant_ids` has the tenants of the batch, each once and ascending; `tenant_indexes` has the index of
-- each item's tenant in it, from 1.
--
-- Each locks the wallets first, tenants ascending, so that its later statements see everything that earlier holders
-- of these locks have committed. A hold must be its quote's price; a capture or release is its hold.
--
-- Plans must not depend on statistics: a table can grow from nothing to millions of rows between two
-- `analyze`, and a session keeps its plans. So each item is one index lookup, forced by `lateral … limit 1`.

create function quipu.lock_wallets(tenant_ids text[]) returns void language plpgsql as $$
begin
  perform from quipu.wallet w where w.tenant_id = any (tenant_ids)
  order by w.tenant_id
  for no key update;
end
$$;

-- Refuses tenants that are not each given once, and numbered from 1: every place would spend the whole balance, or
-- that of another one.
create function quipu.require_tenants(ids text[]) returns void language plpgsql as $$
begin
  if array_ndims(ids) > 1 or array_lower(ids, 1) <> 1
    or (select count(distinct i.id) < count(*) from unnest(ids) i (id)) then
    raise exception 'a tenant is given twice' using errcode = 'check_violation';
  end if;
end
$$;

-- Signals new events in the logs of these tenants to `claim_deliveries`. Skips tenants without endpoints.
create function quipu.signal_deliveries(tenant_ids text[]) returns void language plpgsql as $$
declare
  listening text[] := array(
    select t.id from unnest(tenant_ids) t (id)
    where exists (select from quipu.webhook_endpoint w where w.tenant_id = t.id)
  );
begin
  if cardinality(listening) > 0 then
    insert into quipu.delivery_signal (tenant_ids) values (listening);
  end if;
end
$$;

-- The bytes of an event are made of its rows, so that it cannot say what they do not. They are those of `encodeEvent`
-- in packages/wire. Every text goes through `to_json`, which escapes as `JSON.stringify` does. Each argument occurs
-- once or is a column, so that the planner puts the functions' expressions in place of their calls. They concatenate,
-- as `format` and `to_char` take twice as long; a null would make the bytes null, which no table accepts.

-- An amount of minor units, each of which is `unit`, with all digits of the unit: `12.50`.
create function quipu.decimal_text(minor bigint, unit numeric) returns text
language sql immutable
return (minor * unit)::text;

create function quipu.usdt_json(micros bigint) returns text
language sql immutable
return '{"currency":"USDT","amount":"' || quipu.decimal_text(micros, 0.000001) || '"}';

create function quipu.bob_json(centavos bigint) returns text
language sql immutable
return '{"currency":"BOB","amount":"' || quipu.decimal_text(centavos, 0.01) || '"}';

-- The instants are texts of `iso_text`. Begins with chr(30) and the sampled trace of its commit, if there is one
-- (packages/postgres/src/event/stored-body.ts).
create function quipu.event_body(traceparent text, event_id uuid, event_type text, occurred_at text, recorded_at text,
  data text) returns bytea
language sql stable
return convert_to(case when traceparent ~ '^[0-9a-f-]{55}$' then chr(30) || traceparent else '' end
  || '{"id":"' || event_id::text || '","type":"' || event_type || '","event_version":1,"occurred_at":"' || occurred_at
  || '","recorded_at":"' || recorded_at || '","data":' || data || '}', 'UTF8');

-- The amounts are texts of `usdt_json` and `bob_json`, as are those of `payout_json`.
create function quipu.quote_json(quote uuid, source text, target text, rate bigint, fee bigint, expires_at timestamptz)
returns text language sql stable
return '{"id":"' || quote::text || '","source":' || source || ',"target":' || target || ',"rate":"'
  || quipu.decimal_text(rate, 0.0001) || '","fee":' || quipu.usdt_json(fee) || ',"expires_at":"'
  || quipu.iso_text(expires_at) || '"}';

-- A payout that has ended. `quote_json` is null when it was never accepted; `completed_at` is a text of `iso_text`,
-- null unless it was completed, when `source` is its price.
create function quipu.payout_json(payout text, status text, transaction_id text, resolution text, quote_json text,
  source text, target text, details json, error_code text, error_message text, completed_at text,
  created_at timestamptz, network_payment_id text) returns text
language sql stable
return '{"id":' || to_json(payout)::text || ',"type":"qr","status":"' || status || '","transaction_id":'
  || to_json(transaction_id)::text || ',"resolution_id":' || coalesce(to_json(resolution)::text, 'null')
  || ',"quote":' || coalesce(quote_json, 'null') || ',"source":' || coalesce(source, 'null') || ',"target":' || target
  || ',"qr":' || coalesce((details -> 'qr')::text, '{"amount_mode":null,"merchant":null}') || ',"error":'
  || coalesce('{"code":' || to_json(error_code)::text || ',"message":' || to_json(error_message)::text || '}', 'null')
  || ',"completed_at":' || coalesce('"' || completed_at || '"', 'null')
  || ',"created_at":"' || quipu.iso_text(created_at) || '",'
  || substr(left(coalesce((details -> 'labels')::text, '{"description":null,"metadata":{}}'), -1), 2)
  || ',"network_payment_id":' || coalesce(to_json(network_payment_id)::text, 'null') || '}';

-- Decides, one after the other, the items that fit alone but not together: those without a refusal. Returns the
-- refusals of all; null when an item fits.
create function quipu.refuse_in_turn(
  tenant_indexes int[], transaction_ids text[], quote_ids uuid[], holds bigint[], refusals text[], availables bigint[],
  remaining_amounts numeric[], remaining_counts int[]
) returns text[] language plpgsql immutable as $$
declare
  given record;
  key text;
  taken_keys text[] := '{}';
  used_quotes uuid[] := '{}';
  refusal text;
begin
  for given in
    select i.*, i.place::int as item from unnest(tenant_indexes, transaction_ids, quote_ids, holds, refusals)
      with ordinality i (tenant_index, transaction_id, quote_id, hold, refusal, place)
    where i.refusal is null order by i.place
  loop
    key := given.tenant_index || ' ' || given.transaction_id;
    refusal := case
      when key = any (taken_keys) then 'stale'
      when given.quote_id = any (used_quotes) then 'quote_used'
      when given.hold > remaining_amounts[given.tenant_index] or remaining_counts[given.tenant_index] < 1
        then 'daily_limit_exceeded'
      when given.hold > availables[given.tenant_index] then 'insufficient_balance'
    end;
    refusals[given.item] := refusal;
    continue when refusal is not null;
    taken_keys := taken_keys || key;
    used_quotes := used_quotes || given.quote_id;
    availables[given.tenant_index] := availables[given.tenant_index] - given.hold;
    remaining_amounts[given.tenant_index] := remaining_amounts[given.tenant_index] - given.hold;
    remaining_counts[given.tenant_index] := remaining_counts[given.tenant_index] - 1;
  end loop;
  return refusals;
end
$$;

-- The items of `accept_payouts` with their quotes, and why one is refused, in this order: `stale` (a payout has this
-- transaction id), `not_allowed` (the tenant is suspended, or the key may not act), `quote_used`, `quote_expired`
-- (also when there is no such quote), `above_cap`, `daily_limit_exceeded`, `insufficient_balance`; null when its
-- wallet can pay it alone and `refusals` has nothing against it. `sum` and `count` are those of its tenant's items up
-- to it. The arrays of wallets are those of `accept_payouts`. The planner puts the query in place of its call.
create function quipu.decide_payouts(
  tenant_ids text[], tenant_indexes int[], payout_ids text[], transaction_ids text[], fingerprints text[],
  quote_ids uuid[], holds bigint[], created_ats timestamptz[], details_texts text[], key_ids text[], lease_ms int[],
  availables bigint[], remaining_amounts numeric[], remaining_counts int[], refusals text[], moment timestamptz
) returns table (
  item bigint, tenant_index int, payout_id text, transaction_id text, fingerprint text, quote_id uuid, hold bigint,
  created_at timestamptz, details json, key_id text, leased_until timestamptz, source bigint, target bigint,
  resolution_id text, refusal text, tenant_id text, sum numeric, count bigint
) language sql stable as $$
  select d.*, tenant_ids[d.tenant_index], sum(d.hold) filter (where d.refusal is null) over tenant,
    count(*) filter (where d.refusal is null) over tenant
  from (
    select i.item, i.tenant_index, i.payout_id, i.transaction_id, i.fingerprint, i.quote_id, i.hold, i.created_at,
      i.details::json, i.key_id, moment + make_interval(secs => i.lease_ms / 1000.0), q.source, q.target,
      q.resolution_id,
      coalesce(refusals[i.item], case
        when taken.found then 'stale'
        when t.payment_cap is null or (i.key_id is not null and usable.found is null) then 'not_allowed'
        when used.found then 'quote_used'
        when q.source is null then 'quote_expired'
        when q.target > t.payment_cap then 'above_cap'
        when q.source > remaining_amounts[i.tenant_index] or remaining_counts[i.tenant_index] < 1
          then 'daily_limit_exceeded'
        when q.source > availables[i.tenant_index] then 'insufficient_balance'
      end) as refusal
    from unnest(tenant_indexes, payout_ids, transaction_ids, fingerprints, quote_ids, holds, created_ats, details_texts,
      key_ids, lease_ms) with ordinality
      i (tenant_index, payout_id, transaction_id, fingerprint, quote_id, hold, created_at, details, key_id, lease_ms,
        item)
    left join lateral (
      select t.payment_cap from quipu.tenant t
      where t.id = tenant_ids[i.tenant_index] and t.status = 'active' limit 1
    ) t on true
    left join lateral ( -- as `may_act`, which the planner cannot put in place of its call
      select true as found from quipu.api_key k
      where k.id = i.key_id and k.tenant_id = tenant_ids[i.tenant_index] and quipu.is_usable(k, moment) limit 1
    ) usable on true
    left join lateral (
      select true as found from quipu.payout p
      where p.transaction_id = i.transaction_id and p.tenant_id = tenant_ids[i.tenant_index] limit 1
    ) taken on true
    left join lateral (
      select true as found from quipu.payout p
      where p.quote_id = i.quote_id and p.tenant_id = tenant_ids[i.tenant_index] and p.hold is not null limit 1
    ) used on true
    left join lateral (
      select q.source, q.target, q.resolution_id from quipu.quote q
      where q.id = i.quote_id and q.tenant_id = tenant_ids[i.tenant_index] and q.expires_at > moment limit 1
    ) q on true
  ) d
  window tenant as (partition by d.tenant_index order by d.item)
$$;

-- Refuses the batch while no new payout is written: an operator has stopped payouts, or the database may have forgotten
-- payments, which a repeated request would make again.
create function quipu.require_open_gate() returns void language plpgsql as $$
declare
  l record;
begin
  select * into l from quipu.lineage;
  if l.stopped_at is not null then
    raise exception 'payouts are stopped by an operator' using errcode = '57R01';
  elsif l.halted_at is not null or l.server_started <> pg_postmaster_start_time() then
    raise exception 'payments are halted: the database went back, or nothing shows yet that it did not'
      using errcode = '57R01';
  end if;
end
$$;

-- Accepts new payouts: inserts each with a hold of its quote's price, which uses the quote, and gives the caller a
-- lease on it. Other results: see `decide_payouts`. Key, tenant and cap are read here, as processes cache them.
--
-- When a wallet can pay each of its items but not all of them, or two may want one transaction id or quote, nothing is
-- written; `refuse_in_turn` then decides them, and the loop writes those that fit.
create function quipu.accept_payouts(
  tenant_ids text[], tenant_indexes int[], payout_ids text[], transaction_ids text[], fingerprints text[],
  quote_ids uuid[], holds bigint[], created_ats timestamptz[], details text[], key_ids text[], lease_ms int[],
  clock_override timestamptz) returns text[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  wallet_rows tid[]; -- of each wallet, which stays locked, as is the next
  availables bigint[]; -- before this batch, as are the next three
  helds bigint[];
  remaining_amounts numeric[]; -- of the daily limits; null: no limit, as in the next one
  remaining_counts int[];
  moment timestamptz := quipu.store_now(clock_override);
  refusals text[]; -- of the items, by `refuse_in_turn`
  batch record;
begin
  if cardinality(tenant_ids) > 1 then perform quipu.require_tenants(tenant_ids); end if;
  select array_agg(w.row_id), array_agg(w.available), array_agg(w.held), array_agg(w.amount), array_agg(w.count)
  into wallet_rows, availables, helds, remaining_amounts, remaining_counts
  from unnest(tenant_ids) t (id)
  left join lateral (
    select w.ctid as row_id, w.available, w.held,
      w.daily_limit_amount - case when w.used_on < quipu.utc_day(moment) then 0 else w.used_amount end as amount,
      w.daily_limit_count - case when w.used_on < quipu.utc_day(moment) then 0 else w.used_count end as count
    from quipu.wallet w where w.tenant_id = t.id limit 1 for no key update
  ) w on true;
  if exists ( -- read when the wallets' locks, which may have taken time, are held
    select from quipu.lineage l
    where coalesce(l.stopped_at, l.halted_at) is not null or l.server_started <> pg_postmaster_start_time()
  ) then
    perform quipu.require_open_gate();
  end if;
  moment := quipu.store_now(clock_override); -- also after the locks
  loop
    with item as materialized (
      select * from quipu.decide_payouts(tenant_ids, tenant_indexes, payout_ids, transaction_ids, fingerprints, quote_ids,
        holds, created_ats, details, key_ids, lease_ms, availables, remaining_amounts, remaining_counts, refusals, moment)
    ), fit as materialized (
      select count(distinct i.transaction_id) = count(*) and count(distinct i.quote_id) = count(*)
        and bool_and(least(availables[i.tenant_index], remaining_amounts[i.tenant_index]) >= i.sum
          and coalesce(remaining_counts[i.tenant_index] >= i.count, true)) or refusals is not null as all_fit
      from item i where i.refusal is null
    ), payouts as (
      insert into quipu.payout (target, created_at, hold, available_after, held_after, accepted_at, leased_until,
        quote_id, tenant_id, id, transaction_id, fingerprint, resolution_id, key_id, details)
      select i.target, i.created_at, i.source, availables[i.tenant_index] - i.sum, helds[i.tenant_index] + i.sum, moment,
        i.leased_until, i.quote_id, i.tenant_id, i.payout_id, i.transaction_id, i.fingerprint, i.resolution_id,
        i.key_id, i.details
      from item i where i.refusal is null and (select f.all_fit from fit f)
    ), leases as (
      insert into quipu.payout_lease (due_at, tenant_ids, payout_ids)
      select min(i.leased_until), array_agg(i.tenant_id), array_agg(i.payout_id)
      from item i where i.refusal is null and (select f.all_fit from fit f) having count(*) > 0
    ), wallets as (
      update quipu.wallet w
      set available = w.available - t.hold, held = w.held + t.hold,
        updated_at = greatest(w.updated_at, moment), used_on = greatest(w.used_on, t.day),
        used_amount = t.hold + case when t.day > w.used_on then 0 else w.used_amount end,
        used_count = t.payouts + case when t.day > w.used_on then 0 else w.used_count end
      from (
        select wallet_rows[i.tenant_index] as row_id, sum(i.source) as hold, count(*)::int as payouts,
          quipu.utc_day(moment) as day
        from item i where i.refusal is null and (select f.all_fit from fit f) group by i.tenant_index
      ) t where w.ctid = t.row_id
    )
    select (select f.all_fit from fit f) is not false as is_written, count(i.refusal) as refused,
      array_agg(i.refusal order by i.item) as refusals, bool_or(coalesce(i.hold, 0) <> i.source) as is_mispriced,
      bool_or(i.created_at not between moment - interval '30 min' and moment + interval '30 min') as is_far
    into batch from item i;
    if batch.is_mispriced then
      raise exception 'a hold is not the price of its quote' using errcode = 'check_violation';
    end if;
    exit when batch.is_written;
    refusals := quipu.refuse_in_turn(tenant_indexes, transaction_ids, quote_ids, holds, batch.refusals, availables,
      remaining_amounts, remaining_counts);
  end loop;
  if batch.is_far then perform quipu.require_recent(c) from unnest(created_ats) c; end if;
  return case when batch.refused > 0 then array_replace(batch.refusals, null, 'committed') end;
end
$$;

-- Inserts payouts that ended before they were accepted, each with its entry in the log. `stale`: a payout has this
-- transaction id. `not_allowed`: the tenant is suspended, or the key may not act. `redated_tos` has the instants of
-- entries that are later than `ended_at`, as the log's instants never decrease; null for the other items, and null
-- when no entry is later.
create function quipu.insert_ended_payouts(
  tenant_ids text[], payout_ids text[], transaction_ids text[], fingerprints text[], quote_ids uuid[],
  resolution_ids text[], targets bigint[], created_ats timestamptz[], details text[], key_ids text[], statuses text[],
  error_codes text[], error_messages text[], ended_ats timestamptz[], event_ids uuid[], traceparents text[],
  out results text[], out redated_tos timestamptz[]
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ended record;
begin
  perform quipu.require_recent(i.created_at), quipu.require_recent(i.ended_at)
  from unnest(payout_ids, created_ats, ended_ats) i (payout_id, created_at, ended_at);
  perform quipu.lock_wallets(tenant_ids);
  perform quipu.require_open_gate();
  results := array(
    select case when quipu.may_act(i.key_id, i.tenant_id, clock_timestamp()) and exists (
      select from quipu.tenant t where t.id = i.tenant_id and t.status = 'active'
    ) then 'stale' else 'not_allowed' end
    from unnest(tenant_ids, key_ids) with ordinality i (tenant_id, key_id, place) order by i.place
  );
  for ended in
    with item as materialized (
      select i.*, w.row_id, w.tenant_id as wallet_tenant_id,
        w.seq + row_number() over tenant as new_seq,
        greatest(w.logged_at, i.ended_at) as logged_at,
        case when uuid_extract_timestamp(i.event_id) = greatest(w.logged_at, i.ended_at) then i.event_id
          else quipu.uuid_at(i.event_id, greatest(w.logged_at, i.ended_at)) end as logged_id,
        greatest(w.updated_at, w.logged_at, i.ended_at) as updated_at,
        lead(true) over tenant is null as is_last
      from unnest(tenant_ids, payout_ids, transaction_ids, fingerprints, quote_ids, resolution_ids,
        targets, created_ats, details, key_ids, statuses, error_codes, error_messages, ended_ats, event_ids,
        traceparents) with ordinality
        i (tenant_id, payout_id, transaction_id, fingerprint, quote_id, resolution_id, target,
          created_at, details, key_id, status, error_code, error_message, ended_at, event_id, traceparent,
          place)
      cross join lateral (
        select w.ctid as row_id, w.* from quipu.wallet w where w.tenant_id = i.tenant_id limit 1
      ) w
      where results[i.place] = 'stale' and not exists (
        select from quipu.payout p
        where p.transaction_id = i.transaction_id and p.tenant_id = i.tenant_id
      ) and not exists (
        select from unnest(tenant_ids, transaction_ids) with ordinality e (tenant_id, transaction_id, place)
        where e.place < i.place and results[e.place] = 'stale' and e.tenant_id = i.tenant_id
          and e.transaction_id = i.transaction_id
      )
      window tenant as (partition by w.tenant_id order by i.ended_at, i.place)
    ), payouts as (
      insert into quipu.payout (target, created_at, quote_id, tenant_id, id, transaction_id,
        fingerprint, resolution_id, key_id, details)
      select target, created_at, quote_id, wallet_tenant_id, payout_id, transaction_id,
        fingerprint, resolution_id, key_id, item.details::json
      from item
    ), ends as (
      insert into quipu.payout_end (seq, ended_at, event_id, tenant_id, payout_id, status, error_code,
        error_message, body)
      select new_seq, logged_at, logged_id, wallet_tenant_id, payout_id, status, error_code, error_message,
        case when logged_id is not null then quipu.event_body(traceparent, logged_id, 'payout.' || status,
          quipu.iso_text(logged_at), quipu.iso_text(logged_at), quipu.payout_json(payout_id, status, transaction_id,
            resolution_id, null, null, quipu.bob_json(target), i.details::json, error_code, error_message, null,
            created_at, null)) end
      from item i
    ), wallets as (
      update quipu.wallet w set seq = i.new_seq, logged_at = i.logged_at, updated_at = i.updated_at
      from item i where i.is_last and w.ctid = i.row_id
    )
    select i.place, case when i.logged_at > i.ended_at then i.logged_at end as redated_to from item i
  loop
    results[ended.place] := 'committed';
    if ended.redated_to is not null then
      redated_tos := coalesce(redated_tos, array_fill(null::timestamptz, array[cardinality(payout_ids)]));
      redated_tos[ended.place] := ended.redated_to;
    end if;
  end loop;
  if 'committed' = any (results) then
    perform quipu.signal_deliveries(array(select distinct t from unnest(tenant_ids) t));
  end if;
end
$$;

-- The items of `settle_payouts` that are not `stale`, with what their entries of the log have. The arrays of wallets
-- are those of `settle_payouts`. The planner puts the query in place of its call.
create function quipu.decide_settlements(
  tenant_ids text[], tenant_indexes int[], payout_ids text[], fencing_tokens int[], statuses text[],
  error_codes text[], error_messages text[], network_payment_ids text[], ended_ats timestamptz[], event_ids uuid[],
  traceparents text[], availables bigint[], helds bigint[], seqs bigint[], logged_ats timestamptz[], used_ons date[],
  open_tokens int[]
) returns table (
  item bigint, tenant_index int, tenant_id text, payout_id text, seq bigint, ended_at timestamptz,
  logged_at timestamptz, amount bigint, released bigint, frees_daily_limit boolean, available_after numeric,
  held_after numeric, fencing_token int, status text, network_payment_id text, error_code text, error_message text,
  event_id uuid, body bytea
) language sql stable as $$
  select i.item, i.tenant_index, i.tenant_id, i.payout_id, i.seq, i.ended_at, i.logged_at, i.hold,
    case when i.status <> 'completed' then i.hold else 0 end,
    i.status <> 'completed' and i.accepted_on = i.used_on, -- of the daily limits
    i.available_after, i.held_after, i.fencing_token, i.status, i.network_payment_id, i.error_code, i.error_message,
    i.event_id, case when i.event_id is not null then quipu.event_body(i.traceparent, i.event_id, 'payout.' || i.status,
      i.logged_text, i.logged_text, quipu.payout_json(i.payout_id, i.status, i.transaction_id, i.resolution_id,
        quipu.quote_json(i.quote_id, i.hold_json, i.target_json, i.rate, i.fee, i.expires_at),
        case i.status when 'completed' then i.hold_json end, i.target_json, i.details, i.error_code, i.error_message,
        case i.status when 'completed' then i.logged_text end, i.created_at, i.network_payment_id)) end
  from (
    select i.item, i.tenant_index, i.payout_id, i.ended_at, i.fencing_token, i.status, i.network_payment_id, i.error_code,
      i.error_message, i.traceparent, p.*, q.*, tenant_ids[i.tenant_index] as tenant_id,
      quipu.usdt_json(p.hold) as hold_json, quipu.bob_json(p.target) as target_json,
      used_ons[i.tenant_index] as used_on, seqs[i.tenant_index] + row_number() over tenant as seq,
      l.logged_at, quipu.iso_text(l.logged_at) as logged_text, -- `logged_at` never decreases: sorted by `ended_at`
      case when uuid_extract_timestamp(i.event_id) = l.logged_at then i.event_id
        else quipu.uuid_at(i.event_id, l.logged_at) end as event_id,
      availables[i.tenant_index]
        + coalesce(sum(p.hold) filter (where i.status <> 'completed') over tenant, 0) as available_after,
      helds[i.tenant_index] - sum(p.hold) over tenant as held_after
    from unnest(tenant_indexes, payout_ids, fencing_tokens, statuses, error_codes, error_messages,
      network_payment_ids, ended_ats, event_ids, traceparents) with ordinality
      i (tenant_index, payout_id, fencing_token, status, error_code, error_message, network_payment_id, ended_at,
        event_id, traceparent, item)
    cross join lateral (select greatest(logged_ats[i.tenant_index], i.ended_at) as logged_at) l
    cross join lateral (
      select p.hold, p.transaction_id, p.resolution_id, p.quote_id, p.target, p.created_at, p.details,
        quipu.utc_day(p.accepted_at) as accepted_on
      from quipu.payout p
      where p.tenant_id = tenant_ids[i.tenant_index] and p.id = i.payout_id and p.hold is not null limit 1
    ) p
    cross join lateral (
      select q.rate, q.fee, q.expires_at from quipu.quote q
      where q.id = p.quote_id and q.tenant_id = tenant_ids[i.tenant_index] limit 1
    ) q
    left join lateral (
      select true as found from quipu.payout_end e
      where e.payout_id = i.payout_id and e.tenant_id = tenant_ids[i.tenant_index] limit 1
    ) ended on true
    where ended.found is null and i.fencing_token = coalesce(open_tokens[i.item], 1)
      and ((select count(distinct id) from unnest(payout_ids) id) = cardinality(payout_ids)
        or array_position(payout_ids, i.payout_id) = i.item) -- the first of the batch with this payout
    window tenant as (partition by i.tenant_index order by i.ended_at, i.item)
  ) i
$$;

-- Settles payouts in `processing`, each by the holder of its newest claim: captures the hold when the status is
-- `completed`, else releases it, and logs the event. `stale`: the payout has ended, or there is a newer claim.
-- `redated_tos` as in `insert_ended_payouts`.
create function quipu.settle_payouts(
  tenant_ids text[], tenant_indexes int[], payout_ids text[], fencing_tokens int[], statuses text[],
  error_codes text[], error_messages text[], network_payment_ids text[], ended_ats timestamptz[], event_ids uuid[],
  traceparents text[], network_refs text[] default null, out results text[], out redated_tos timestamptz[]
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  wallet_rows tid[]; -- of each wallet, which stays locked, as is the next
  availables bigint[]; -- before this batch, as are the next four
  helds bigint[];
  seqs bigint[];
  logged_ats timestamptz[];
  used_ons date[];
  open_rows tid[]; -- of each payout's row of `payout_open`, if it has one, as is the next
  open_tokens int[];
  batch record;
begin
  if cardinality(tenant_ids) > 1 then perform quipu.require_tenants(tenant_ids); end if;
  select array_agg(w.row_id), array_agg(w.available), array_agg(w.held), array_agg(w.seq), array_agg(w.logged_at),
    array_agg(w.used_on)
  into wallet_rows, availables, helds, seqs, logged_ats, used_ons
  from unnest(tenant_ids) t (id)
  left join lateral (
    select w.ctid as row_id, w.available, w.held, w.seq, w.logged_at, w.used_on from quipu.wallet w
    where w.tenant_id = t.id limit 1 for no key update
  ) w on true;
  -- Locked before their `ctid` is used: a hint, a renewal or a yield changes a row without the wallet's lock.
  select array_agg(o.row_id), array_agg(o.fencing_token) into open_rows, open_tokens
  from unnest(tenant_indexes, payout_ids) i (tenant_index, payout_id)
  left join lateral (
    select o.ctid as row_id, o.fencing_token from quipu.payout_open o
    where o.payout_id = i.payout_id and o.tenant_id = tenant_ids[i.tenant_index] limit 1 for update
  ) o on true;
  with item as materialized (
    select * from quipu.decide_settlements(tenant_ids, tenant_indexes, payout_ids, fencing_tokens, statuses, error_codes,
      error_messages, network_payment_ids, ended_ats, event_ids, traceparents, availables, helds, seqs, logged_ats,
      used_ons, open_tokens)
  ), ends as (
    insert into quipu.payout_end (seq, ended_at, amount, available_after, held_after, event_id, fencing_token,
      tenant_id, payout_id, status, network_payment_id, error_code, error_message, body, network_ref)
    select i.seq, i.logged_at, i.amount, i.available_after, i.held_after, i.event_id, i.fencing_token,
      i.tenant_id, i.payout_id, i.status, i.network_payment_id, i.error_code, i.error_message, i.body, network_refs[i.item]
    from item i
  ), unopened as (
    delete from quipu.payout_open o where o.ctid = any (array(select open_rows[i.item] from item i))
  ), wallets as (
    update quipu.wallet w
    set available = w.available + t.released, held = w.held - t.amount, seq = t.seq, logged_at = t.logged_at,
      updated_at = greatest(w.updated_at, t.logged_at), used_amount = w.used_amount - t.used_amount,
      used_count = w.used_count - t.used_count
    from (
      select wallet_rows[i.tenant_index] as row_id, sum(i.released) as released, sum(i.amount) as amount,
        max(i.seq) as seq, max(i.logged_at) as logged_at, coalesce(sum(i.amount) filter (where i.frees_daily_limit), 0) as used_amount,
        count(*) filter (where i.frees_daily_limit)::int as used_count
      from item i group by i.tenant_index
    ) t
    where w.ctid = t.row_id
  )
  select array_agg(i.item) as items, array_agg(i.logged_at) as logged_ats, max(i.logged_at) as newest,
    min(i.logged_at) as oldest, bool_or(i.logged_at > i.ended_at) as is_redated
  into batch from item i;
  if cardinality(batch.items) < cardinality(payout_ids) or batch.items is null then
    results := array(
      select case when n = any (batch.items) then 'committed' else 'stale' end
      from generate_series(1, cardinality(payout_ids)) n order by n
    );
  end if;
  if batch.is_redated then
    redated_tos := array(
      select (select l from unnest(batch.items, batch.logged_ats) i (item, l) where i.item = n and l > ended_ats[n])
      from generate_series(1, cardinality(payout_ids)) n order by n
    );
  end if;
  if batch.newest > clock_timestamp() or batch.oldest < clock_timestamp() - interval '1 hour' then
    perform quipu.require_recent(batch.newest), quipu.require_recent(batch.oldest);
  end if;
  if batch.items is not null then
    perform quipu.signal_deliveries(tenant_ids);
  end if;
end
$$;
