-- The daily limits of tenants. `accept_payouts` decides them on the wallet's row, which has the limits and what
-- was used of them on the day of the newest accepted payout. See docs/decisions/daily-limits.md.

create function quipu.utc_day(instant timestamptz) returns date
language sql immutable
return (instant at time zone 'UTC')::date;
comment on function quipu.utc_day is 'for processes'; -- `daily_use` calls it.

-- What a wallet has used of its daily limits on the day of this instant.
create function quipu.daily_use(w quipu.wallet, moment timestamptz, out amount numeric, out count int)
language sql immutable
begin atomic
  select case when quipu.utc_day(moment) > w.used_on then 0 else w.used_amount end,
    case when quipu.utc_day(moment) > w.used_on then 0 else w.used_count end;
end;
comment on function quipu.daily_use is 'for processes';

-- What the items that are not `completed` give back to the daily limits: arrays with one element a tenant, in
-- the order of `tenant_ids`. Their day is that of the newest payout among them, and the amounts and counts are
-- those of this day: an older payout belongs to a day whose limits no longer matter.
create function quipu.released_use(
  tenant_ids text[], tenant_indexes int[], payout_ids text[], holds bigint[], statuses text[],
  results text[], -- of the items; null: all are `committed`
  out days date[], out amounts numeric[], out counts int[]
) language sql stable
begin atomic
  with released as (
    select i.tenant_index, i.hold, p.day,
      p.day = max(p.day) over (partition by i.tenant_index) as is_newest
    from unnest(tenant_indexes, payout_ids, holds, statuses) with ordinality
      i (tenant_index, payout_id, hold, status, place)
    cross join lateral (
      select quipu.utc_day(p.accepted_at) as day from quipu.payout p
      where p.tenant_id = tenant_ids[i.tenant_index] and p.id = i.payout_id limit 1
    ) p
    where i.status <> 'completed' and (results is null or results[i.place] = 'committed')
  ), given_back as (
    select r.tenant_index, max(r.day) as day, sum(r.hold) filter (where r.is_newest) as amount,
      count(*) filter (where r.is_newest)::int as count
    from released r group by r.tenant_index
  )
  select array_agg(g.day order by t.place), array_agg(g.amount order by t.place),
    array_agg(g.count order by t.place)
  from unnest(tenant_ids) with ordinality t (id, place)
  left join given_back g on g.tenant_index = t.place;
end;

-- The requests with an `Idempotency-Key` that created something.
create table quipu.operator_request (
  person text collate "C" not null,
  key text collate "C" not null, -- SHA-256 of the header
  fingerprint text not null,
  subject text collate "C" not null, -- id of what the request created
  created_at timestamptz not null,
  primary key (person, key)
);
create trigger append_only before update or delete on quipu.operator_request
  for each row execute function quipu.refuse_change();
create trigger no_truncate before truncate on quipu.operator_request
  execute function quipu.refuse_change();

-- Remembers a request of the person whose token is presented. Returns the fingerprint and subject of the first one
-- when the person has used the key before, else nulls; nulls also when no such token may write. Called in one statement with the function that creates the subject, and so in its
-- transaction. A concurrent request with the same key waits for the end of the first one.
create function quipu.remember_request(by jsonb, request_key text, request_fingerprint text,
  created text, at timestamptz, out fingerprint text, out subject text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
begin
  if request_key is null or acting.person is null then
    return;
  end if;
  insert into quipu.operator_request (person, key, fingerprint, subject, created_at)
  values (acting.person, request_key, request_fingerprint, created, at)
  on conflict do nothing;
  if not found then
    select r.fingerprint, r.subject into fingerprint, subject from quipu.operator_request r
    where r.person = acting.person and r.key = request_key;
  end if;
end
$$;
