-- The three writes of payouts. Each takes a batch as parallel arrays, one place an item, decides it item by
-- item and answers one result an item, in the order given. Each locks the wallets first, tenants ascending;
-- the statements that follow see all that earlier holders of those locks have committed.
--
-- No caller says what a payout costs: a hold is what its quote says, a capture or release what was held.
--
-- Their plans must not depend on statistics: the tables grow from nothing to millions between two
-- analyses, and a plan made for an empty table would be kept. So: one index lookup an item, always.
-- What is changed after it was looked up is named by its `ctid`: it stays where it is for as long as
-- its wallet is locked.

create function quipu.lock_wallets(tenant_ids text[]) returns void language plpgsql as $$
begin
  perform from quipu.wallet w where w.tenant_id = any (tenant_ids)
  order by w.tenant_id
  for no key update;
end
$$;

-- For each tenant that has endpoints, a commit that logs events leaves the news of it.
create function quipu.leave_news(of_tenants text[]) returns void language plpgsql as $$
declare
  listening text[] := array(
    select t.id from unnest(of_tenants) t (id)
    where exists (select from quipu.webhook_endpoint w where w.tenant_id = t.id)
  );
begin
  if cardinality(listening) > 0 then
    insert into quipu.log_news (tenant_ids) values (listening);
  end if;
end
$$;

-- The event's bytes of an item: those in `bodies` from the end of the item before to its own, redated where
-- the log has a later instant. Four of `places` belong to each item.
create function quipu.event_body(bodies bytea, body_ends int[], places int[], place bigint,
  event_id uuid, given timestamptz, logged_at timestamptz)
returns bytea language sql stable
return case
  when event_id is null then null
  when logged_at = given then substring(bodies from coalesce(body_ends[place - 1], 0) + 1
    for body_ends[place] - coalesce(body_ends[place - 1], 0))
  else quipu.redated_body(
    substring(bodies from coalesce(body_ends[place - 1], 0) + 1
      for body_ends[place] - coalesce(body_ends[place - 1], 0)),
    places[4 * place - 3 : 4 * place], quipu.uuid_at(event_id, logged_at), logged_at, logged_at)
end;

-- Decides new payouts one by one, in the order given, each as if those before it that are `committed` were
-- applied: `stale` (there is a payout with this transaction id), `quote_used`, `quote_expired` (or there
-- is none), `insufficient_balance` or `committed`. The wallets are locked.
create function quipu.decide_payouts(
  tenant_ids text[], transaction_ids text[], quote_ids uuid[], moment timestamptz
) returns text[] language plpgsql as $$
declare
  results text[] := array_fill(null::text, array[cardinality(tenant_ids)]);
  item record;
  tenant text collate "C" := '';
  available bigint;
  seen_transactions text[];
  seen_quotes uuid[];
begin
  for item in
    select i.*, q.source, w.available, p.id is not null as is_taken, used.id is not null as is_used,
      coalesce(q.expires_at <= moment, true) as is_expired
    from unnest(tenant_ids, transaction_ids, quote_ids) with ordinality
      i (tenant_id, transaction_id, quote_id, place)
    left join lateral (
      select w.available from quipu.wallet w where w.tenant_id = i.tenant_id limit 1
    ) w on true
    left join lateral (
      select p.id from quipu.payout p
      where p.transaction_id = i.transaction_id and p.tenant_id = i.tenant_id limit 1
    ) p on true
    left join lateral (
      select p.id from quipu.payout p
      where p.quote_id = i.quote_id and p.tenant_id = i.tenant_id and p.hold is not null limit 1
    ) used on true
    left join lateral (
      select q.source, q.expires_at from quipu.quote q
      where q.id = i.quote_id and q.tenant_id = i.tenant_id limit 1
    ) q on true
    order by i.tenant_id, i.place
  loop
    if item.tenant_id <> tenant then
      tenant := item.tenant_id;
      available := item.available;
      seen_transactions := '{}';
      seen_quotes := '{}';
    end if;
    results[item.place] := case
      when available is null then 'no_wallet'
      when item.is_taken or item.transaction_id = any (seen_transactions) then 'stale'
      when item.is_used or item.quote_id = any (seen_quotes) then 'quote_used'
      when item.is_expired then 'quote_expired'
      when item.source > available then 'insufficient_balance'
      else 'committed'
    end;
    continue when results[item.place] <> 'committed';
    seen_transactions := array_append(seen_transactions, item.transaction_id);
    seen_quotes := array_append(seen_quotes, item.quote_id);
    available := available - item.source;
  end loop;
  return results;
end
$$;

-- Applies new payouts: inserts each, which uses its quote, holds the quote's price, and leases it to the
-- caller. At first it takes all of them to fit, and leaves it to the unique keys and checks to say that one
-- does not. Then it undoes this, and decides them one by one.
create function quipu.apply_payouts(
  tenant_ids text[], payout_ids text[], transaction_ids text[], fingerprints text[], quote_ids uuid[],
  created_ats timestamptz[], qr_modes text[], merchant_names text[], bank_codes text[],
  network_refs text[], lease_ms int[], at timestamptz
) returns text[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  results text[];
  moment timestamptz;
  fitting int := cardinality(payout_ids);
  applied int;
begin
  perform quipu.lock_wallets(tenant_ids);
  moment := quipu.store_now(at);
  loop
    begin
      with item as materialized (
        select i.*, q.source, q.target, q.resolution_id, w.row_id, w.tenant_id as owner_id,
          w.available - sum(q.source) over tenant as available_after,
          w.held + sum(q.source) over tenant as held_after,
          greatest(w.updated_at, moment) as applied_at,
          moment + make_interval(secs => i.lease_ms / 1000.0) as leased_until,
          lead(true) over tenant is null as is_last
        from unnest(tenant_ids, payout_ids, transaction_ids, fingerprints, quote_ids, created_ats,
          qr_modes, merchant_names, bank_codes, network_refs, lease_ms) with ordinality
          i (tenant_id, payout_id, transaction_id, fingerprint, quote_id, created_at, qr_mode,
            merchant_name, bank_code, network_ref, lease_ms, place)
        cross join lateral (
          select * from quipu.quote q
          where q.id = i.quote_id and q.tenant_id = i.tenant_id and q.expires_at > moment limit 1
        ) q
        cross join lateral (
          select w.ctid as row_id, w.* from quipu.wallet w where w.tenant_id = i.tenant_id limit 1
        ) w
        where results is null or results[i.place] = 'committed'
        window tenant as (partition by w.tenant_id order by i.place)
      ), payouts as (
        insert into quipu.payout (target, created_at, hold, available_after, held_after, applied_at,
          leased_until, quote_id, tenant_id, id, transaction_id, fingerprint, resolution_id, qr_mode,
          merchant_name, bank_code, network_ref)
        select target, created_at, source, available_after, held_after, applied_at,
          leased_until, quote_id, owner_id, payout_id, transaction_id, fingerprint, resolution_id, qr_mode,
          merchant_name, bank_code, network_ref
        from item
      ), wallets as (
        update quipu.wallet w
        set available = i.available_after, held = i.held_after, updated_at = i.applied_at
        from item i where i.is_last and w.ctid = i.row_id
      ), leases as (
        insert into quipu.payout_lease (due_at, tenant_ids, payout_ids)
        select min(leased_until), array_agg(owner_id), array_agg(payout_id) from item
        having count(*) > 0
      )
      select count(*) into applied from item;
      if applied = fitting then
        return coalesce(results, array_fill('committed'::text, array[fitting]));
      end if;
      raise exception 'not every payout can be applied' using errcode = 'integrity_constraint_violation';
    exception when integrity_constraint_violation or unique_violation or check_violation then
      if results is not null then
        raise;
      end if;
    end;
    results := quipu.decide_payouts(tenant_ids, transaction_ids, quote_ids, moment);
    fitting := cardinality(array_positions(results, 'committed'));
  end loop;
end
$$;

-- Inserts payouts that ended before they were applied, each with its entry in the log. `stale`: there is a
-- payout with this transaction id. `redated_tos` is null unless an entry got a later instant than its own,
-- since the log's instants never go back: then it has that instant in the place of the item.
create function quipu.insert_ended_payouts(
  tenant_ids text[], payout_ids text[], transaction_ids text[], fingerprints text[], quote_ids uuid[],
  resolution_ids text[], targets bigint[], created_ats timestamptz[], qr_modes text[],
  merchant_names text[], bank_codes text[], statuses text[], error_codes text[],
  error_messages text[], ended_ats timestamptz[], event_ids uuid[], places int[], body_ends int[],
  bodies bytea,
  out results text[], out redated_tos timestamptz[]
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ended record;
begin
  results := array_fill('stale'::text, array[cardinality(payout_ids)]);
  perform quipu.lock_wallets(tenant_ids);
  for ended in
    with item as materialized (
      select i.*, w.row_id, w.tenant_id as owner_id,
        w.seq + row_number() over tenant as new_seq,
        greatest(w.logged_at, i.ended_at) as logged_at,
        greatest(w.updated_at, w.logged_at, i.ended_at) as updated_at,
        lead(true) over tenant is null as is_last
      from unnest(tenant_ids, payout_ids, transaction_ids, fingerprints, quote_ids, resolution_ids,
        targets, created_ats, qr_modes, merchant_names, bank_codes, statuses, error_codes,
        error_messages, ended_ats, event_ids) with ordinality
        i (tenant_id, payout_id, transaction_id, fingerprint, quote_id, resolution_id, target,
          created_at, qr_mode, merchant_name, bank_code, status, error_code, error_message, ended_at,
          event_id, place)
      cross join lateral (
        select w.ctid as row_id, w.* from quipu.wallet w where w.tenant_id = i.tenant_id limit 1
      ) w
      where not exists (
        select from quipu.payout p
        where p.transaction_id = i.transaction_id and p.tenant_id = i.tenant_id
      ) and not exists (
        select from unnest(tenant_ids, transaction_ids) with ordinality e (tenant_id, transaction_id, place)
        where e.place < i.place and e.tenant_id = i.tenant_id and e.transaction_id = i.transaction_id
      )
      window tenant as (partition by w.tenant_id order by i.ended_at, i.place)
    ), payouts as (
      insert into quipu.payout (target, created_at, quote_id, tenant_id, id, transaction_id,
        fingerprint, resolution_id, qr_mode, merchant_name, bank_code)
      select target, created_at, quote_id, owner_id, payout_id, transaction_id,
        fingerprint, resolution_id, qr_mode, merchant_name, bank_code
      from item
    ), ends as (
      insert into quipu.payout_end (seq, ended_at, event_id, tenant_id, payout_id, status, error_code,
        error_message, body)
      select new_seq, logged_at,
        case when logged_at = ended_at then event_id else quipu.uuid_at(event_id, logged_at) end,
        owner_id, payout_id, status, error_code, error_message,
        quipu.event_body(bodies, body_ends, places, i.place, event_id, ended_at, logged_at)
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
    perform quipu.leave_news(array(select distinct unnest(tenant_ids)));
  end if;
end
$$;

-- Ends payouts in `processing`, each by the holder of its newest claim: captures its hold when it was
-- `completed`, releases it otherwise, and logs the event. `stale`: it has ended, or somebody else has
-- claimed it. `redated_tos` as in `insert_ended_payouts`.
create function quipu.settle_payouts(
  tenant_ids text[], payout_ids text[], fencing_tokens int[], statuses text[], error_codes text[],
  error_messages text[], network_payment_ids text[], ended_ats timestamptz[], event_ids uuid[],
  places int[], body_ends int[], bodies bytea,
  out results text[], out redated_tos timestamptz[]
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  settled record;
begin
  results := array_fill('stale'::text, array[cardinality(payout_ids)]);
  perform quipu.lock_wallets(tenant_ids);

  for settled in
    with item as materialized (
      select i.*, p.hold, o.row_id as open_row, w.row_id, w.tenant_id as owner_id,
        w.seq + row_number() over tenant as new_seq,
        greatest(w.logged_at, i.ended_at) as logged_at, -- in the order of `ended_at`: it never goes back
        greatest(w.updated_at, w.logged_at, i.ended_at) as updated_at,
        (w.available + coalesce(sum(p.hold) filter (where i.status <> 'completed') over tenant, 0)
          )::bigint as available_after,
        (w.held - sum(p.hold) over tenant)::bigint as held_after,
        lead(true) over tenant is null as is_last
      from unnest(tenant_ids, payout_ids, fencing_tokens, statuses, error_codes, error_messages,
        network_payment_ids, ended_ats, event_ids) with ordinality
        i (tenant_id, payout_id, fencing_token, status, error_code, error_message,
          network_payment_id, ended_at, event_id, place)
      cross join lateral (
        select p.hold from quipu.payout p
        where p.tenant_id = i.tenant_id and p.id = i.payout_id and p.hold is not null limit 1
      ) p
      cross join lateral (
        select w.ctid as row_id, w.* from quipu.wallet w where w.tenant_id = i.tenant_id limit 1
      ) w
      left join lateral (
        select o.ctid as row_id, o.fencing_token from quipu.payout_open o
        where o.payout_id = i.payout_id and o.tenant_id = i.tenant_id limit 1
      ) o on true
      where i.fencing_token = coalesce(o.fencing_token, 1)
        and not exists (
          select from quipu.payout_end e
          where e.payout_id = i.payout_id and e.tenant_id = i.tenant_id
        )
        and array_position(payout_ids, i.payout_id) = i.place -- not one that is in the batch before
      window tenant as (partition by w.tenant_id order by i.ended_at, i.place)
    ), ends as (
      insert into quipu.payout_end (seq, ended_at, amount, available_after, held_after, event_id,
        fencing_token, tenant_id, payout_id, status, network_payment_id, error_code, error_message,
        body)
      select new_seq, logged_at, hold, available_after, held_after,
        case when logged_at = ended_at then event_id else quipu.uuid_at(event_id, logged_at) end,
        fencing_token, owner_id, payout_id, status, network_payment_id, error_code, error_message,
        quipu.event_body(bodies, body_ends, places, place, event_id, ended_at, logged_at)
      from item
    ), wallets as (
      update quipu.wallet w
      set available = i.available_after, held = i.held_after, seq = i.new_seq,
        logged_at = i.logged_at, updated_at = i.updated_at
      from item i where i.is_last and w.ctid = i.row_id
    ), closed as (
      delete from quipu.payout_open o
      where o.ctid = any (array(select i.open_row from item i where i.open_row is not null))
    )
    select i.place, case when i.logged_at > i.ended_at then i.logged_at end as redated_to from item i
  loop
    results[settled.place] := 'committed';
    if settled.redated_to is not null then
      redated_tos := coalesce(redated_tos, array_fill(null::timestamptz, array[cardinality(payout_ids)]));
      redated_tos[settled.place] := settled.redated_to;
    end if;
  end loop;
  if 'committed' = any (results) then
    perform quipu.leave_news(array(select distinct unnest(tenant_ids)));
  end if;
end
$$;
