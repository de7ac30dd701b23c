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

-- Locks a tenant's wallet until the transaction ends, and draws the index of a new address. Null when the tenant
-- has an address that is in use.
create function quipu.draw_top_up_index(tenant text, chain_ text) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from quipu.wallet w where w.tenant_id = tenant for no key update;
  if not found then
    raise exception 'tenant % has no wallet', tenant using errcode = 'foreign_key_violation';
  end if;
  if exists (
    select from quipu.top_up_address a
    where a.tenant_id = tenant and a.chain = chain_ and a.retired_at is null
  ) then
    return null;
  end if;
  return case chain_ when 'tron' then nextval('quipu.top_up_index_tron') end;
end
$$;

create function quipu.insert_top_up_address(tenant text, chain_ text, index_ int, account_ text,
  address_ text, seal_ text, created timestamptz)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into quipu.top_up_address (tenant_id, chain, index, account, address, seal, created_at)
  values (tenant, chain_, index_, account_, address_, seal_, created);
end
$$;

-- An operator retires a tenant's address. False when there is none.
create function quipu.retire_top_up_address(tenant text, chain_ text, actor_ text,
  retired timestamptz)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  address_ text;
begin
  update quipu.top_up_address a set retired_at = retired
  where a.tenant_id = tenant and a.chain = chain_ and a.retired_at is null
  returning a.address into address_;
  if not found then
    return false;
  end if;
  insert into quipu.audit_log (actor, action, tenant_id, subject, at, before, after)
  values (actor_, 'top_up_address.rotate', tenant, tenant, retired,
    jsonb_build_object('chain', chain_, 'address', address_, 'retired_at', null),
    jsonb_build_object('chain', chain_, 'address', address_, 'retired_at',
      to_char(retired at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
  return true;
end
$$;
