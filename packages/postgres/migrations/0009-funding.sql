-- The writes of deposits and adjustments. Each locks the wallets first, tenants ascending, then deposits one
-- by one, then proposals, and for an unverified credit `unverified_credit_lock` last. What operators decide
-- needs an approved proposal (0023-proposals.sql), which the same commit marks `executed`.
--
-- The amount of a credit is the amount in the row of the deposit, which the scan wrote; no caller passes it.

-- The instant of the next entry of the log of a tenant whose wallet is locked: `given`, or that of the newest entry
-- if it is later.
create function quipu.next_logged_at(tenant text, given timestamptz) returns timestamptz
language sql stable
return (select greatest(w.logged_at, given) from quipu.wallet w where w.tenant_id = tenant);

-- A deposit as `depositToJson` in packages/wire has it.
create function quipu.deposit_json(d quipu.deposit) returns text
language sql stable
return format('{"id":%s,"chain":%s,"tx_hash":%s,"transfer_index":%s,"address":%s,"from_address":%s,"currency":"USDT",'
  '"amount":"%s","status":"%s","review_code":%s,"created_at":"%s","credited_at":%s,"closed_at":%s,"close_reason":%s}',
  to_json(d.id), to_json(d.chain), to_json(d.tx_hash), d.transfer_index, to_json(d.address), to_json(d.from_address),
  d.amount * 0.000001, d.status,
  coalesce(case when d.status = 'in_review' then to_json(d.review_code)::text end, 'null'),
  quipu.iso_text(d.created_at), coalesce('"' || quipu.iso_text(d.credited_at) || '"', 'null'),
  coalesce('"' || quipu.iso_text(d.closed_at) || '"', 'null'), coalesce(to_json(d.close_reason)::text, 'null'));

-- Adds an entry to the log of a tenant whose wallet is locked, with its event, at the instant `next_logged_at`, and
-- adds `moved` to the available balance; `moved` is negative for a withdrawal and null when no money moves.
-- `occurred_at` is null when it is the entry's instant. `event_id` is null when the entry has no event; `data` is the
-- event's JSON.
create function quipu.log_funding(
  tenant text, type text, subject text, moved bigint, occurred_at timestamptz, logged_at timestamptz, event_id uuid,
  traceparent text, data text, balance_stays boolean default false
) returns void language plpgsql as $$
declare
  wallet quipu.wallet;
  dated_id uuid := quipu.uuid_at(log_funding.event_id, log_funding.logged_at);
  occurred timestamptz := coalesce(log_funding.occurred_at, log_funding.logged_at);
begin
  perform quipu.require_recent(log_funding.logged_at);
  update quipu.wallet w
  set available = w.available + case when balance_stays then 0 else coalesce(moved, 0) end, seq = w.seq + 1,
    logged_at = log_funding.logged_at, updated_at = greatest(w.updated_at, log_funding.logged_at)
  where w.tenant_id = tenant
  returning w.* into strict wallet;
  insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after, held_after, event_id,
    type, subject_id, body)
  values (tenant, wallet.seq, wallet.logged_at, occurred, abs(moved), case when moved is not null then wallet.available end,
    case when moved is not null then wallet.held end, dated_id, log_funding.type, subject,
    case when dated_id is not null then quipu.event_body(traceparent, dated_id, log_funding.type, quipu.iso_text(occurred),
      quipu.iso_text(wallet.logged_at), data) end);
end
$$;

-- Whether a review ends by itself: its address failed the integrity check, or its sender was not screened.
create function quipu.is_redecided(review_code text) returns boolean
language sql immutable
return coalesce(review_code in ('ADDRESS_NOT_VERIFIED', 'SENDER_NOT_SCREENED'), false);

-- Whether a worker may settle the deposit: it has not ended, or its review ends by itself.
create function quipu.is_undecided(deposit quipu.deposit) returns boolean
language sql immutable
return deposit.status = 'pending' or (deposit.status = 'in_review'
  and quipu.is_redecided(deposit.review_code) and deposit.closed_at is null);

-- Credits a deposit whose row is locked, or moves it to review if there is a review code; a reason closes that
-- review. `reviewed`: the code of the review that an operator ends by the credit. Returns the instant of its entry
-- in the log.
create function quipu.settle_locked_deposit(
  tenant text, deposit text, review_code text, reason text, reviewed text, given timestamptz, unverified timestamptz,
  moment timestamptz, event_id uuid, traceparent text, screened_by text default null
) returns timestamptz language plpgsql as $$
declare
  is_credit boolean := settle_locked_deposit.review_code is null;
  logged timestamptz := quipu.next_logged_at(tenant, given);
  settled quipu.deposit;
begin
  update quipu.deposit d
  set status = case when is_credit then 'credited' else 'in_review' end, problem = null,
    screened_by = coalesce(left(settle_locked_deposit.screened_by, 300), d.screened_by),
    due_at = case when quipu.is_redecided(settle_locked_deposit.review_code) and reason is null
      then moment + interval '5 minutes' end,
    review_code = coalesce(reviewed, settle_locked_deposit.review_code),
    credited_at = case when is_credit then logged end,
    closed_at = case when reason is not null then logged end, close_reason = reason,
    unverified_at = case when is_credit then unverified end
  where d.id = settle_locked_deposit.deposit and d.tenant_id = tenant and (not is_credit or d.solid = 'confirmed')
  returning d.* into strict settled;
  perform quipu.log_funding(tenant, 'deposit.' || settled.status, settled.id,
    case when is_credit then settled.amount::bigint end, null, logged, event_id, traceparent, quipu.deposit_json(settled));
  return logged;
end
$$;

-- Whether an unverified credit, added to those of the last 24 hours, exceeds a limit. Concurrent calls wait
-- here until this transaction ends.
create function quipu.is_above_unverified_limit(
  tenant text, amount numeric, tenant_limit bigint, total_limit bigint, moment timestamptz
) returns boolean language plpgsql as $$
declare
  of_tenant numeric;
  total numeric;
begin
  lock table quipu.unverified_credit_lock in share row exclusive mode;
  select coalesce(sum(d.amount) filter (where d.tenant_id = tenant), 0), coalesce(sum(d.amount), 0)
  into strict of_tenant, total
  from quipu.deposit d
  where d.unverified_at is not null and d.unverified_at > moment - interval '24 hours';
  return of_tenant + amount > tenant_limit or total + amount > total_limit;
end
$$;

-- Settles deposits that solid blocks have decided, each by the holder of its newest claim: credits it, or
-- moves it to review if it has a review code; a close reason closes the review of dust at once. The limits are null
-- when two providers have shown the transfer. `stale`: the deposit is settled, or there is a newer claim.
-- `redated_tos` has the instants of credits and closures that are later than `settled_at`; null for the other items.
create function quipu.settle_deposits(
  tenant_ids text[], deposit_ids text[], fencing_tokens int[], review_codes text[], screened_bys text[], close_reasons text[],
  settled_ats timestamptz[], tenant_limits bigint[], total_limits bigint[], event_ids uuid[],
  traceparents text[], clock_override timestamptz,
  out results text[], out redated_tos timestamptz[]
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz;
  item record;
  deposit quipu.deposit;
  logged timestamptz;
begin
  results := array_fill('stale'::text, array[cardinality(deposit_ids)]);
  redated_tos := array_fill(null::timestamptz, array[cardinality(deposit_ids)]);
  perform quipu.lock_wallets(tenant_ids);
  moment := quipu.store_now(clock_override);
  for item in
    select i.* from unnest(tenant_ids, deposit_ids, fencing_tokens, review_codes, screened_bys, close_reasons, settled_ats,
      tenant_limits, total_limits, event_ids, traceparents) with ordinality
      i (tenant_id, deposit_id, fencing_token, review_code, screened_by, close_reason, settled_at, tenant_limit,
        total_limit, event_id, traceparent, place)
    order by i.settled_at, i.place
  loop
    select * into deposit from quipu.deposit d
    where d.id = item.deposit_id and d.tenant_id = item.tenant_id for no key update;
    continue when quipu.is_undecided(deposit) is not true
      or deposit.fencing_token <> item.fencing_token;
    if item.review_code is null and item.tenant_limit is not null and quipu.is_above_unverified_limit(
      item.tenant_id, deposit.amount, item.tenant_limit, item.total_limit, moment)
    then
      results[item.place] := 'above_unverified_limit';
      continue;
    end if;
    logged := quipu.settle_locked_deposit(item.tenant_id, item.deposit_id, item.review_code, item.close_reason,
      null, item.settled_at, case when item.tenant_limit is not null then moment end, moment, item.event_id, item.traceparent,
      item.screened_by);
    results[item.place] := 'committed';
    if (item.review_code is null or item.close_reason is not null) and logged > item.settled_at then
      redated_tos[item.place] := logged;
    end if;
  end loop;
  if 'committed' = any (results) then
    perform quipu.signal_deliveries(array(select distinct unnest(tenant_ids)));
  end if;
end
$$;

-- Closes a review without a credit, with its event. Returns when, by the log.
create function quipu.close_review(tenant text, deposit text, actor text, reason text, given timestamptz, event_id uuid,
  traceparent text) returns timestamptz
language plpgsql as $$
declare
  logged timestamptz := quipu.next_logged_at(tenant, given);
  closed quipu.deposit;
begin
  update quipu.deposit d
  set closed_at = logged, closed_by = actor, close_reason = reason, due_at = null, problem = null
  where d.id = close_review.deposit and d.tenant_id = tenant
  returning d.* into strict closed;
  perform quipu.log_funding(tenant, 'deposit.closed', closed.id, null, null, logged, event_id, traceparent,
    quipu.deposit_json(closed));
  return logged;
end
$$;

-- Resolves deposits in review as approved proposals say: credits each, or closes it, which leaves it `in_review`. A
-- `return` closes it and records the transaction that has sent its tokens back. `stale`: the deposit is not in
-- review, or is closed. `not_approved`: there is no approved proposal of this resolution. `transaction_used`: it has
-- sent another deposit back. `redated_tos` as in `settle_deposits`.
create function quipu.resolve_reviews(
  tenant_ids text[], deposit_ids text[], decisions text[], proposal_ids text[], actors text[],
  reasons text[], return_tos text[], return_hashes text[], resolved_ats timestamptz[], event_ids uuid[],
  traceparents text[],
  out results text[], out redated_tos timestamptz[]
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  item record;
  deposit quipu.deposit;
  logged timestamptz;
  entries quipu.audit_log[] := '{}';
begin
  results := array_fill('stale'::text, array[cardinality(deposit_ids)]);
  redated_tos := array_fill(null::timestamptz, array[cardinality(deposit_ids)]);
  perform quipu.lock_wallets(tenant_ids);
  for item in
    select i.* from unnest(tenant_ids, deposit_ids, decisions, proposal_ids, actors, reasons, return_tos,
      return_hashes, resolved_ats, event_ids, traceparents) with ordinality
      i (tenant_id, deposit_id, decision, proposal_id, actor, reason, return_to, return_hash, resolved_at,
        event_id, traceparent, place)
    order by i.resolved_at, i.place
  loop
    select * into deposit from quipu.deposit d
    where d.id = item.deposit_id and d.tenant_id = item.tenant_id for no key update;
    continue when deposit.status is distinct from 'in_review' or deposit.closed_at is not null;
    if not quipu.lock_approved_proposal(item.tenant_id, item.proposal_id, item.decision || '_deposit',
      item.deposit_id, jsonb_strip_nulls(jsonb_build_object('amount_minor', deposit.amount::text,
        'to_address', item.return_to, 'tx_hash', item.return_hash,
        'review_code', case when item.decision = 'credit' and deposit.review_code in ('SENDER_LISTED', 'SENDER_NOT_SCREENED')
          then deposit.review_code end)), item.actor, item.reason)
    then
      results[item.place] := 'not_approved';
      continue;
    end if;
    if exists (select from quipu.deposit_return r where r.tx_hash = item.return_hash) then
      results[item.place] := 'transaction_used';
      continue;
    end if;
    results[item.place] := 'committed';
    if item.decision in ('close', 'return') then
      logged := quipu.close_review(item.tenant_id, item.deposit_id, item.actor, item.reason, item.resolved_at,
        item.event_id, item.traceparent);
      if item.decision = 'return' then
        insert into quipu.deposit_return (deposit_id, tenant_id, chain, account, to_address, amount, tx_hash,
          returned_at)
        select deposit.id, deposit.tenant_id, deposit.chain, a.account, item.return_to, deposit.amount,
          item.return_hash, logged
        from quipu.top_up_address a
        where a.tenant_id = deposit.tenant_id and a.address = deposit.address and a.chain = deposit.chain
          and deposit.solid = 'confirmed';
        if not found then
          raise exception 'deposit % has no tokens to return', deposit.id using errcode = 'check_violation';
        end if;
      end if;
    else
      logged := quipu.settle_locked_deposit(item.tenant_id, item.deposit_id, null, null, deposit.review_code,
        item.resolved_at, null, null, item.event_id, item.traceparent);
    end if;
    redated_tos[item.place] := nullif(logged, item.resolved_at);
    perform quipu.signal_deliveries(array[item.tenant_id]);
    perform quipu.mark_executed(item.tenant_id, item.proposal_id, logged);
    entries := entries || quipu.audit_entry(quipu.proposing_actor(item.proposal_id),
      case item.decision when 'credit' then 'deposit.credit' when 'close' then 'deposit.close' else 'deposit.return' end, item.tenant_id,
      item.deposit_id, logged,
      jsonb_build_object('status', 'in_review', 'review_code', deposit.review_code),
      jsonb_build_object('proposal_id', item.proposal_id) || case item.decision
        when 'close' then jsonb_build_object('status', 'in_review', 'closed_reason', item.reason)
        when 'return' then jsonb_build_object('status', 'in_review', 'closed_reason', item.reason,
          'to_address', item.return_to, 'tx_hash', item.return_hash)
        else jsonb_build_object('status', 'credited', 'credited_reason', item.reason,
          'amount', round(deposit.amount / 1000000, 6)::text)
      end);
  end loop;
  perform quipu.write_audit_entries(entries);
end
$$;

-- Closes reviews of one tenant as one approved proposal says, all or none. `stale`: a deposit is no open review of the
-- tenant, or is given twice. `not_approved`: there is no approved proposal of exactly these closures.
create function quipu.close_reviews(
  tenant text, deposit_ids text[], proposal text, actor text, reason text, given timestamptz,
  event_ids uuid[], traceparents text[]
) returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  item record;
  how_many int;
  total numeric;
  logged timestamptz;
  entries quipu.audit_log[] := '{}';
begin
  perform quipu.lock_wallets(array[tenant]);
  perform from quipu.deposit d where d.id = any (deposit_ids) and d.tenant_id = tenant
  order by d.id for no key update;
  select count(*), sum(d.amount) into strict how_many, total from quipu.deposit d
  where d.id = any (deposit_ids) and d.tenant_id = tenant and d.status = 'in_review' and d.closed_at is null;
  if how_many = 0 or how_many <> cardinality(deposit_ids) then
    return 'stale';
  end if;
  if not quipu.lock_approved_proposal(tenant, proposal, 'close_deposits', tenant, jsonb_build_object(
    'deposit_ids', array_to_string(deposit_ids, ' '), 'amount_minor', total::text), actor, reason)
  then
    return 'not_approved';
  end if;
  for item in
    select i.*, d.review_code
    from unnest(deposit_ids, event_ids, traceparents) with ordinality i (deposit_id, event_id, traceparent, place)
    join quipu.deposit d on d.id = i.deposit_id and d.tenant_id = tenant
    order by i.place
  loop
    logged := quipu.close_review(tenant, item.deposit_id, actor, reason, given, item.event_id, item.traceparent);
    entries := entries || quipu.audit_entry(quipu.proposing_actor(proposal), 'deposit.close', tenant,
      item.deposit_id, logged,
      jsonb_build_object('status', 'in_review', 'review_code', item.review_code),
      jsonb_build_object('proposal_id', proposal, 'status', 'in_review', 'closed_reason', reason));
  end loop;
  perform quipu.signal_deliveries(array[tenant]);
  perform quipu.mark_executed(tenant, proposal, logged);
  perform quipu.write_audit_entries(entries);
  return 'committed';
end
$$;

-- Claims deposits that solid blocks have decided, longest due first. Skips rows that a concurrent call locks;
-- once that call has committed, they are no longer due. Skips tenants that move.
create function quipu.claim_deposits(most int, lease_seconds float8, clock_override timestamptz)
returns table (tenant_id text, deposit_id text, fencing_token int, claim_count int)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  moment timestamptz := quipu.store_now(clock_override);
  lease_end timestamptz := quipu.due_after(moment, lease_seconds);
begin
  return query
  with due as materialized (
    select d.id, d.tenant_id from quipu.deposit d
    where d.due_at <= moment
      and (select true from quipu.moving_tenant m where m.tenant_id = d.tenant_id limit 1) is null
    order by d.due_at limit most
    for no key update skip locked
  ), claimed as (
    update quipu.deposit d
    set fencing_token = d.fencing_token + 1, claim_count = d.claim_count + 1,
      due_at = lease_end
    from due where d.id = due.id and d.tenant_id = due.tenant_id
    returning d.tenant_id, d.id, d.fencing_token, d.claim_count, old.due_at as was_due_at
  )
  select c.tenant_id, c.id, c.fencing_token, c.claim_count from claimed c order by c.was_due_at;
end
$$;

-- Gives a claim back with its problem: the deposit is due again in `due_seconds`. Returns false when the claim is not
-- the newest.
create function quipu.yield_deposit(tenant text, deposit text, fencing_token int, due_seconds float8, problem text,
  clock_override timestamptz)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  due timestamptz := quipu.due_after(quipu.store_now(clock_override), due_seconds);
begin
  update quipu.deposit d
  set due_at = due, problem = left(yield_deposit.problem, 500)
  where d.id = yield_deposit.deposit and d.tenant_id = tenant and d.fencing_token = yield_deposit.fencing_token
    and d.due_at is not null;
  return found;
end
$$;

-- Whether the ledger check has found that this wallet's available balance is off by this amount, and the difference
-- is open.
create function quipu.is_open_drift(tenant text, difference text, off_by bigint) returns boolean
language plpgsql stable as $$ -- Not SQL: a later file creates the table.
begin
  return exists (
    select from quipu.difference d
    where d.id = difference and d.tenant_id = tenant and d.status = 'open' and d.check_name = 'ledger'
      and d.kind = 'available' and d.found_amount - d.expected_amount = off_by
  );
end
$$;

-- The data of `payout.refunded`: the payout stays as its `payout.completed` has it.
create function quipu.refunded_json(tenant text, payout text) returns text
language sql stable
return (
  select quipu.payout_json(p.id, e.status, p.transaction_id, p.resolution_id,
    quipu.quote_json(p.quote_id, quipu.usdt_json(p.hold), quipu.bob_json(p.target), q.rate, q.fee, q.expires_at),
    quipu.usdt_json(p.hold), quipu.bob_json(p.target), p.details,
    null, null, quipu.iso_text(e.ended_at), p.created_at, e.network_payment_id)
  from quipu.payout p
  join quipu.quote q on q.id = p.quote_id and q.tenant_id = p.tenant_id
  join quipu.payout_end e on e.payout_id = p.id and e.tenant_id = p.tenant_id
  where p.tenant_id = tenant and p.id = payout
);

-- Whether an adjustment may be posted: `committed`, or why not. See `adjust_wallets`, which has locked the wallet.
create function quipu.adjustment_result(tenant text, adjustment text, direction text, amount bigint, reason text,
  actor text, booked jsonb, refunded text) returns text
language plpgsql as $$
begin
  return case
    when exists (
      select from quipu.adjustment a where a.tenant_id = tenant and a.id = adjustment
    ) then 'stale'
    when not quipu.lock_approved_proposal(tenant, adjustment, 'adjust_wallet', tenant,
      jsonb_build_object('direction', adjustment_result.direction, 'amount_minor', adjustment_result.amount::text) || booked
        || jsonb_strip_nulls(jsonb_build_object('payout_id', refunded)),
      adjustment_result.actor, adjustment_result.reason) then 'not_approved'
    when exists (select from quipu.adjustment a where a.payout_id = refunded) then 'already_refunded'
    when refunded is not null and (adjustment_result.direction <> 'in' or booked <> '{}' or not exists (
      select from quipu.payout_end e
      where e.payout_id = refunded and e.tenant_id = tenant and e.status = 'completed'
        and e.amount >= adjustment_result.amount
    )) then 'not_refundable'
    when booked <> '{}' then
      case when quipu.is_open_drift(tenant, booked ->> 'difference_id',
        case direction when 'in' then amount else -amount end) then 'committed'
        else 'difference_not_open' end
    when adjustment_result.direction = 'out' and exists (
      select from quipu.wallet w
      where w.tenant_id = tenant and w.available < adjustment_result.amount
    ) then 'insufficient_balance'
    else 'committed'
  end;
end
$$;

-- Posts adjustments, one after the other, each as the approved proposal with its id says. `stale`: an
-- adjustment with this id was posted before. `not_approved`: there is no approved proposal of this adjustment.
create function quipu.adjust_wallets(
  tenant_ids text[], adjustment_ids text[], directions text[], amounts bigint[], reasons text[],
  actors text[], clock_override timestamptz
) returns text[] language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  results text[] := array_fill('committed'::text, array[cardinality(adjustment_ids)]);
  moment timestamptz;
  item record;
  logged timestamptz;
  booked jsonb; -- the difference that the adjustment books, as its proposal says; empty when it books none
  refunded text; -- the payout that it refunds, as its proposal says
  moved bigint;
  entries quipu.audit_log[] := '{}';
begin
  -- A ledger check that read a wallet before its difference was booked would record the difference again.
  perform from quipu.ledger_check c
  where c.tenant_id in (
    select p.tenant_id from quipu.proposal p
    where p.id = any (adjustment_ids) and p.details ? 'difference_id'
  )
  order by c.tenant_id
  for no key update;
  if found then
    perform quipu.lock_differences(); -- before the wallets: a check can hold it for seconds
  end if;
  perform quipu.lock_wallets(tenant_ids);
  moment := quipu.store_now(clock_override);
  for item in
    select * from unnest(tenant_ids, adjustment_ids, directions, amounts, reasons, actors)
      with ordinality i (tenant_id, id, direction, amount, reason, actor, place)
    order by i.place
  loop
    booked := coalesce((
      select jsonb_build_object('difference_id', p.details -> 'difference_id') from quipu.proposal p
      where p.id = item.id and p.details ? 'difference_id'
    ), '{}');
    refunded := (select p.details ->> 'payout_id' from quipu.proposal p where p.id = item.id);
    moved := case item.direction when 'in' then item.amount else -item.amount end;
    results[item.place] := quipu.adjustment_result(item.tenant_id, item.id, item.direction, item.amount, item.reason,
      item.actor, booked, refunded);
    continue when results[item.place] <> 'committed';
    logged := quipu.next_logged_at(item.tenant_id, moment);
    perform quipu.log_funding(item.tenant_id, 'adjustment_' || item.direction, item.id, moved, null, logged, null, null,
      null, balance_stays => booked <> '{}');
    insert into quipu.adjustment (tenant_id, id, direction, amount, reason, actor, created_at, payout_id)
    values (item.tenant_id, item.id, item.direction, item.amount, item.reason, item.actor, logged, refunded);
    if refunded is not null then
      perform quipu.log_funding(item.tenant_id, 'payout.refunded', refunded, null, null, logged, uuidv7(), null,
        quipu.refunded_json(item.tenant_id, refunded));
      perform quipu.signal_deliveries(array[item.tenant_id]);
    end if;
    perform quipu.mark_executed(item.tenant_id, item.id, logged);
    entries := entries || quipu.audit_entry(quipu.proposing_actor(item.id), 'wallet.adjust', item.tenant_id, item.tenant_id,
      logged, null, jsonb_build_object('adjustment_id', item.id, 'direction', item.direction,
        'amount', round(item.amount::numeric / 1000000, 6)::text, 'reason', item.reason) || booked
        || jsonb_strip_nulls(jsonb_build_object('payout_id', refunded)));
    if booked <> '{}' then
      perform quipu.record_difference('ledger', item.tenant_id, 'available', w.id, null)
      from quipu.wallet w where w.tenant_id = item.tenant_id;
    end if;
  end loop;
  perform quipu.write_audit_entries(entries);
  return results;
end
$$;
