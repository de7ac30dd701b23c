-- Thresholds of balances: an event reports once that less is available, and once that it is enough again. The
-- worker compares, so a payout does not wait for it. See docs/decisions/balance-thresholds.md.

-- A wallet's threshold. One row a wallet that has or had one.
create table quipu.balance_threshold (
  tenant_id text collate "C" primary key references quipu.tenant,
  amount bigint check (amount > 0), -- null: none
  is_low boolean not null default false -- as the wallet's newest event of it says
);
create trigger refuse_moved before insert or update on quipu.balance_threshold
  for each row execute function quipu.refuse_moved_row('tenant_id');

-- A wallet as `walletBalanceToJson` in packages/wire has it.
create function quipu.balance_json(w quipu.wallet, threshold bigint) returns text
language sql stable
return format('{"id":%s,"currency":"USDT","available":"%s","held":"%s","total":"%s","low_balance_threshold":%s}',
  to_json(w.id), w.available * 0.000001, w.held * 0.000001, (w.available::numeric + w.held) * 0.000001,
  coalesce(to_json((threshold * 0.000001)::text)::text, 'null'));

-- Logs the event of a balance that has crossed its threshold since the newest one. Returns whether it has. The caller
-- has locked the wallet.
create function quipu.record_crossing(tenant text, moment timestamptz) returns boolean
language plpgsql as $$
declare
  w quipu.wallet;
  t quipu.balance_threshold;
begin
  select * into strict w from quipu.wallet where tenant_id = tenant;
  update quipu.balance_threshold b set is_low = not b.is_low
  where b.tenant_id = tenant and b.is_low <> coalesce(w.available < b.amount, false) and w.moved_to is null
  returning * into t;
  if not found then
    return false;
  end if;
  perform quipu.log_funding(tenant, case when t.is_low then 'wallet.balance_low' else 'wallet.balance_restored' end, w.id,
    null, null, quipu.next_logged_at(tenant, moment), uuidv7(), null, quipu.balance_json(w, t.amount));
  perform quipu.signal_deliveries(array[tenant]);
  return true;
end
$$;

-- Sets the threshold of a wallet; null removes it.
create function quipu.set_balance_threshold(tenant text, threshold bigint, clock_override timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform quipu.lock_wallets(array[tenant]);
  insert into quipu.balance_threshold as b (tenant_id, amount) values (tenant, threshold)
  on conflict (tenant_id) do update set amount = excluded.amount;
  perform quipu.record_crossing(tenant, quipu.store_now(clock_override));
end
$$;

-- Records at most `most` crossings, in the order of the tenants. Returns how many. Reads a row of each threshold and its
-- wallet before it locks those that have crossed.
create function quipu.record_crossings(most int, clock_override timestamptz) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  crossed text[] := array(
    select b.tenant_id from quipu.balance_threshold b
    cross join lateral (select * from quipu.wallet w where w.tenant_id = b.tenant_id limit 1) w
    where b.is_low <> coalesce(w.available < b.amount, false) and w.moved_to is null
    order by b.tenant_id limit most
  );
begin
  perform quipu.lock_wallets(crossed);
  return (
    select count(*) filter (where quipu.record_crossing(c.id, quipu.store_now(clock_override)))
    from unnest(crossed) c (id)
  );
end
$$;
