-- What the faucet has sent, and how much lately.

create table quipu.faucet_send (
  id uuid primary key,
  tenant_id text collate "C" not null references quipu.tenant,
  key text collate "C" not null, -- stands for the request's Idempotency-Key
  fingerprint text not null,
  chain text not null,
  account text collate "C" not null,
  address text not null,
  amount bigint not null check (amount > 0), -- micro-USDT
  tx_hash text collate "C" not null unique,
  bytes bytea not null, -- the signed transaction: only these bytes are ever sent
  expires_at timestamptz not null,
  remaining_today bigint not null check (remaining_today >= 0), -- as it was told
  created_at timestamptz not null,
  status text not null default 'submitted' check (status in ('submitted', 'confirmed', 'failed')),
  due_at timestamptz,
  fence int not null,
  asked int not null default 0,
  unique (tenant_id, key),
  constraint faucet_send_due check ((due_at is not null) = (status = 'submitted'))
);
create index faucet_send_of_tenant on quipu.faucet_send (tenant_id, created_at);
create index faucet_send_to_account on quipu.faucet_send (account, created_at);
create index faucet_send_due on quipu.faucet_send (due_at) where due_at is not null;
create trigger sent_once before update or delete on quipu.faucet_send
  for each row execute function quipu.refuse_change_but('status', 'due_at', 'fence', 'asked');
create trigger ended_once before update on quipu.faucet_send
  for each row when (old.status <> 'submitted') execute function quipu.refuse_step();
create trigger never_emptied before truncate on quipu.faucet_send
  execute function quipu.refuse_change();

-- Everybody's sends of a minute, less those that failed. A minute goes by its last instant.
create table quipu.faucet_minute (
  at timestamptz primary key,
  amount bigint not null check (amount >= 0)
);
create function quipu.minute_end(at timestamptz) returns timestamptz
language sql stable
return date_trunc('minute', at) + interval '59.999 seconds';

-- A key is found by the index that has it, whatever the planner knows: one tenant may own every row.
alter table quipu.faucet_send alter tenant_id set (n_distinct = 1);
select pg_restore_attribute_stats('schemaname', 'quipu', 'relname', 'faucet_send',
  'attname', 'tenant_id', 'inherited', false, 'null_frac', 0::real, 'avg_width', 31,
  'n_distinct', 1::real);
