-- Where tenants send USDT. Never forgotten: a retired address is watched for ever.
-- Keys begin with what tells most addresses apart, so that no plan made while there are few goes
-- through all of them when there are a million.

create table quipu.top_up_address (
  chain text collate "C" not null,
  account text collate "C" not null, -- as the chain's logs name it
  address text collate "C" not null, -- as people write it
  index int not null check (index >= 0),
  tenant_id text collate "C" not null references quipu.tenant,
  seal text not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  primary key (account, chain),
  unique (index, chain),
  unique (tenant_id, address, chain)
);
create unique index top_up_address_in_use on quipu.top_up_address (tenant_id, chain)
  where retired_at is null;

-- An index is used once, also when the address that it was drawn for was never stored.
create sequence quipu.top_up_index_tron as int minvalue 0 start 0;

create trigger only_retired before update or delete on quipu.top_up_address
  for each row execute function quipu.refuse_change_but('retired_at');
create trigger retired_once before update on quipu.top_up_address
  for each row when (old.retired_at is not null) execute function quipu.refuse_step();
create trigger never_emptied before truncate on quipu.top_up_address
  execute function quipu.refuse_change();
