-- Where the scans of a chain are, what they have found, and what became of it.

-- One row a view: its last block, and who may scan on from there.
create table quipu.scan (
  chain text collate "C" not null,
  view text collate "C" not null check (view in ('head', 'solid')),
  block_number bigint, -- null, as the next two, before the first block
  block_id text collate "C",
  block_at timestamptz,
  fence int not null,
  leased_until timestamptz not null,
  primary key (chain, view),
  constraint scan_at_block check (num_nulls(block_number, block_id, block_at) in (0, 3))
) with (fillfactor = 20);

-- The head's blocks above the last solid one, to go back to when a fork takes the newest away.
create table quipu.scanned_block (
  chain text collate "C" not null,
  number bigint not null,
  id text collate "C" not null,
  at timestamptz not null,
  primary key (chain, number)
);

-- What solid blocks say of a transfer decides, once: `confirmed` or `gone`. Until then its deposit
-- is what the head has shown. The lease is on its settling, for as long as `due_at` is not past.
create table quipu.deposit (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  chain text collate "C" not null,
  tx_hash text collate "C" not null,
  transfer_index int not null check (transfer_index >= 0),
  address text collate "C" not null,
  from_address text not null,
  sender text not null, -- as the chain's logs name it
  amount numeric(78) not null check (amount > 0), -- a token may claim to have moved 2^256 - 1
  created_at timestamptz not null,
  first_block bigint not null,
  expires_at timestamptz not null,
  solid text collate "C" check (solid in ('confirmed', 'gone')),
  solid_block bigint,
  due_at timestamptz,
  fence int not null default 0,
  asked int not null default 0,
  status text collate "C" not null default 'pending',
  credited_at timestamptz,
  review_code text, -- kept when a person credits it
  closed_at timestamptz,
  closed_by text,
  close_reason text,
  foreign key (tenant_id, address, chain)
    references quipu.top_up_address (tenant_id, address, chain),
  constraint deposit_decided check ((solid_block is not null) = (solid is not distinct from 'confirmed')),
  constraint deposit_due check ((due_at is not null) = (status = 'pending' and solid is not null)),
  constraint deposit_sound check (
    case status
      when 'pending' then num_nonnulls(credited_at, review_code, closed_at, closed_by, close_reason) = 0
      when 'credited' then credited_at is not null and solid is not distinct from 'confirmed'
        and amount <= 9223372036854775807
        and num_nonnulls(closed_at, closed_by, close_reason) = 0
      when 'in_review' then credited_at is null and review_code is not null and solid is not null
        and (review_code = 'TRANSFER_DROPPED') = (solid = 'gone')
        and num_nonnulls(closed_at, closed_by, close_reason) in (0, 3)
      else false
    end
  )
);
-- A transfer has at most one deposit that is not gone; its first columns find them all.
create unique index deposit_transfer on quipu.deposit
  (tx_hash, transfer_index, chain, (case when solid = 'gone' then id else '' end));
create index deposit_newest on quipu.deposit (tenant_id, id);
create index deposit_newest_by_status on quipu.deposit (tenant_id, status, id);
create index deposit_uncredited on quipu.deposit (id) where status <> 'credited';
create index deposit_open_review on quipu.deposit (id)
  where status = 'in_review' and closed_at is null;
create index deposit_due on quipu.deposit (due_at) where due_at is not null;
create index deposit_unconfirmed on quipu.deposit (chain, first_block)
  where status = 'pending' and solid is null;

create trigger seen_once before update or delete on quipu.deposit
  for each row execute function quipu.refuse_change_but('from_address', 'sender', 'amount',
    'solid', 'solid_block', 'due_at', 'fence', 'asked', 'status', 'credited_at', 'review_code',
    'closed_at', 'closed_by', 'close_reason');
create trigger decided_once before update on quipu.deposit
  for each row when (
    old.solid is not null and (new.solid, new.solid_block, new.from_address, new.sender, new.amount)
      is distinct from (old.solid, old.solid_block, old.from_address, old.sender, old.amount)
  ) execute function quipu.refuse_step();
create trigger reviewed_once before update on quipu.deposit
  for each row when (
    old.status = 'in_review'
    and (new.status = 'pending' or new.review_code is distinct from old.review_code)
  ) execute function quipu.refuse_step();
create trigger ended_once before update on quipu.deposit
  for each row when (old.status = 'credited' or old.closed_at is not null)
  execute function quipu.refuse_step();
create trigger never_emptied before truncate on quipu.deposit
  execute function quipu.refuse_change();

-- The one credit of a deposit, once and for all: transfers are partitioned by time and cannot say so.
create table quipu.deposit_credit (
  deposit_id text collate "C" primary key references quipu.deposit,
  tenant_id text collate "C" not null,
  seq bigint not null, -- the transfer's
  -- The amount, where one provider alone had shown the transfer. Such credits are bounded.
  unverified bigint check (unverified > 0),
  credited_at timestamptz not null, -- by the database's clock
  unique (tenant_id, seq)
);
create index unverified_deposit_credit on quipu.deposit_credit (credited_at)
  include (tenant_id, unverified) where unverified is not null;
create trigger append_only before update or delete on quipu.deposit_credit
  for each row execute function quipu.refuse_change();
create trigger never_emptied before truncate on quipu.deposit_credit
  execute function quipu.refuse_change();

-- Has no rows: who commits an unverified credit locks the table, so that one after another is summed.
create table quipu.unverified_credit_lock ();

-- A transfer to a top-up address, as a block shows it, and the event that tells of it.
create type quipu.sighting as (
  deposit_id text collate "C",
  tenant_id text collate "C",
  tx_hash text collate "C",
  transfer_index int,
  address text collate "C",
  from_address text,
  sender text,
  amount numeric,
  created_at timestamptz,
  block bigint,
  expires_at timestamptz,
  event_id uuid,
  event_type text,
  occurred_at timestamptz,
  recorded_at timestamptz,
  body bytea
);

-- Adds blocks in a row to a scan, with what they show. Null when the claim is not the newest or the
-- scan is not where the blocks go on from; otherwise the places, counted from 1, of the sightings by
-- which solid blocks contradict what they have decided before.
--
-- Whoever writes locks both scans of the chain, so that what one sees and the other decides of a
-- transfer comes one after the other.
create function quipu.advance_scan(
  chain_ text, view_ text, fence_ int, from_number bigint, from_id text,
  numbers bigint[], ids text[], times timestamptz[],
  sightings jsonb, gone_hashes text[], gone_indexes int[], at timestamptz
) returns int[] language plpgsql as $$
declare
  last int := cardinality(numbers);
  moment timestamptz := quipu.store_now(at);
  contradicted int[] := '{}';
  s record;
  deposit quipu.deposit;
begin
  perform from quipu.scan sc where sc.chain = chain_ order by sc.view for no key update;
  update quipu.scan sc
  set block_number = numbers[last], block_id = ids[last], block_at = times[last]
  where sc.chain = chain_ and sc.view = view_ and sc.fence = fence_
    and sc.block_number is not distinct from from_number
    and sc.block_id is not distinct from from_id;
  if not found then
    return null;
  end if;

  if view_ = 'head' then
    insert into quipu.scanned_block (chain, number, id, at)
    select chain_, b.number, b.id, b.at from unnest(numbers, ids, times) b (number, id, at);
  else
    delete from quipu.scanned_block b where b.chain = chain_ and b.number <= numbers[last];
    update quipu.deposit d set solid = 'gone', due_at = moment
    from unnest(gone_hashes, gone_indexes) g (tx_hash, transfer_index)
    where d.chain = chain_ and d.tx_hash = g.tx_hash and d.transfer_index = g.transfer_index
      and d.solid is null;
  end if;

  for s in
    select * from rows from (jsonb_populate_recordset(null::quipu.sighting, sightings))
      with ordinality
  loop
    if view_ = 'head' then
      continue when exists (
        select from quipu.deposit d
        where d.chain = chain_ and d.tx_hash = s.tx_hash and d.transfer_index = s.transfer_index
      );
    else
      select * into deposit from quipu.deposit d
      where d.chain = chain_ and d.tx_hash = s.tx_hash and d.transfer_index = s.transfer_index
        and d.solid is distinct from 'gone';
      if deposit.solid = 'confirmed' then
        if deposit.address <> s.address then
          contradicted := contradicted || s.ordinality::int;
        end if;
        continue;
      end if;
      if exists (
        select from quipu.deposit d
        where d.chain = chain_ and d.tx_hash = s.tx_hash and d.transfer_index = s.transfer_index
          and d.solid = 'gone' and d.address = s.address
      ) then
        contradicted := contradicted || s.ordinality::int;
      end if;
      if deposit.address = s.address then
        update quipu.deposit d
        set from_address = s.from_address, sender = s.sender, amount = s.amount,
          solid = 'confirmed', solid_block = s.block, due_at = moment
        where d.id = deposit.id;
        continue;
      end if;
      update quipu.deposit d set solid = 'gone', due_at = moment where d.id = deposit.id;
    end if;

    insert into quipu.deposit (id, tenant_id, chain, tx_hash, transfer_index, address, from_address,
      sender, amount, created_at, first_block, expires_at, solid, solid_block, due_at)
    values (s.deposit_id, s.tenant_id, chain_, s.tx_hash, s.transfer_index, s.address,
      s.from_address, s.sender, s.amount, s.created_at, s.block, s.expires_at,
      case view_ when 'solid' then 'confirmed' end, case view_ when 'solid' then s.block end,
      case view_ when 'solid' then moment end);
    insert into quipu.event (tenant_id, id, type, subject_id, body, occurred_at, recorded_at)
    values (s.tenant_id, s.event_id, s.event_type, s.deposit_id, s.body, s.occurred_at,
      s.recorded_at);
  end loop;
  return contradicted;
end
$$;

-- What ends a deposit, as a worker or an operator decided it. `fence_` is the worker's; an operator
-- has none. The verdict is `committed` or `stale`; `known` when this very write was committed before,
-- which only `repeated` asks for; `above_unverified_limit` when limits are given and this credit with the
-- unverified ones of the last 24 hours exceeds one of them. `redated` is the instant of a credit that is
-- dated later than `ended_at`, as `quipu.settle_payouts` does it; null when it has its own.
create function quipu.end_deposit(
  tenant text, deposit_ text, fence_ int, repeated boolean,
  status_ text, minor bigint, ended_at timestamptz, review_code_ text, actor text, reason text,
  event_id uuid, event_type text, occurred_at timestamptz, recorded_at timestamptz, body bytea,
  places int[], tenant_limit bigint, limit_in_all bigint, at timestamptz,
  out verdict text, out redated timestamptz
) language plpgsql as $$
declare
  moment timestamptz := quipu.store_now(at);
  wallet quipu.wallet;
  deposit quipu.deposit;
  of_tenant numeric;
  in_all numeric;
  is_open boolean;
  is_known boolean;
begin
  select * into strict wallet from quipu.wallet w where w.tenant_id = tenant for no key update;
  select * into deposit from quipu.deposit d
  where d.id = deposit_ and d.tenant_id = tenant for no key update;
  is_open := case when fence_ is null
    then deposit.status = 'in_review' and deposit.closed_at is null
    else deposit.status = 'pending' and deposit.fence = fence_
  end;
  if is_open is not true then
    if deposit.credited_at > ended_at and status_ = 'credited' then
      redated := deposit.credited_at;
      recorded_at := greatest(recorded_at, redated);
      event_id := quipu.uuid_at(event_id, recorded_at);
    end if;
    is_known := repeated and case when event_id is null
      then deposit.closed_at = ended_at and deposit.closed_by = actor
      else exists (
        select from quipu.event e
        where e.tenant_id = tenant and e.type = event_type
          and e.recorded_at = end_deposit.recorded_at and e.id = event_id and e.subject_id = deposit_
      )
    end;
    verdict := case when is_known then 'known' else 'stale' end;
    return;
  end if;

  if status_ = 'credited' and tenant_limit is not null then
    lock table quipu.unverified_credit_lock in share row exclusive mode;
    select coalesce(sum(c.unverified) filter (where c.tenant_id = tenant), 0),
      coalesce(sum(c.unverified), 0)
    into strict of_tenant, in_all
    from quipu.deposit_credit c
    where c.unverified is not null and c.credited_at > moment - interval '24 hours';
    if of_tenant + minor > tenant_limit or in_all + minor > limit_in_all then
      verdict := 'above_unverified_limit';
      return;
    end if;
  end if;

  if status_ = 'credited' and ended_at < wallet.updated_at then
    redated := wallet.updated_at;
    ended_at := redated;
    occurred_at := redated;
    recorded_at := greatest(recorded_at, redated);
    event_id := quipu.uuid_at(event_id, recorded_at);
    body := quipu.redated_body(body, places, event_id, occurred_at, recorded_at);
  end if;

  update quipu.deposit d
  set status = status_, due_at = null,
    credited_at = case status_ when 'credited' then ended_at end,
    review_code = coalesce(d.review_code, review_code_),
    closed_at = case when actor is not null then ended_at end,
    closed_by = actor, close_reason = reason
  where d.id = deposit_;

  if status_ = 'credited' then
    if minor <> deposit.amount then
      raise exception 'deposit % is of %, not %', deposit_, deposit.amount, minor;
    end if;
    insert into quipu.deposit_credit (deposit_id, tenant_id, seq, unverified, credited_at)
    values (deposit_, tenant, wallet.seq + 1, case when tenant_limit is not null then minor end,
      moment);
    insert into quipu.transfer (tenant_id, type, debit, credit, amount, deposit_id,
      available_after, held_after, seq, created_at)
    values (tenant, 'deposit', 'deposits', 'available', minor, deposit_,
      wallet.available + minor, wallet.held, wallet.seq + 1, ended_at);
    update quipu.wallet w
    set available = wallet.available + minor, seq = wallet.seq + 1, updated_at = ended_at
    where w.tenant_id = tenant;
  end if;
  if event_id is not null then
    insert into quipu.event (tenant_id, id, type, subject_id, body, occurred_at, recorded_at)
    values (tenant, event_id, event_type, deposit_, body, occurred_at, recorded_at);
  end if;
  verdict := 'committed';
end
$$;
