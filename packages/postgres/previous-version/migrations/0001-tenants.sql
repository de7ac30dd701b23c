-- Tenants, their API keys, and who changed what.

-- The store's clock, in whole milliseconds. `at` stands in for the database's own clock in tests.
create function quipu.store_now(at timestamptz) returns timestamptz
language sql volatile
return date_trunc('milliseconds', coalesce(at, clock_timestamp()));
-- What the processes read may call it. They execute no other function but those with the owner's rights.
comment on function quipu.store_now is 'for processes';

-- For tables whose rows are facts: they are added, and dropped by the partition, never changed.
create function quipu.refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'object_not_in_prerequisite_state';
end
$$;

-- For rows that change in the named columns alone, and are never removed.
create function quipu.refuse_change_but() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' or to_jsonb(new) - tg_argv is distinct from to_jsonb(old) - tg_argv then
    raise exception 'a row of % changes only in %', tg_table_name, array_to_string(tg_argv, ', ')
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  return new;
end
$$;

-- For steps that nobody may take: the trigger's name says why not.
create function quipu.refuse_step() returns trigger
language plpgsql as $$
begin
  raise exception 'a row of % cannot change so: %', tg_table_name, tg_name
    using errcode = 'object_not_in_prerequisite_state';
end
$$;

create table quipu.tenant (
  id text collate "C" primary key,
  legal_name text not null,
  contact_name text not null,
  contact_email text not null,
  status text not null check (status in ('active', 'suspended')),
  margin_bps int not null check (margin_bps between 0 and 5000),
  fee_bps int not null check (fee_bps between 0 and 5000),
  fee_fixed bigint not null check (fee_fixed >= 0), -- micro-USDT
  payment_cap bigint not null check (payment_cap >= 0), -- centavos
  created_at timestamptz not null,
  revision int not null
);
create index tenant_newest on quipu.tenant (created_at, id);
-- The ids of a wallet's transactions end with these 40 bits: no two tenants may share them. Among ten
-- thousand tenants one in twenty thousand would; it is refused, and made again with another id.
create unique index tenant_part_of_ids on quipu.tenant
  (left(encode(sha256(id::bytea), 'hex'), 10));

create table quipu.api_key (
  id text collate "C" primary key,
  tenant_id text collate "C" not null references quipu.tenant,
  name text not null,
  prefix text not null,
  last_four text not null,
  hash text collate "C" not null unique,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_key_newest on quipu.api_key (tenant_id, created_at, id);
create trigger changed_little before update or delete on quipu.api_key
  for each row execute function quipu.refuse_change_but('last_used_at', 'revoked_at');
create trigger revoked_once before update on quipu.api_key
  for each row when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  execute function quipu.refuse_step();

create table quipu.audit_log (
  id bigint generated always as identity primary key,
  actor text, -- null: a token that is missing or unknown
  action text not null,
  tenant_id text collate "C", -- null: it concerns none
  subject text collate "C" not null,
  at timestamptz not null,
  before jsonb,
  after jsonb
);
create index audit_log_subject on quipu.audit_log (subject, id);
create index audit_log_tenant on quipu.audit_log (tenant_id, id);
create trigger append_only before update or delete on quipu.audit_log
  for each row execute function quipu.refuse_change();
create trigger never_emptied before truncate on quipu.audit_log
  execute function quipu.refuse_change();
