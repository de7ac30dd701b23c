-- The two writes of payouts. Each takes a batch, decides it item by item and answers one word an
-- item, in the order given. Both lock the wallets first, tenants ascending; the statements that
-- follow see all that earlier holders of those locks have committed.
--
-- Their plans must not depend on statistics: the tables grow from nothing to millions between two
-- analyses, and a plan made for an empty table would be kept. So: one index lookup an item, always.
-- What is changed after it was looked up is named by its `ctid`: it stays where it is for as long as
-- its wallet is locked.

-- A new payout: applied when `hold` is set, otherwise ended before it was applied.
create type quipu.opening as (
  tenant_id text collate "C",
  payout_id text collate "C",
  transaction_id text collate "C",
  fingerprint text,
  quote_id uuid,
  resolution_id text collate "C",
  target bigint,
  created_at timestamptz,
  qr_mode text,
  merchant_name text,
  bank_code text,
  network_ref text,
  hold bigint,
  lease_seconds float8,
  status text,
  error_code text,
  error_message text,
  ended_at timestamptz,
  event_id uuid,
  event_type text,
  occurred_at timestamptz,
  recorded_at timestamptz,
  body_from int, -- the event's bytes are those of `bodies` from here, counted from 1
  body_size int
);

create function quipu.open_payouts(batch quipu.opening[], bodies bytea, at timestamptz)
returns text[]
language plpgsql as $$
declare
  size int[] := array[cardinality(batch)];
  verdicts text[] := array_fill(null::text, size);
  available_after bigint[] := array_fill(null::bigint, size);
  held_after bigint[] := array_fill(null::bigint, size);
  moved_at timestamptz[] := array_fill(null::timestamptz, size);
  quote_rows tid[] := array_fill(null::tid, size);
  wallet_rows tid[] := '{}'; -- those that move
  last_places int[] := '{}'; -- and the last item of each
  moment timestamptz;
  item record;
  verdict text;
  tenant text collate "C" := '';
  is_moving boolean;
  free bigint;
  reserved bigint;
  transaction_ids text[];
  quote_ids uuid[];
  refused boolean := false;
begin
  perform from quipu.wallet w
  where w.tenant_id = any (array(select i.tenant_id from unnest(batch) i))
  order by w.tenant_id
  for no key update;
  moment := quipu.store_now(at);

  for item in
    select i.ordinality as place, i.tenant_id, i.transaction_id, i.quote_id, i.hold,
      w.row_id as wallet_row, w.available, w.held, w.updated_at,
      p.id is not null as taken, q.row_id as quote_row, q.payout_id is not null as used,
      coalesce(q.expires_at <= moment, true) as expired -- a quote that is gone has long expired
    from unnest(batch) with ordinality i
    left join lateral (
      select w.ctid as row_id, w.available, w.held, w.updated_at from quipu.wallet w
      where w.tenant_id = i.tenant_id limit 1
    ) w on true
    left join lateral (
      select p.id from quipu.payout p
      where p.tenant_id = i.tenant_id and p.transaction_id = i.transaction_id limit 1
    ) p on true
    left join lateral (
      select q.ctid as row_id, q.payout_id, q.expires_at from quipu.quote q
      where q.tenant_id = i.tenant_id and q.id = i.quote_id limit 1
    ) q on true
    order by i.tenant_id, i.ordinality
  loop
    if item.tenant_id <> tenant then
      tenant := item.tenant_id;
      free := item.available;
      reserved := item.held;
      is_moving := false;
      transaction_ids := '{}';
      quote_ids := '{}';
    end if;
    if free is null then
      raise exception 'tenant % has no wallet', tenant using errcode = 'foreign_key_violation';
    end if;

    verdict := case
      when item.taken or item.transaction_id = any (transaction_ids) then 'stale'
      when item.hold is null then 'committed'
      when item.used or item.quote_id = any (quote_ids) then 'quote_used'
      when item.expired then 'quote_expired'
      when item.hold > free then 'insufficient_balance'
      else 'committed'
    end;
    verdicts[item.place] := verdict;
    continue when verdict <> 'committed';

    transaction_ids := array_append(transaction_ids, item.transaction_id);
    if item.hold is null then
      refused := true;
    else
      if not is_moving then
        is_moving := true;
        wallet_rows := array_append(wallet_rows, item.wallet_row);
      end if;
      last_places[cardinality(wallet_rows)] := item.place;
      quote_ids := array_append(quote_ids, item.quote_id);
      quote_rows[item.place] := item.quote_row;
      free := free - item.hold;
      reserved := reserved + item.hold;
      available_after[item.place] := free;
      held_after[item.place] := reserved;
      moved_at[item.place] := greatest(item.updated_at, moment);
    end if;
  end loop;

  with opened as materialized (
    select tenant_id, payout_id, transaction_id, fingerprint, quote_id, resolution_id, target,
      created_at, qr_mode, merchant_name, bank_code, network_ref, hold, lease_seconds, ordinality
    from unnest(batch) with ordinality i
    where verdicts[ordinality] = 'committed'
  ), payouts as (
    insert into quipu.payout (tenant_id, id, transaction_id, fingerprint, quote_id, resolution_id,
      target, created_at, applied, qr_mode, merchant_name, bank_code, network_ref)
    select tenant_id, payout_id, transaction_id, fingerprint, quote_id, resolution_id,
      target, created_at, hold is not null, qr_mode, merchant_name, bank_code, network_ref
    from opened
  ), queued as (
    insert into quipu.payout_open (tenant_id, payout_id, opened_at, fence, leased, due_at, asked)
    select tenant_id, payout_id, moment, 1, true, moment + make_interval(secs => lease_seconds), 0
    from opened where hold is not null
  ), quotes as (
    update quipu.quote q set payout_id = o.payout_id
    from opened o
    where o.hold is not null and q.ctid = quote_rows[o.ordinality]
  ), holds as (
    insert into quipu.transfer (tenant_id, type, debit, credit, amount, payout_id,
      available_after, held_after, created_at)
    select tenant_id, 'hold', 'available', 'held', hold, payout_id,
      available_after[ordinality], held_after[ordinality], moved_at[ordinality]
    from opened where hold is not null
  )
  update quipu.wallet w
  set available = available_after[place], held = held_after[place], updated_at = moved_at[place]
  from unnest(wallet_rows, last_places) moving (row_id, place)
  where w.ctid = moving.row_id;

  if refused then
    with ended as materialized (
      select i.* from unnest(batch) with ordinality i
      where verdicts[ordinality] = 'committed' and hold is null
    ), ends as (
      insert into quipu.payout_end (tenant_id, payout_id, status, ended_at, error_code,
        error_message)
      select tenant_id, payout_id, status, ended_at, error_code, error_message
      from ended
    )
    insert into quipu.event (tenant_id, id, type, subject_id, body, occurred_at, recorded_at)
    select tenant_id, event_id, event_type, payout_id,
      substring(bodies from body_from for body_size), occurred_at, recorded_at
    from ended where event_id is not null;
  end if;

  return verdicts;
end
$$;

-- The end of a payout in `processing`, by the holder of its newest claim.
create type quipu.settlement as (
  tenant_id text collate "C",
  payout_id text collate "C",
  fence int,
  transfer_type text, -- `capture` or `release`
  amount bigint,
  status text,
  error_code text,
  error_message text,
  ended_at timestamptz,
  network_payment_id text,
  event_id uuid,
  event_type text,
  occurred_at timestamptz,
  recorded_at timestamptz,
  id_place int, -- where in the event's bytes, counted from 0, see `quipu.redated_body`
  occurred_place int,
  recorded_place int,
  ended_place int,
  body_from int,
  body_size int
);

-- `redated` is null unless a capture got a later instant than its own: then it has that instant in the
-- place of the item. A wallet's rows are in the order of their instants, and a row has the instant of its
-- payout. So a capture is dated no earlier than the wallet's newest transfer; its `payout_end` and event
-- get the same instant. A release has no row for the tenant, and its payout keeps its own instant.
create function quipu.settle_payouts(batch quipu.settlement[], bodies bytea,
  out verdicts text[], out redated timestamptz[])
language plpgsql as $$
declare
  settled record;
begin
  verdicts := array_fill('stale'::text, array[cardinality(batch)]);
  perform from quipu.wallet w
  where w.tenant_id = any (array(select i.tenant_id from unnest(batch) i))
  order by w.tenant_id
  for no key update;

  for settled in
    with closed as materialized (
      -- Found one by one, so that no plan begins with the whole table. Who was claimed in between has
      -- another place, and is not found there. What is in the batch twice is deleted once.
      delete from quipu.payout_open o
      using (
        select i.*, found.row_id from unnest(batch) with ordinality i
        cross join lateral (
          select o.ctid as row_id from quipu.payout_open o
          where o.payout_id = i.payout_id and o.tenant_id = i.tenant_id and o.fence = i.fence
          limit 1
        ) found
      ) i
      where o.ctid = i.row_id
      returning i.*
    ), moved as materialized (
      select c.*, w.wallet_row, lead(true) over tenant is null as is_last,
        greatest(w.updated_at, c.ended_at) as moved_at,
        case when c.ended_at < w.updated_at and c.transfer_type = 'capture' then w.updated_at end
          as redated_at,
        (w.available
          + coalesce(sum(c.amount) filter (where c.transfer_type = 'release') over tenant, 0)
        )::bigint as available_after,
        (w.held - sum(c.amount) over tenant)::bigint as held_after,
        w.seq + count(*) filter (where c.transfer_type = 'capture') over tenant as seq_after
      from closed c
      cross join lateral (
        select w.ctid as wallet_row, w.available, w.held, w.seq, w.updated_at from quipu.wallet w
        where w.tenant_id = c.tenant_id limit 1
      ) w
      window tenant as (partition by c.tenant_id order by c.ended_at, c.ordinality)
    ), ends as (
      insert into quipu.payout_end (tenant_id, payout_id, status, ended_at, error_code,
        error_message, network_payment_id, fence)
      select tenant_id, payout_id, status, coalesce(redated_at, ended_at), error_code,
        error_message, network_payment_id, fence
      from moved
    ), transfers as (
      insert into quipu.transfer (tenant_id, type, debit, credit, amount, payout_id,
        available_after, held_after, seq, created_at)
      select tenant_id, transfer_type, 'held',
        case transfer_type when 'capture' then 'payouts' else 'available' end, amount, payout_id,
        available_after, held_after, case transfer_type when 'capture' then seq_after end, moved_at
      from moved
    ), wallets as (
      update quipu.wallet w
      set available = m.available_after, held = m.held_after, seq = m.seq_after,
        updated_at = m.moved_at
      from moved m
      where m.is_last and w.ctid = m.wallet_row
    ), events as (
      insert into quipu.event (tenant_id, id, type, subject_id, body, occurred_at, recorded_at)
      select tenant_id, coalesce(new_id, event_id), event_type, payout_id,
        case when redated_at is null then event_body else quipu.redated_body(event_body,
          array[id_place, occurred_place, recorded_place, ended_place], new_id, redated_at,
          new_recorded_at) end,
        coalesce(redated_at, occurred_at), new_recorded_at
      from moved
      cross join lateral (
        select greatest(recorded_at, redated_at) as new_recorded_at,
          case when redated_at is not null
            then quipu.uuid_at(event_id, greatest(recorded_at, redated_at)) end as new_id,
          substring(bodies from body_from for body_size) as event_body
      ) e
      where event_id is not null
    )
    select ordinality as place, redated_at from moved
  loop
    verdicts[settled.place] := 'committed';
    if settled.redated_at is not null then
      redated := coalesce(redated, array_fill(null::timestamptz, array[cardinality(batch)]));
      redated[settled.place] := settled.redated_at;
    end if;
  end loop;
end
$$;
