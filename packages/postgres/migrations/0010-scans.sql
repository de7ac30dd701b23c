-- The writes of a chain's scans.

-- Claims a scan and returns its position. No row when another worker's lease has not ended.
create function quipu.claim_scan(chain text, view text, lease_seconds float8, clock_override timestamptz)
returns table (fencing_token int, block_number bigint, block_id text, block_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  moment timestamptz := quipu.store_now(clock_override);
  lease_end timestamptz := quipu.due_after(moment, lease_seconds);
begin
  return query
  insert into quipu.scan as s (chain, view, fencing_token, leased_until)
  values (claim_scan.chain, claim_scan.view, 1, lease_end)
  on conflict (chain, view) do update
  set fencing_token = s.fencing_token + 1, leased_until = excluded.leased_until
  where s.leased_until <= moment
  returning s.fencing_token, s.block_number, s.block_id, s.block_at;
end
$$;

-- Extends a scan's lease. Returns false when the claim is not the newest, as do the next two functions.
create function quipu.renew_scan(chain text, view text, fencing_token int, lease_seconds float8,
  clock_override timestamptz)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  lease_end timestamptz := quipu.due_after(quipu.store_now(clock_override), lease_seconds);
begin
  update quipu.scan s set leased_until = lease_end
  where s.chain = renew_scan.chain and s.view = renew_scan.view and s.fencing_token = renew_scan.fencing_token;
  return found;
end
$$;

create function quipu.yield_scan(chain text, view text, fencing_token int) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update quipu.scan s set leased_until = '-infinity'
  where s.chain = yield_scan.chain and s.view = yield_scan.view and s.fencing_token = yield_scan.fencing_token;
  return found;
end
$$;

-- Moves the head's scan back, after a fork, to an older scanned block or to the last solid block.
create function quipu.rewind_scan(chain text, fencing_token int, from_number bigint, from_id text,
  to_number bigint, to_id text, to_at timestamptz)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update quipu.scan s set block_number = to_number, block_id = to_id, block_at = to_at
  where s.chain = rewind_scan.chain and s.view = 'head' and s.fencing_token = rewind_scan.fencing_token
    and s.block_number = from_number and s.block_id = from_id;
  if not found then
    return false;
  end if;
  delete from quipu.scanned_block b where b.chain = rewind_scan.chain and b.number > to_number;
  return true;
end
$$;

-- Adds consecutive blocks (number, id, at) to a scan. Returns false when the claim is not the newest, or the scan is
-- not at the block that they follow.
--
-- Locks both scans of the chain, so that the observation and the decision of a transfer are serialized.
create function quipu.add_blocks(chain text, view text, fencing_token int, from_number bigint, from_id text, blocks jsonb)
returns boolean language plpgsql as $$
declare
  last record;
begin
  select b.* into strict last from jsonb_to_recordset(blocks) b (number bigint, id text, at timestamptz)
  order by b.number desc limit 1;
  perform from quipu.scan s where s.chain = add_blocks.chain order by s.view for no key update;
  update quipu.scan s set block_number = last.number, block_id = last.id, block_at = last.at
  where s.chain = add_blocks.chain and s.view = add_blocks.view and s.fencing_token = add_blocks.fencing_token
    and s.block_number is not distinct from from_number
    and s.block_id is not distinct from from_id;
  if not found then
    return false;
  end if;
  if exists (
    select from jsonb_to_recordset(blocks) b (number bigint)
    having count(distinct b.number) <> count(*) or max(b.number) - min(b.number) + 1 <> count(*)
      or min(b.number) <> from_number + 1
  ) then
    raise exception 'the blocks do not follow block %', from_number using errcode = 'check_violation';
  end if;
  if view = 'head' then
    insert into quipu.scanned_block (chain, number, id, at)
    select add_blocks.chain, b.number, b.id, b.at
    from jsonb_to_recordset(blocks) b (number bigint, id text, at timestamptz);
  else
    delete from quipu.scanned_block b where b.chain = add_blocks.chain and b.number <= last.number;
  end if;
  return true;
end
$$;

-- Decides a transfer that a solid block shows. Confirms its deposit with the solid block's data, and makes it
-- due; a deposit of the same transfer at another address becomes `gone`. Keeps earlier decisions of solid
-- blocks. `is_new`: the caller inserts a deposit. `contradicts`: earlier solid blocks decided differently.
create function quipu.confirm_transfer(
  chain text, hash text, transfer_index int, address text, from_address text, sender text, amount numeric,
  block bigint, moment timestamptz, out is_new boolean, out contradicts boolean
) language plpgsql as $$
declare
  known record;
begin
  select d.id, d.tenant_id, d.address, d.solid into known from quipu.deposit d
  where d.chain = confirm_transfer.chain and d.tx_hash = hash and d.transfer_index = confirm_transfer.transfer_index
    and d.solid is distinct from 'gone';
  if known.solid = 'confirmed' then
    is_new := false;
    contradicts := known.address <> confirm_transfer.address;
    return;
  end if;
  is_new := known.address is distinct from confirm_transfer.address;
  contradicts := exists (
    select from quipu.deposit d
    where d.chain = confirm_transfer.chain and d.tx_hash = hash and d.transfer_index = confirm_transfer.transfer_index
      and d.solid = 'gone' and d.address = confirm_transfer.address
  );
  if is_new then
    update quipu.deposit d set solid = 'gone', solid_at = moment, due_at = moment
    where d.id = known.id and d.tenant_id = known.tenant_id;
  else
    update quipu.deposit d
    set from_address = confirm_transfer.from_address, sender = confirm_transfer.sender, amount = confirm_transfer.amount,
      solid = 'confirmed', solid_block = block, solid_at = moment, due_at = moment
    where d.id = known.id and d.tenant_id = known.tenant_id;
  end if;
end
$$;

-- Adds consecutive blocks to a scan, with the transfers observed in them. Returns null when nothing is
-- written (see `add_blocks`); else the places, from 1, of the observed transfers that contradict earlier
-- solid blocks.
--
-- Locks the wallets of the observed transfers' tenants, then the scans, then deposits. A deposit that becomes
-- `gone` can belong to a tenant whose wallet is not locked; no worker can have claimed it, as no solid block
-- had decided it.
--
-- `gone` has the transfers (tx_hash, transfer_index) that these blocks rule out, `transfers` the observed ones, each
-- with the id and the trace of its event.
create function quipu.advance_scan(
  chain text, view text, fencing_token int, from_number bigint, from_id text, blocks jsonb, gone jsonb, transfers jsonb,
  clock_override timestamptz
) returns int[] language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
  is_solid boolean := view = 'solid';
  contradicted int[] := '{}';
  logged text[] := '{}'; -- tenants with a new entry
  observed record;
  decided record;
  opened quipu.deposit;
begin
  perform quipu.lock_wallets(array(select t.tenant_id from jsonb_to_recordset(transfers) t (tenant_id text)));
  if not quipu.add_blocks(chain, view, advance_scan.fencing_token, from_number, from_id, blocks) then
    return null;
  end if;
  for observed in select * from jsonb_to_recordset(gone) g (tx_hash text, transfer_index int) loop
    update quipu.deposit d set solid = 'gone', solid_at = moment, due_at = moment
    where is_solid and d.chain = advance_scan.chain and d.tx_hash = observed.tx_hash
      and d.transfer_index = observed.transfer_index and d.solid is null;
  end loop;

  for observed in
    select i.* from rows from (jsonb_to_recordset(transfers) as (deposit_id text, tenant_id text, tx_hash text,
      transfer_index int, address text, from_address text, sender text, amount numeric, block_number bigint,
      created_at timestamptz, expires_at timestamptz, occurred_at timestamptz, recorded_at timestamptz,
      event_id uuid, traceparent text)) with ordinality
      i (deposit_id, tenant_id, tx_hash, transfer_index, address, from_address, sender, amount,
        block_number, created_at, expires_at, occurred_at, recorded_at, event_id, traceparent, place)
    order by i.place
  loop
    if is_solid then
      select * into decided from quipu.confirm_transfer(chain, observed.tx_hash, observed.transfer_index,
        observed.address, observed.from_address, observed.sender, observed.amount, observed.block_number, moment);
      if decided.contradicts then
        contradicted := array_append(contradicted, observed.place::int);
      end if;
      continue when not decided.is_new;
    else
      continue when exists (
        select from quipu.deposit d
        where d.chain = advance_scan.chain and d.tx_hash = observed.tx_hash
          and d.transfer_index = observed.transfer_index
      );
    end if;
    perform quipu.require_plausible(observed.created_at), quipu.require_plausible(observed.occurred_at);
    insert into quipu.deposit (id, tenant_id, chain, tx_hash, transfer_index, address, from_address,
      sender, amount, created_at, first_block, expires_at, solid, solid_block,
      solid_at, due_at)
    values (observed.deposit_id, observed.tenant_id, chain, observed.tx_hash, observed.transfer_index,
      observed.address, observed.from_address, observed.sender, observed.amount, observed.created_at,
      observed.block_number, observed.expires_at, case when is_solid then 'confirmed' end,
      case when is_solid then observed.block_number end, case when is_solid then moment end,
      case when is_solid then moment end)
    returning * into opened;
    perform quipu.log_funding(opened.tenant_id, 'deposit.pending', opened.id, null, observed.occurred_at,
      quipu.next_logged_at(opened.tenant_id, observed.recorded_at), observed.event_id, observed.traceparent,
      quipu.deposit_json(opened));
    logged := array_append(logged, observed.tenant_id);
  end loop;
  if cardinality(logged) > 0 then
    perform quipu.signal_deliveries(array(select distinct unnest(logged)));
  end if;
  return contradicted;
end
$$;
