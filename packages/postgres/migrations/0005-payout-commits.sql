-- The three writes of payouts. Each takes a batch as parallel arrays with one element an item, and returns
-- one result an item in the same order. Each locks the wallets first, tenants ascending, so that its later
-- statements see everything that earlier holders of these locks have committed.
--
-- A hold must equal its quote's price, and a capture or release its hold. Callers pass these amounts, so that
-- the wallets are updated before any other lookup. A wrong amount rolls the batch back.
--
-- `accept_payouts` and `settle_payouts` have a fast path, which writes the whole batch and relies on keys and
-- checks to reject an item that does not fit. Then its sub-transaction is rolled back, and the item path
-- decides the items one by one. Null results mean that all are `committed`. `tenant_ids` has the tenants of
-- the batch, each once and ascending; `tenant_indexes` has the place of each item's tenant in it, from 1.
--
-- Plans must not depend on statistics: a table can grow from nothing to millions of rows between two
-- `analyze`, and a session keeps its plans. So each item is one index lookup, forced by `cross join lateral …
-- limit 1`.

create function quipu.lock_wallets(tenant_ids text[]) returns void language plpgsql as $$
begin
  perform from quipu.wallet w where w.tenant_id = any (tenant_ids)
  order by w.tenant_id
  for no key update;
end
$$;

-- Signals new events in the logs of these tenants to `claim_deliveries`. Skips tenants without endpoints.
create function quipu.signal_deliveries(of_tenants text[]) returns void language plpgsql as $$
declare
  listening text[] := array(
    select t.id from unnest(of_tenants) t (id)
    where exists (select from quipu.webhook_endpoint w where w.tenant_id = t.id)
  );
begin
  if cardinality(listening) > 0 then
    insert into quipu.delivery_signal (tenant_ids) values (listening);
  end if;
end
$$;

-- The functions below make the bytes of a payout's event from its rows, so that an event cannot say what they do not. They
-- are the bytes of `encodeEvent` in packages/wire, packed as by `packBody` in packages/postgres. Every text goes through
-- `to_json`, which escapes as `JSON.stringify` does: none contains a separator or ends its member.

-- A text's JSON without its quotes.
create function quipu.json_inner(value text) returns text
language sql immutable
return left(right(to_json(coalesce(value, ''))::text, -1), -1);

-- An amount of minor units, `unit` of which are 1: `12.50`.
create function quipu.decimal_text(minor bigint, unit bigint, digits int) returns text
language sql immutable
return (minor / unit)::text || '.' || lpad((minor % unit)::text, digits, '0');

-- Event bytes after the sampled trace of their commit, if there is one.
create function quipu.traced_body(traceparent text, body text) returns bytea
language sql immutable
return convert_to(case when traceparent ~ '^[0-9a-f-]{55}$' then chr(30) || traceparent || body else body end, 'UTF8');

-- The item path of `accept_payouts`. Decides in the given order, as if the `committed` items before were
-- accepted: `stale` (a payout has this transaction id), `not_allowed` (the tenant is suspended, or the key may not
-- act), `quote_used`, `quote_expired` (also when there is no such quote), `above_cap`, `daily_limit_exceeded`,
-- `insufficient_balance` or `committed`.
create function quipu.decide_applications(
  tenant_ids text[], tenant_indexes int[], transaction_ids text[], quote_ids uuid[], key_ids text[],
  moment timestamptz
) returns text[] language plpgsql as $$
declare
  results text[] := array_fill(null::text, array[cardinality(tenant_indexes)]);
  item record;
  tenant_index int := 0;
  available bigint;
  used_amount numeric;
  used_count int;
  seen_transactions text[];
  seen_quotes uuid[];
begin
  for item in
    select i.*, q.source, q.target, w.*, t.payment_cap, p.id is not null as is_taken,
      used.id is not null as is_used, coalesce(q.expires_at <= moment, true) as is_expired,
      t.payment_cap is not null and quipu.may_act(i.key_id, tenant_ids[i.tenant_index], moment) as is_allowed
    from unnest(tenant_indexes, transaction_ids, quote_ids, key_ids) with ordinality
      i (tenant_index, transaction_id, quote_id, key_id, place)
    left join lateral (
      select t.payment_cap from quipu.tenant t
      where t.id = tenant_ids[i.tenant_index] and t.status = 'active' limit 1
    ) t on true
    left join lateral (
      select w.available, w.daily_limit_amount, w.daily_limit_count, u.amount as used_amount,
        u.count as used_count
      from quipu.wallet w cross join quipu.daily_use(w, moment) u
      where w.tenant_id = tenant_ids[i.tenant_index] limit 1
    ) w on true
    left join lateral (
      select p.id from quipu.payout p
      where p.transaction_id = i.transaction_id and p.tenant_id = tenant_ids[i.tenant_index] limit 1
    ) p on true
    left join lateral (
      select p.id from quipu.payout p
      where p.quote_id = i.quote_id and p.tenant_id = tenant_ids[i.tenant_index] and p.hold is not null
      limit 1
    ) used on true
    left join lateral (
      select q.source, q.target, q.expires_at from quipu.quote q
      where q.id = i.quote_id and q.tenant_id = tenant_ids[i.tenant_index] limit 1
    ) q on true
    order by i.tenant_index, i.place
  loop
    if item.tenant_index <> tenant_index then
      tenant_index := item.tenant_index;
      available := item.available;
      used_amount := item.used_amount;
      used_count := item.used_count;
      seen_transactions := '{}';
      seen_quotes := '{}';
    end if;
    results[item.place] := case
      when item.is_taken or item.transaction_id = any (seen_transactions) then 'stale'
      when not item.is_allowed then 'not_allowed'
      when item.is_used or item.quote_id = any (seen_quotes) then 'quote_used'
      when item.is_expired then 'quote_expired'
      when item.target > item.payment_cap then 'above_cap'
      when used_amount + item.source > item.daily_limit_amount
        or used_count + 1 > item.daily_limit_count then 'daily_limit_exceeded'
      when item.source > available then 'insufficient_balance'
      else 'committed'
    end;
    continue when results[item.place] <> 'committed';
    seen_transactions := array_append(seen_transactions, item.transaction_id);
    seen_quotes := array_append(seen_quotes, item.quote_id);
    available := available - item.source;
    used_amount := used_amount + item.source;
    used_count := used_count + 1;
  end loop;
  return results;
end
$$;

-- Accepts new payouts: inserts each with a hold of its quote's price, which uses the quote, and gives the
-- caller a lease on it. Results: see `decide_applications`. Key, tenant and cap are read here, as processes cache
-- them.
create function quipu.accept_payouts(
  tenant_ids text[], tenant_indexes int[], payout_ids text[], transaction_ids text[], fingerprints text[],
  quote_ids uuid[], holds bigint[], created_ats timestamptz[], details text[], key_ids text[], lease_ms int[],
  clock_override timestamptz
) returns text[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  results text[]; -- null on the fast path
  expected int := coalesce(cardinality(payout_ids), 0);
  accepted int;
  availables bigint[]; -- of each wallet before this batch
  helds bigint[]; -- of each wallet before this batch
  started_at timestamptz;
  today date;
  is_over_limit boolean;
  moment timestamptz;
begin
  -- The database may have forgotten payments, which a repeated request would make again.
  if exists (
    select from quipu.lineage l where l.halted_at is not null or l.server_started <> pg_postmaster_start_time()
  ) then
    raise exception 'payments are halted: the database went back, or nothing shows yet that it did not'
      using errcode = '57R01';
  end if;
  perform quipu.refuse_future(max(c)) from unnest(created_ats) c;
  loop
    begin
      started_at := quipu.store_now(clock_override);
      today := quipu.utc_day(started_at);
      with total as materialized (
        select i.tenant_index, coalesce(sum(i.hold) filter (where i.is_fitting), 0) as hold,
          count(*) filter (where i.is_fitting)::int as payouts,
          case when bool_or(i.is_fitting) then today end as day
        from (
          select i.*, results is null or results[i.place] = 'committed' as is_fitting
          from unnest(tenant_indexes, holds) with ordinality i (tenant_index, hold, place)
        ) i
        group by i.tenant_index order by i.tenant_index
      ), moved as (
        update quipu.wallet w
        set available = w.available - t.hold, held = w.held + t.hold,
          updated_at = case when t.payouts > 0 then greatest(w.updated_at, started_at) else w.updated_at end,
          used_on = greatest(w.used_on, t.day), -- `day` is null when no payout of the wallet fits
          used_amount = t.hold + case when t.day > w.used_on then 0 else w.used_amount end,
          used_count = t.payouts + case when t.day > w.used_on then 0 else w.used_count end
        from total t where w.tenant_id = tenant_ids[t.tenant_index]
        returning t.tenant_index, old.available, old.held, t.payouts > 0
          and (new.used_amount > new.daily_limit_amount or new.used_count > new.daily_limit_count)
          as is_over_limit
      )
      select array_agg(m.available order by m.tenant_index), array_agg(m.held order by m.tenant_index),
        bool_or(m.is_over_limit)
      into availables, helds, is_over_limit from moved m;
      if is_over_limit then
        raise exception 'the daily limit is exceeded' using errcode = 'integrity_constraint_violation';
      end if;

      moment := quipu.store_now(clock_override); -- the wallets' locks may have taken time
      with item as materialized (
        select i.*, q.target, q.resolution_id, moment + make_interval(secs => i.lease_ms / 1000.0) as leased_until,
          availables[i.tenant_index] - sum(q.source) over tenant as available_after,
          helds[i.tenant_index] + sum(q.source) over tenant as held_after
        from unnest(tenant_indexes, payout_ids, transaction_ids, fingerprints, quote_ids, holds, created_ats,
          details, key_ids, lease_ms) with ordinality
          i (tenant_index, payout_id, transaction_id, fingerprint, quote_id, hold, created_at, details,
            key_id, lease_ms, place)
        cross join lateral (
          select q.source, q.target, q.resolution_id from quipu.quote q
          where q.id = i.quote_id and q.tenant_id = tenant_ids[i.tenant_index]
            and q.source = i.hold and q.expires_at > moment
          limit 1
        ) q
        cross join lateral (
          select from quipu.tenant t
          where t.id = tenant_ids[i.tenant_index] and t.status = 'active' and t.payment_cap >= q.target limit 1
        ) t
        where (results is null or results[i.place] = 'committed')
          and quipu.may_act(i.key_id, tenant_ids[i.tenant_index], moment)
        window tenant as (partition by i.tenant_index order by i.place)
      ), payouts as (
        insert into quipu.payout (target, created_at, hold, available_after, held_after, accepted_at,
          leased_until, quote_id, tenant_id, id, transaction_id, fingerprint, resolution_id, key_id, details)
        select target, created_at, hold, available_after, held_after, started_at,
          leased_until, quote_id, tenant_ids[tenant_index], payout_id, transaction_id, fingerprint,
          resolution_id, key_id, item.details::json
        from item
      ), leases as (
        insert into quipu.payout_lease (due_at, tenant_ids, payout_ids)
        select min(leased_until), array_agg(tenant_ids[tenant_index]), array_agg(payout_id) from item
        having count(*) > 0
      )
      select count(*) into accepted from item;
      if accepted = expected then
        return results;
      end if;
      raise exception 'not every payout can be accepted' using errcode = 'integrity_constraint_violation';
    exception when integrity_constraint_violation then
      if results is not null then
        raise;
      end if;
    end;
    perform quipu.lock_wallets(tenant_ids);
    results := quipu.decide_applications(tenant_ids, tenant_indexes, transaction_ids, quote_ids, key_ids,
      quipu.store_now(clock_override));
    expected := coalesce(cardinality(array_positions(results, 'committed')), 0);
    if expected = 0 then
      return results;
    end if;
  end loop;
end
$$;

-- Inserts payouts that ended before they were accepted, each with its entry in the log. `stale`: a payout has
-- this transaction id. `not_allowed`: the tenant is suspended, or the key may not act. `redated_tos` has the instants of entries that are later than `ended_at`, as the log's
-- instants never decrease; null for the other items, and null when no entry is later.
create function quipu.insert_ended_payouts(
  tenant_ids text[], payout_ids text[], transaction_ids text[], fingerprints text[], quote_ids uuid[],
  resolution_ids text[], targets bigint[], created_ats timestamptz[], details text[], key_ids text[], statuses text[],
  error_codes text[], error_messages text[], ended_ats timestamptz[], event_ids uuid[], traceparents text[],
  out results text[], out redated_tos timestamptz[]
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ended record;
begin
  perform quipu.refuse_future(max(greatest(i.created_at, i.ended_at)))
  from unnest(created_ats, ended_ats) i (created_at, ended_at);
  perform quipu.lock_wallets(tenant_ids);
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
        where e.place < i.place and results[e.place] = 'stale' and e.tenant_id = i.tenant_id and e.transaction_id = i.transaction_id
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
      select new_seq, logged_at,
        case when logged_at = ended_at then event_id else quipu.uuid_at(event_id, logged_at) end,
        wallet_tenant_id, payout_id, status, error_code, error_message,
        case when event_id is not null then quipu.traced_body(traceparent, format('{"id":"%s","type":"payout.%s",'
          '"event_version":1,"occurred_at":"%s","recorded_at":"%3$s","data":{"id":%s,"type":"qr","status":"%2$s",'
          '"transaction_id":%5$s,"resolution_id":%s,"quote":null,"source":null,"target":{"currency":"BOB","amount":"%s"},'
          '"qr":{"amount_mode":"%s","merchant":{"name":"%s","bank_code":"%s"}},'
          '"error":{"code":%s,"message":%s},"completed_at":null,"created_at":"%s"}}',
          quipu.uuid_at(event_id, logged_at), status, quipu.iso_text(logged_at), to_json(payout_id),
          to_json(transaction_id), coalesce(to_json(resolution_id)::text, 'null'),
          quipu.decimal_text(target, 100, 2), quipu.json_inner(i.details::json ->> 'qr_mode'),
          quipu.json_inner(i.details::json ->> 'merchant_name'), quipu.json_inner(i.details::json ->> 'bank_code'),
          to_json(error_code), to_json(error_message), quipu.iso_text(created_at))) end
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

-- The item path of `settle_payouts`: `committed` if the payout has a hold and has not ended, and the claim is
-- its newest; else `stale`.
create function quipu.decide_settlements(
  tenant_ids text[], tenant_indexes int[], payout_ids text[], fencing_tokens int[]
) returns text[] language sql as $$
  select array_agg(case
    when p.hold is not null and e.status is null and i.fencing_token = coalesce(o.fencing_token, 1)
      and array_position(payout_ids, i.payout_id) = i.place -- the first of the batch with this payout
    then 'committed' else 'stale' end order by i.place)
  from unnest(tenant_indexes, payout_ids, fencing_tokens) with ordinality
    i (tenant_index, payout_id, fencing_token, place)
  left join lateral (
    select p.hold from quipu.payout p
    where p.tenant_id = tenant_ids[i.tenant_index] and p.id = i.payout_id limit 1
  ) p on true
  left join lateral (
    select e.status from quipu.payout_end e
    where e.payout_id = i.payout_id and e.tenant_id = tenant_ids[i.tenant_index] limit 1
  ) e on true
  left join lateral (
    select o.fencing_token from quipu.payout_open o
    where o.payout_id = i.payout_id and o.tenant_id = tenant_ids[i.tenant_index] limit 1
  ) o on true
$$;

-- Settles payouts in `processing`, each by the holder of its newest claim: captures the hold when the status
-- is `completed`, else releases it, and logs the event. `stale`: the payout has ended, or there is a newer
-- claim. `redated_tos` as in `insert_ended_payouts`.
create function quipu.settle_payouts(
  tenant_ids text[], tenant_indexes int[], payout_ids text[], fencing_tokens int[], holds bigint[],
  statuses text[], error_codes text[], error_messages text[], network_payment_ids text[],
  ended_ats timestamptz[], event_ids uuid[], traceparents text[],
  out results text[], out redated_tos timestamptz[]
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  expected int := coalesce(cardinality(payout_ids), 0);
  settled int;
  availables bigint[]; -- of each wallet before this batch, as are the next three
  helds bigint[];
  seqs bigint[];
  logged_ats timestamptz[];
  given_back_days date[]; -- to the daily limits of each wallet, as are the next two
  given_back_amounts numeric[];
  given_back_counts int[];
  open_rows tid[]; -- of each payout's row of `payout_open`, if it has one, as is the next
  open_tokens int[];
begin
  perform quipu.refuse_future(max(e)) from unnest(ended_ats) e;
  loop
    begin
      if 'completed' <> any (statuses) then
        select r.days, r.amounts, r.counts into given_back_days, given_back_amounts, given_back_counts
        from quipu.released_use(tenant_ids, tenant_indexes, payout_ids, holds, statuses, results) r;
      end if;
      with total as materialized (
        select i.tenant_index, count(*) filter (where i.is_fitting) as entries,
          coalesce(sum(i.hold) filter (where i.is_fitting), 0) as hold,
          coalesce(sum(i.hold) filter (where i.is_fitting and i.status <> 'completed'), 0) as released,
          max(i.ended_at) filter (where i.is_fitting) as ended_at
        from (
          select i.*, results is null or results[i.place] = 'committed' as is_fitting
          from unnest(tenant_indexes, holds, statuses, ended_ats) with ordinality
            i (tenant_index, hold, status, ended_at, place)
        ) i
        group by i.tenant_index order by i.tenant_index
      ), moved as (
        update quipu.wallet w
        set available = w.available + t.released, held = w.held - t.hold, seq = w.seq + t.entries,
          logged_at = greatest(w.logged_at, t.ended_at), -- ended_at is null when no item of the wallet fits
          updated_at = case when t.entries > 0 then greatest(w.updated_at, w.logged_at, t.ended_at)
            else w.updated_at end,
          used_amount = w.used_amount - case when given_back_days[t.tenant_index] = w.used_on
            then given_back_amounts[t.tenant_index] else 0 end,
          used_count = w.used_count - case when given_back_days[t.tenant_index] = w.used_on
            then given_back_counts[t.tenant_index] else 0 end
        from total t where w.tenant_id = tenant_ids[t.tenant_index]
        returning t.tenant_index, old.available, old.held, old.seq, old.logged_at
      )
      select array_agg(m.available order by m.tenant_index), array_agg(m.held order by m.tenant_index),
        array_agg(m.seq order by m.tenant_index), array_agg(m.logged_at order by m.tenant_index)
      into availables, helds, seqs, logged_ats from moved m;

      -- Locked before their `ctid` is used: a hint, a renewal or a yield changes a row without the wallet's lock.
      select array_agg(o.row_id order by i.place), array_agg(o.fencing_token order by i.place)
      into open_rows, open_tokens
      from unnest(tenant_indexes, payout_ids) with ordinality i (tenant_index, payout_id, place)
      left join lateral (
        select o.ctid as row_id, o.fencing_token from quipu.payout_open o
        where o.payout_id = i.payout_id and o.tenant_id = tenant_ids[i.tenant_index] for update
      ) o on true;

      with item as materialized (
        select i.*, p.*, q.*, seqs[i.tenant_index] + row_number() over tenant as new_seq,
          greatest(logged_ats[i.tenant_index], i.ended_at) as logged_at, -- never decreases: sorted by `ended_at`
          availables[i.tenant_index] + coalesce(sum(i.hold)
            filter (where i.status <> 'completed') over tenant, 0) as available_after,
          helds[i.tenant_index] - sum(i.hold) over tenant as held_after
        from unnest(tenant_indexes, payout_ids, fencing_tokens, holds, statuses, error_codes, error_messages,
          network_payment_ids, ended_ats, event_ids, traceparents) with ordinality
          i (tenant_index, payout_id, fencing_token, hold, status, error_code, error_message,
            network_payment_id, ended_at, event_id, traceparent, place)
        cross join lateral (
          select p.transaction_id, p.resolution_id, p.quote_id, p.target, p.created_at, p.details
          from quipu.payout p
          where p.tenant_id = tenant_ids[i.tenant_index] and p.id = i.payout_id and p.hold = i.hold limit 1
        ) p
        cross join lateral (
          select q.rate, q.fee, q.expires_at from quipu.quote q
          where q.id = p.quote_id and q.tenant_id = tenant_ids[i.tenant_index] limit 1
        ) q
        where i.fencing_token = coalesce(open_tokens[i.place], 1)
          and (results is null or results[i.place] = 'committed')
        window tenant as (partition by i.tenant_index order by i.ended_at, i.place)
      ), ends as (
        insert into quipu.payout_end (seq, ended_at, amount, available_after, held_after, event_id,
          fencing_token, tenant_id, payout_id, status, network_payment_id, error_code, error_message,
          body)
        select new_seq, logged_at, hold, available_after, held_after,
          case when logged_at = ended_at then event_id else quipu.uuid_at(event_id, logged_at) end,
          fencing_token, tenant_ids[tenant_index], payout_id, status, network_payment_id, error_code,
          error_message,
          case when event_id is not null then quipu.traced_body(traceparent,
            case status when 'completed' then chr(1) else chr(2) end || concat_ws(chr(31),
              quipu.uuid_at(event_id, logged_at), status, quipu.iso_text(logged_at), chr(29),
              quipu.json_inner(payout_id), chr(29), quipu.json_inner(transaction_id),
              coalesce(to_json(resolution_id)::text, 'null'), quote_id, quipu.decimal_text(hold, 1000000, 6),
              quipu.decimal_text(target, 100, 2), quipu.decimal_text(rate, 10000, 4),
              quipu.decimal_text(fee, 1000000, 6), quipu.iso_text(expires_at),
              case status when 'completed' then chr(29) else 'null' end, chr(29),
              quipu.json_inner(details ->> 'qr_mode'), quipu.json_inner(details ->> 'merchant_name'),
              quipu.json_inner(details ->> 'bank_code'),
              case status when 'completed' then chr(29)
                else format('{"code":%s,"message":%s}', to_json(error_code), to_json(error_message)) end,
              case when status <> 'completed' then 'null' end,
              quipu.iso_text(created_at), '')) end
        from item
      ), unopened as (
        delete from quipu.payout_open o
        where o.ctid = any (array(select open_rows[i.place] from item i))
      )
      select count(*), case when bool_or(i.logged_at > i.ended_at) then (
        select array_agg(r.logged_at order by n)
        from generate_series(1, cardinality(payout_ids)) n
        left join item r on r.place = n and r.logged_at > r.ended_at
      ) end
      into settled, redated_tos from item i;
      exit when settled = expected;
      raise exception 'not every payout can be settled' using errcode = 'integrity_constraint_violation';
    exception when integrity_constraint_violation then
      if results is not null then
        raise;
      end if;
    end;
    perform quipu.lock_wallets(tenant_ids);
    results := quipu.decide_settlements(tenant_ids, tenant_indexes, payout_ids, fencing_tokens);
    expected := coalesce(cardinality(array_positions(results, 'committed')), 0);
    if expected = 0 then
      return;
    end if;
  end loop;
  perform quipu.signal_deliveries(tenant_ids);
end
$$;
