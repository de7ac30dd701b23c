-- The two writes of payouts. Each takes a batch, decides it item by item and answers one word an
-- item, in the order given. Both lock the wallets first, tenants ascending; the statements that
-- follow see all that earlier holders of those locks have committed.
--
-- Their plans must not depend on statistics: the tables grow from nothing to millions between two
-- analyses, and a plan made for an empty table would be kept. So: index lookups, always.

-- A new payout: applied when `hold` is set, otherwise ended before it was applied.
create type quipu.opening as (
  ord int,
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
  body_size int,
  -- decided here
  verdict text,
  available_after bigint,
  held_after bigint,
  moved_at timestamptz
);

create function quipu.open_payouts(items jsonb, bodies bytea, at timestamptz) returns text[]
language plpgsql
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off
set plan_cache_mode to force_generic_plan
as $$
declare
  batch quipu.opening[];
  moment timestamptz;
  item record;
  verdict text;
  tenant text collate "C" := '';
  free bigint;
  reserved bigint;
  transaction_ids text[];
  quote_ids uuid[];
begin
  select array_agg(i order by i.tenant_id, i.ord) into batch
  from jsonb_populate_recordset(null::quipu.opening, items) i;

  perform from quipu.wallet w
  where w.tenant_id = any (array(select distinct i.tenant_id from unnest(batch) i))
  order by w.tenant_id
  for no key update;
  moment := quipu.store_now(at);

  for item in
    select i.ordinality as place, i.tenant_id, i.transaction_id, i.quote_id, i.hold,
      w.available, w.held, greatest(w.updated_at, moment) as moved_at,
      exists (
        select from quipu.payout p
        where p.tenant_id = i.tenant_id and p.transaction_id = i.transaction_id
      ) as taken,
      q.payout_id is not null as used,
      coalesce(q.expires_at <= moment, true) as expired -- a quote that is gone has long expired
    from unnest(batch) with ordinality i
    left join quipu.wallet w on w.tenant_id = i.tenant_id
    left join quipu.quote q on q.tenant_id = i.tenant_id and q.id = i.quote_id
    order by i.ordinality
  loop
    if item.tenant_id <> tenant then
      tenant := item.tenant_id;
      free := item.available;
      reserved := item.held;
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
    if verdict = 'committed' then
      transaction_ids := array_append(transaction_ids, item.transaction_id);
      if item.hold is not null then
        quote_ids := array_append(quote_ids, item.quote_id);
        free := free - item.hold;
        reserved := reserved + item.hold;
      end if;
    end if;
    batch[item.place].verdict := verdict;
    batch[item.place].available_after := free;
    batch[item.place].held_after := reserved;
    batch[item.place].moved_at := item.moved_at;
  end loop;

  with opened as materialized (
    select * from unnest(batch) with ordinality i where i.verdict = 'committed'
  ), payouts as (
    insert into quipu.payout (tenant_id, id, transaction_id, fingerprint, quote_id, resolution_id,
      target, created_at, applied, qr_mode, merchant_name, bank_code, network_ref)
    select tenant_id, payout_id, transaction_id, fingerprint, quote_id, resolution_id,
      target, created_at, hold is not null, qr_mode, merchant_name, bank_code, network_ref
    from opened
  ), queued as (
    insert into quipu.payout_open (tenant_id, payout_id, fence, leased, due_at, asked)
    select tenant_id, payout_id, 1, true, moment + make_interval(secs => lease_seconds), 0
    from opened where hold is not null
  ), quotes as (
    update quipu.quote q set payout_id = o.payout_id
    from opened o
    where o.hold is not null and q.tenant_id = o.tenant_id and q.id = o.quote_id
  ), holds as (
    insert into quipu.transfer (tenant_id, type, debit, credit, amount, payout_id,
      available_after, held_after, created_at)
    select tenant_id, 'hold', 'available', 'held', hold, payout_id,
      available_after, held_after, moved_at
    from opened where hold is not null order by ordinality
  ), wallets as (
    update quipu.wallet w
    set available = o.available_after, held = o.held_after, updated_at = o.moved_at
    from (
      select distinct on (tenant_id) tenant_id, available_after, held_after, moved_at
      from opened where hold is not null
      order by tenant_id, ordinality desc
    ) o
    where w.tenant_id = o.tenant_id
  ), ends as (
    insert into quipu.payout_end (tenant_id, payout_id, status, created_at, ended_at, error_code,
      error_message)
    select tenant_id, payout_id, status, created_at, ended_at, error_code, error_message
    from opened where hold is null
  )
  insert into quipu.event (tenant_id, id, type, subject_id, body, occurred_at, recorded_at)
  select tenant_id, event_id, event_type, payout_id, substring(bodies from body_from for body_size),
    occurred_at, recorded_at
  from opened where event_id is not null;

  return array(select i.verdict from unnest(batch) i order by i.ord);
end
$$;

-- The end of a payout in `processing`, by the holder of its newest claim.
create type quipu.settlement as (
  ord int,
  tenant_id text collate "C",
  payout_id text collate "C",
  fence int,
  created_at timestamptz,
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
  body_from int,
  body_size int
);

create function quipu.settle_payouts(items jsonb, bodies bytea, at timestamptz) returns text[]
language plpgsql
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off
set plan_cache_mode to force_generic_plan
as $$
declare
  batch quipu.settlement[];
  moment timestamptz;
  settled int[];
begin
  select array_agg(i) into batch from jsonb_populate_recordset(null::quipu.settlement, items) i;

  perform from quipu.wallet w
  where w.tenant_id = any (array(select distinct i.tenant_id from unnest(batch) i))
  order by w.tenant_id
  for no key update;
  moment := quipu.store_now(at);

  with wanted as materialized (
    select distinct on (i.tenant_id, i.payout_id, i.fence) *
    from unnest(batch) i order by i.tenant_id, i.payout_id, i.fence, i.ord
  ), closed as materialized (
    delete from quipu.payout_open o using wanted i
    where o.payout_id = i.payout_id and o.tenant_id = i.tenant_id and o.fence = i.fence
    returning i.*
  ), moved as materialized (
    select c.*,
      w.available + coalesce(sum(c.amount) filter (where c.transfer_type = 'release') over tenant, 0)
        as available_after,
      w.held - sum(c.amount) over tenant as held_after,
      w.seq + count(*) filter (where c.transfer_type = 'capture') over tenant as seq_after,
      greatest(w.updated_at, moment) as moved_at
    from closed c join quipu.wallet w on w.tenant_id = c.tenant_id
    window tenant as (partition by c.tenant_id order by c.ord)
  ), ends as (
    insert into quipu.payout_end (tenant_id, payout_id, status, created_at, ended_at, error_code,
      error_message, network_payment_id, fence)
    select tenant_id, payout_id, status, created_at, ended_at, error_code,
      error_message, network_payment_id, fence
    from moved
  ), transfers as (
    insert into quipu.transfer (tenant_id, type, debit, credit, amount, payout_id,
      available_after, held_after, seq, created_at)
    select tenant_id, transfer_type, 'held',
      case transfer_type when 'capture' then 'payouts' else 'available' end, amount, payout_id,
      available_after, held_after, case transfer_type when 'capture' then seq_after end, moved_at
    from moved order by tenant_id, ord
  ), wallets as (
    update quipu.wallet w
    set available = m.available_after, held = m.held_after, seq = m.seq_after,
      updated_at = m.moved_at
    from (select distinct on (tenant_id) * from moved order by tenant_id, ord desc) m
    where w.tenant_id = m.tenant_id
  ), events as (
    insert into quipu.event (tenant_id, id, type, subject_id, body, occurred_at, recorded_at)
    select tenant_id, event_id, event_type, payout_id,
      substring(bodies from body_from for body_size), occurred_at, recorded_at
    from moved where event_id is not null
  )
  select array_agg(ord) into settled from moved;

  return array(
    select case when i.ord = any (settled) then 'committed' else 'stale' end
    from unnest(batch) i order by i.ord
  );
end
$$;
