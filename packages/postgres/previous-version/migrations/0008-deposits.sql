-- Where the scans of a chain are, what they have found, and what became of it. The functions that write these
-- tables are in 0009-funding.sql and 0010-scans.sql.

-- One row a view: its last block, and who may scan on from there.
create table quipu.scan (
  chain text collate "C" not null,
  view text collate "C" not null check (view in ('head', 'solid')),
  block_number bigint, -- null, as the next two, before the first block
  block_id text collate "C",
  block_at timestamptz,
  fencing_token int not null,
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
  id text collate "C" not null,
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
  fencing_token int not null default 0,
  claim_count int not null default 0,
  status text collate "C" not null default 'pending',
  credited_at timestamptz,
  review_code text, -- kept when a person credits it
  closed_at timestamptz,
  closed_by text,
  close_reason text,
  -- When it was credited, by the database's clock, if one provider alone had shown the transfer. Such
  -- credits are bounded.
  unverified_at timestamptz,
  primary key (id, tenant_id),
  foreign key (tenant_id, address, chain)
    references quipu.top_up_address (tenant_id, address, chain),
  constraint deposit_decided check ((solid_block is not null) = (solid is not distinct from 'confirmed')),
  constraint deposit_due check ((due_at is not null) = (status = 'pending' and solid is not null)),
  constraint deposit_unverified check (unverified_at is null or status = 'credited'),
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
-- A transfer of the chain has at most one deposit that is not gone, of whichever tenant; the first columns
-- find them all.
create unique index deposit_transfer on quipu.deposit
  (tx_hash, transfer_index, chain, (case when solid = 'gone' then id else '' end));
create index deposit_newest on quipu.deposit (tenant_id, id);
create index deposit_uncredited on quipu.deposit (id) where status <> 'credited';
create index deposit_open_review on quipu.deposit (id)
  where status = 'in_review' and closed_at is null;
-- Where all indexes cost the same, as in a table that is empty, the planner takes the last one. So it comes after
-- the others by id, and a lookup by both columns of the key goes by `deposit_newest`: this one has no row that
-- was credited.
create index deposit_newest_uncredited on quipu.deposit (tenant_id, status, id)
  where status <> 'credited';
create index deposit_unverified on quipu.deposit (unverified_at) include (tenant_id, amount)
  where unverified_at is not null;
create index deposit_due on quipu.deposit (due_at) where due_at is not null;
create index deposit_unconfirmed on quipu.deposit (chain, first_block)
  where status = 'pending' and solid is null;

create trigger seen_once before update or delete on quipu.deposit
  for each row execute function quipu.refuse_change_but('from_address', 'sender', 'amount',
    'solid', 'solid_block', 'due_at', 'fencing_token', 'claim_count', 'status', 'credited_at',
    'review_code', 'closed_at', 'closed_by', 'close_reason', 'unverified_at');
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

-- Has no rows: who commits an unverified credit locks the table, so that one after another is summed.
create table quipu.unverified_credit_lock ();
