-- Wallets and every transfer between their accounts. Amounts are micro-USDT.

-- The only stored balance: the service's own accounts are the sum of their transfers. The row is
-- also the tenant's mutex: whoever writes money locks it first, tenants in ascending order.
create table quipu.wallet (
  tenant_id text collate "C" primary key references quipu.tenant,
  id text collate "C" not null unique,
  available bigint not null default 0,
  held bigint not null default 0,
  seq bigint not null default 0, -- movements of money so far; a hold is none
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint wallet_not_negative check (least(available, held) >= 0)
) with (fillfactor = 20, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.1);

-- One debit account, one credit account, one amount: balanced by construction. `seq` numbers the
-- movements of a wallet without a gap; a hold or release moves nothing in or out and has none.
create table quipu.transfer (
  tenant_id text collate "C" not null,
  type text not null,
  debit text not null,
  credit text not null,
  amount bigint not null,
  payout_id text collate "C",
  adjustment_id text collate "C",
  deposit_id text collate "C",
  available_after bigint not null,
  held_after bigint not null,
  seq bigint,
  created_at timestamptz not null,
  constraint transfer_sound check (
    amount > 0
    and (seq is null) = (type in ('hold', 'release'))
    and type || ': ' || debit || ' to ' || credit in (
      'hold: available to held',
      'capture: held to payouts',
      'release: held to available',
      'deposit: deposits to available',
      'adjustment_in: adjustments to available',
      'adjustment_out: available to adjustments'
    )
  ),
  constraint transfer_of_deposit check ((deposit_id is not null) = (type = 'deposit'))
) partition by range (created_at);
create table quipu.transfer_default partition of quipu.transfer default;
-- A wallet's time never goes back, so its movements have the same order by time as by `seq`, and
-- every bound in time is one of this index. It also finds a tenant's transfers to add them up.
-- Payouts pay for each index here with every write: they have this one and no other.
create index transfer_newest on quipu.transfer (tenant_id, created_at, seq);
-- Deposits and adjustments, which may be few among millions of payouts.
create index transfer_but_payouts on quipu.transfer (tenant_id, created_at, seq)
  where type in ('deposit', 'adjustment_in', 'adjustment_out');
create trigger append_only before update or delete on quipu.transfer
  for each row execute function quipu.refuse_change();
create trigger never_emptied before truncate on quipu.transfer
  execute function quipu.refuse_change();

-- The books carried forward: the sums of all that a wallet has moved before an instant. With them its
-- books are read in a time that does not grow with its history. A wallet's time never goes back, so
-- whatever is still to come is not before the newest of its transfers, and a closing is for ever.
create table quipu.closing (
  tenant_id text collate "C" not null references quipu.tenant,
  before timestamptz not null,
  deposit numeric not null,
  hold numeric not null,
  capture numeric not null,
  release numeric not null,
  adjustment_in numeric not null,
  adjustment_out numeric not null,
  primary key (tenant_id, before)
);
create trigger append_only before update or delete on quipu.closing
  for each row execute function quipu.refuse_change();
create trigger never_emptied before truncate on quipu.closing
  execute function quipu.refuse_change();

-- Carries the books of a wallet forward by its next `size` transfers, less those of the last instant,
-- to which more may come. Answers false while there are fewer, or when somebody else is just doing it.
--
-- Most of the time there are fewer. That is found out in the index alone, before anything is added up.
--
-- It runs with its owner's rights, so that the processes need no right to write a closing themselves.
create function quipu.close_books(tenant text, size int) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  carried quipu.closing;
  since timestamptz;
  bound timestamptz;
begin
  select * into carried from quipu.closing c where c.tenant_id = tenant
  order by c.before desc limit 1;
  since := coalesce(carried.before, '-infinity');
  select t.created_at into bound from quipu.transfer t
  where t.tenant_id = tenant and t.created_at >= since
  order by t.created_at offset size - 1 limit 1;
  if not found then
    return false;
  end if;

  insert into quipu.closing (tenant_id, before,
    deposit, hold, capture, release, adjustment_in, adjustment_out)
  select tenant, bound,
    coalesce(sum(t.amount) filter (where t.type = 'deposit'), 0) + coalesce(carried.deposit, 0),
    coalesce(sum(t.amount) filter (where t.type = 'hold'), 0) + coalesce(carried.hold, 0),
    coalesce(sum(t.amount) filter (where t.type = 'capture'), 0) + coalesce(carried.capture, 0),
    coalesce(sum(t.amount) filter (where t.type = 'release'), 0) + coalesce(carried.release, 0),
    coalesce(sum(t.amount) filter (where t.type = 'adjustment_in'), 0)
      + coalesce(carried.adjustment_in, 0),
    coalesce(sum(t.amount) filter (where t.type = 'adjustment_out'), 0)
      + coalesce(carried.adjustment_out, 0)
  from quipu.transfer t
  where t.tenant_id = tenant and t.created_at >= since and t.created_at < bound
  having count(*) > 0
  on conflict do nothing;
  return found;
end
$$;

create table quipu.adjustment (
  tenant_id text collate "C" not null references quipu.tenant,
  id text collate "C" not null,
  direction text not null check (direction in ('in', 'out')),
  amount bigint not null check (amount > 0),
  reason text not null,
  actor text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create trigger append_only before update or delete on quipu.adjustment
  for each row execute function quipu.refuse_change();
create trigger never_emptied before truncate on quipu.adjustment
  execute function quipu.refuse_change();

-- Moves an adjustment's amount. `verdict` is `committed`, `stale` (posted before) or
-- `insufficient_balance`; `moved_at` is the time of it by the store's clock.
create function quipu.adjust_wallet(
  tenant text, adjustment text, way text, minor bigint, why text, who text, at timestamptz,
  out verdict text, out moved_at timestamptz
) language plpgsql as $$
declare
  wallet quipu.wallet;
begin
  select * into strict wallet from quipu.wallet w where w.tenant_id = tenant for no key update;
  moved_at := greatest(quipu.store_now(at), wallet.updated_at);
  verdict := case
    when exists (select from quipu.adjustment a where a.tenant_id = tenant and a.id = adjustment)
      then 'stale'
    when way = 'out' and minor > wallet.available then 'insufficient_balance'
    else 'committed'
  end;
  if verdict <> 'committed' then
    return;
  end if;

  wallet.available := wallet.available + case way when 'in' then minor else -minor end;
  wallet.seq := wallet.seq + 1;
  insert into quipu.adjustment (tenant_id, id, direction, amount, reason, actor, created_at)
  values (tenant, adjustment, way, minor, why, who, moved_at);
  insert into quipu.transfer (tenant_id, type, debit, credit, amount, adjustment_id,
    available_after, held_after, seq, created_at)
  values (tenant, 'adjustment_' || way,
    case way when 'in' then 'adjustments' else 'available' end,
    case way when 'in' then 'available' else 'adjustments' end,
    minor, adjustment, wallet.available, wallet.held, wallet.seq, moved_at);
  update quipu.wallet w
  set available = wallet.available, seq = wallet.seq, updated_at = moved_at
  where w.tenant_id = tenant;
end
$$;
