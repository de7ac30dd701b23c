-- Reports of all tenants: what payouts earned, and what the operator moved outside of the wallets.

-- The cost of a target at a bid, in micro-USDT, rounded up once: a payout's spread is its principal less this. The core's
-- `payoutRevenue` has the same rule.
create function quipu.quote_cost(target bigint, bid bigint) returns bigint
language sql immutable
return div(target * 100000000::numeric + bid - 1, bid)::bigint;
comment on function quipu.quote_cost is 'for processes';

-- Money that the operator moved outside of the wallets, as a person recorded it. A row never changes: a later one
-- reverses it.
create table quipu.treasury_movement (
  id text collate "C" primary key,
  kind text collate "C" not null check (kind in ('sale', 'funding', 'withdrawal', 'capital_in', 'capital_out', 'fee')),
  account text collate "C" check (account in ('treasury', 'bank', 'network')),
  usdt bigint check (usdt > 0), -- micro-USDT
  bob bigint check (bob > 0), -- centavos
  at timestamptz not null, -- when it happened
  reference text not null,
  reason text not null,
  evidence_note text not null,
  evidence_digest text collate "C" not null,
  reverses text collate "C" unique references quipu.treasury_movement,
  created_by text not null,
  created_at timestamptz not null,
  constraint movement_of_its_kind check (
    (account is null) = (kind in ('sale', 'funding', 'withdrawal'))
    and (usdt is null) = (kind in ('funding', 'withdrawal') or account in ('bank', 'network'))
    and (bob is null) = (account is not null and account = 'treasury')
  )
);
create index treasury_movement_newest on quipu.treasury_movement (created_at, id);
create index treasury_movement_reference on quipu.treasury_movement (kind, reference);
select quipu.keep_rows('quipu.treasury_movement');

-- The lines of each movement: new money of an account against `sales`, `capital` or `fees`; null against another account.
create view quipu.treasury_line as
select m.id, m.at, e.account, e.against,
  case e.account when 'treasury' then m.usdt else m.bob end * e.sign * case when m.reverses is null then 1 else -1 end as amount
from quipu.treasury_movement m
cross join lateral (
  values ('sale', 'treasury', 'sales', -1), ('sale', 'bank', 'sales', 1), ('funding', 'bank', null, -1),
    ('funding', 'network', null, 1), ('withdrawal', 'network', null, -1), ('withdrawal', 'bank', null, 1),
    ('capital_in', m.account, 'capital', 1), ('capital_out', m.account, 'capital', -1), ('fee', m.account, 'fees', -1)
) e (kind, account, against, sign)
where e.kind = m.kind;

-- Records a movement in the name of the person whose token is presented: a row of the table as JSON, or of a reversal its
-- note and what it reverses. Returns `unauthorized` when no such token may write, `recorded` when one of this kind and
-- reference is on record and not reversed, and `stale` when what it reverses is unknown or has been reversed.
create function quipu.record_movement(movement jsonb, by jsonb, moment timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], moment);
  m quipu.treasury_movement := jsonb_populate_record(null::quipu.treasury_movement, movement);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('quipu.treasury', 0));
  if m.reverses is not null then
    select m.id, r.kind, r.account, r.usdt, r.bob, r.at, r.reference, m.reason, m.evidence_note, m.evidence_digest, r.id
    into m.id, m.kind, m.account, m.usdt, m.bob, m.at, m.reference, m.reason, m.evidence_note, m.evidence_digest, m.reverses
    from quipu.treasury_movement r
    where r.id = m.reverses and r.reverses is null
      and not exists (select from quipu.treasury_movement x where x.reverses = r.id);
    if not found then
      return 'stale';
    end if;
  elsif exists (
    select from quipu.treasury_movement r
    where r.kind = m.kind and r.reference = m.reference and r.reverses is null
      and not exists (select from quipu.treasury_movement x where x.reverses = r.id)
  ) then
    return 'recorded';
  end if;
  perform quipu.require_plausible(m.at);
  m.created_by := acting.person;
  m.created_at := moment;
  insert into quipu.treasury_movement select m.*;
  perform quipu.write_audit(acting, 'treasury.record', null, m.id, moment, null, jsonb_strip_nulls(jsonb_build_object(
    'kind', m.kind, 'account', m.account, 'usdt', round(m.usdt::numeric / 1000000, 6)::text,
    'bob', round(m.bob::numeric / 100, 2)::text, 'at', quipu.iso_text(m.at), 'reference', m.reference, 'reason', m.reason,
    'evidence_digest', m.evidence_digest, 'reverses', m.reverses)));
  return 'committed';
end
$$;

-- The BOB that the network could still pay out: the newest reading of each hour.
create table quipu.liquidity_reading (
  hour timestamptz primary key,
  at timestamptz not null,
  available bigint not null -- centavos; negative on credit
);

-- Keeps a reading of the network's liquidity: the newest of its hour.
create function quipu.record_liquidity(available bigint, at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform quipu.require_present(record_liquidity.at);
  insert into quipu.liquidity_reading as r (hour, at, available)
  values (date_trunc('hour', record_liquidity.at, 'UTC'), record_liquidity.at, record_liquidity.available)
  on conflict (hour) do update set at = excluded.at, available = excluded.available where r.at < excluded.at;
end
$$;
