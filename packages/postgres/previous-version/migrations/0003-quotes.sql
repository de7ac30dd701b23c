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

-- `payout_id` is set once, by the payout that uses the quote.
create table quipu.quote (
  tenant_id text collate "C" not null,
  id uuid not null,
  resolution_id text collate "C",
  rate bigint not null, -- BOB per USDT, times 10^4
  target bigint not null, -- centavos
  principal bigint not null, -- micro-USDT, as are the next two
  fee bigint not null,
  source bigint not null,
  bid bigint not null,
  rate_source text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  payout_id text collate "C",
  primary key (id, tenant_id),
  constraint quote_positive check (least(rate, target, source) > 0 and least(principal, fee) >= 0)
) with (fillfactor = 60);
-- After the update, and not before: a trigger before it would lock each row once more.
create trigger used_once after update on quipu.quote
  for each row when (old.payout_id is not null) execute function quipu.refuse_step();
