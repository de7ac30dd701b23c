-- The positions of a chain's scans, and the deposits that they found. Written by the functions in
-- 0009-funding.sql and 0010-scans.sql.

-- One row a view: its last scanned block, and the claim on scanning further.
create table quipu.scan (
  chain text collate "C" not null,
  view text collate "C" not null check (view in ('head', 'solid')),
  block_number bigint, -- this and the next two are null before the first block
  block_id text collate "C",
  block_at timestamptz,
  fencing_token int not null,
  leased_until timestamptz not null,
  primary key (chain, view),
  constraint scan_at_block check (num_nulls(block_number, block_id, block_at) in (0, 3))
) with (fillfactor = 20); -- two rows that change all the time: free space keeps the updates heap-only (HOT)

-- The head's blocks above the last solid one. After a fork the head's scan goes back to one of them.
create table quipu.scanned_block (
  chain text collate "C" not null,
  number bigint not null,
  id text collate "C" not null,
  at timestamptz not null,
  primary key (chain, number)
);

-- Solid blocks decide a transfer once: `confirmed` or `gone`. Until then the row has what the head has shown.
-- A claim is on settling the deposit, and its lease ends at `due_at`.
create table quipu.deposit (
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  chain text collate "C" not null,
  tx_hash text collate "C" not null,
  transfer_index int not null check (transfer_index >= 0),
  address text collate "C" not null,
  from_address text not null,
  sender text not null, -- the sender in the format of the chain's logs
  amount numeric(78) not null check (amount > 0 and amount < 'NaN'), -- a token may claim to have moved 2^256 - 1
  created_at timestamptz not null,
  first_block bigint not null check (first_block between 0 and 1000000000000), -- a node refuses others
  expires_at timestamptz not null check (isfinite(expires_at)),
  solid text collate "C" check (solid in ('confirmed', 'gone')),
  solid_block bigint,
  solid_at timestamptz, -- when the scan decided it, by the store's clock
  due_at timestamptz,
  fencing_token int not null default 0,
  claim_count int not null default 0,
  problem text, -- why the last attempt has not settled it
  status text collate "C" not null default 'pending',
  credited_at timestamptz,
  review_code text, -- kept when an operator credits it
  closed_at timestamptz,
  closed_by text, -- null when the commit that would have opened the review closed it
  close_reason text,
  -- When it was credited, by the store's clock, if only one provider had shown the transfer. Limits apply to
  -- the sum of such credits.
  unverified_at timestamptz,
  screened_by text, -- the answer of screening that its settlement rests on; null when nobody was screened
  primary key (id, tenant_id),
  foreign key (tenant_id, address, chain)
    references quipu.top_up_address (tenant_id, address, chain),
  constraint deposit_decided check ((solid_block is not null) = (solid is not distinct from 'confirmed')),
  -- A worker decides it: again and again while its address fails the integrity check, or its sender is not screened.
  constraint deposit_due check ((due_at is not null) = (solid is not null and (status = 'pending'
    or (status = 'in_review' and review_code in ('ADDRESS_NOT_VERIFIED', 'SENDER_NOT_SCREENED')
      and closed_at is null)))),
  constraint deposit_dust check (closed_by is not null or closed_at is null
    or (close_reason = 'DUST' and amount < 1000000)), -- not the minimum: the most that is ever dust
  constraint deposit_unverified check (unverified_at is null or status = 'credited'),
  constraint deposit_sound check (
    case status
      when 'pending' then num_nonnulls(credited_at, review_code, closed_at, closed_by, close_reason) = 0
      when 'credited' then credited_at is not null and solid is not distinct from 'confirmed'
        and amount <= 9223372036854775807
        and num_nonnulls(closed_at, closed_by, close_reason) = 0
      when 'in_review' then credited_at is null and review_code is not null and solid is not null
        and (review_code = 'TRANSFER_DROPPED') = (solid = 'gone')
        and num_nonnulls(closed_at, close_reason) in (0, 2)
        and (closed_by is null or closed_at is not null)
      else false
    end
  )
);
-- The received amount of an address. One column, and before the others: on an empty table the planner then prefers
-- theirs, and a session keeps its plans.
create index deposit_of_address on quipu.deposit (address);
-- A transfer has at most one deposit that is not `gone`, among all tenants. The first three columns find all
-- deposits of a transfer.
create unique index deposit_transfer on quipu.deposit
  (tx_hash, transfer_index, chain, (case when solid = 'gone' then id else '' end));
create index deposit_newest on quipu.deposit (tenant_id, id);
create index deposit_uncredited on quipu.deposit (id) where status <> 'credited';
create index deposit_open_review on quipu.deposit (id)
  where status = 'in_review' and closed_at is null;
-- Among indexes of equal cost, as on an empty table, the planner takes the one that was created last. So this
-- index is created after the others on `id`, for lists of uncredited deposits to use it; a lookup by tenant
-- and id cannot, as it has no credited rows, and goes by `deposit_newest`.
create index deposit_newest_uncredited on quipu.deposit (tenant_id, status, id)
  where status <> 'credited';
create index deposit_unverified on quipu.deposit (unverified_at) include (tenant_id, amount)
  where unverified_at is not null;
create index deposit_due on quipu.deposit (due_at) where due_at is not null;
create index deposit_unconfirmed on quipu.deposit (chain, first_block)
  where status = 'pending' and solid is null;

create trigger limited_change before update or delete on quipu.deposit
  for each row execute function quipu.refuse_other_change('from_address', 'sender', 'amount',
    'solid', 'solid_block', 'solid_at', 'due_at', 'fencing_token', 'claim_count', 'problem', 'status', 'credited_at',
    'review_code', 'closed_at', 'closed_by', 'close_reason', 'unverified_at', 'screened_by');
create trigger solid_is_final before update on quipu.deposit
  for each row when (
    old.solid is not null and (new.solid, new.solid_block, new.from_address, new.sender, new.amount)
      is distinct from (old.solid, old.solid_block, old.from_address, old.sender, old.amount)
  ) execute function quipu.refuse_step();
create trigger review_is_final before update on quipu.deposit
  for each row when (
    old.status = 'in_review' and (new.status = 'pending'
      or (old.review_code not in ('ADDRESS_NOT_VERIFIED', 'SENDER_NOT_SCREENED') and new.review_code is distinct from old.review_code))
  ) execute function quipu.refuse_step();
create trigger end_is_final before update on quipu.deposit
  for each row when (old.status = 'credited' or old.closed_at is not null)
  execute function quipu.refuse_step();
select quipu.refuse_truncate('quipu.deposit');

-- Deposits whose tokens went back, with the transaction that moved them: the balance of the address lacks them.
create table quipu.deposit_return (
  deposit_id text collate "C" primary key,
  tenant_id text collate "C" not null,
  chain text collate "C" not null,
  account text collate "C" not null, -- of the top-up address
  to_address text not null,
  amount bigint not null check (amount > 0), -- micro-USDT
  tx_hash text collate "C" not null unique,
  returned_at timestamptz not null,
  foreign key (deposit_id, tenant_id) references quipu.deposit (id, tenant_id),
  foreign key (account, chain) references quipu.top_up_address (account, chain)
);
create index deposit_return_of_account on quipu.deposit_return (account, chain);
select quipu.keep_rows('quipu.deposit_return');

-- Has no rows. A commit of an unverified credit locks the table, so that the limits' sums are serialized.
create table quipu.unverified_credit_lock ();
