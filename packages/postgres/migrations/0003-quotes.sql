-- QR readings and firm prices.

create table quipu.qr_resolution (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  network_ref text not null,
  amount_mode text not null check (amount_mode in ('closed', 'open')),
  amount bigint check (amount >= 0), -- centavos
  merchant_name text not null,
  bank_code text not null,
  description text,
  expires_at timestamptz,
  content_hash text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);

-- A row never changes. That a quote is used shows in `payout`, whose unique key on the quote is the
-- single use.
create table quipu.quote (
  rate bigint not null, -- BOB per USDT, times 10^4
  target bigint not null, -- centavos
  principal bigint not null, -- micro-USDT, as are the next two
  fee bigint not null,
  source bigint not null,
  bid bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  id uuid not null,
  tenant_id text collate "C" not null,
  resolution_id text collate "C",
  rate_source text not null,
  primary key (id, tenant_id),
  constraint quote_positive check (least(rate, target, source) > 0 and least(principal, fee) >= 0)
);
create trigger append_only before update or delete on quipu.quote
  for each row execute function quipu.refuse_change();
