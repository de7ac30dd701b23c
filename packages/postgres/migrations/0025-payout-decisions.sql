-- How payouts that hang are brought to an end: what the network was queried about them and answered, and what
-- people decide.

-- A question to the network about a payout that its own request did not settle, and the answer.
create table quipu.network_call (
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  payout_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('pay', 'status', 'cancel')),
  queried_by text collate "C" not null,
  actor text, -- the name of the operator's token
  queried_at timestamptz not null,
  duration_ms int not null check (duration_ms >= 0),
  answer text collate "C" not null,
  detail text,
  primary key (payout_id, tenant_id, queried_at, id),
  constraint operators_have_names check (
    queried_by in ('request', 'worker', 'operator') and (queried_by = 'operator') = (actor is not null)
  )
);
select quipu.keep_rows('quipu.network_call');

-- Adds calls to the network about one payout that was accepted; null adds none. Skips those that were added
-- before. Called by `yield_payout`, too.
create function quipu.record_network_calls(tenant text, payout text, calls jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if calls is null then
    return;
  end if;
  if not exists (
    select from quipu.payout p where p.tenant_id = tenant and p.id = payout and p.hold is not null
  ) then
    raise exception 'no payout % that was accepted', payout using errcode = 'foreign_key_violation';
  end if;
  perform quipu.require_plausible(c.queried_at) from jsonb_to_recordset(calls) c (queried_at timestamptz);
  if exists (
    select from jsonb_to_recordset(calls) c (actor text)
    where c.actor is not null and not exists (
      select from quipu.audit_log a
      where a.subject = payout and a.actor = c.actor and a.action in ('payout.query', 'payout.cancel')
    )
  ) then
    raise exception 'no operator of that name has queried payout %', payout using errcode = 'check_violation';
  end if;
  insert into quipu.network_call (id, tenant_id, payout_id, kind, queried_by, actor, queried_at, duration_ms,
    answer, detail)
  select c.id, tenant, payout, c.kind, c.queried_by, c.actor, c.queried_at, c.duration_ms, c.answer, c.detail
  from jsonb_to_recordset(calls) c (id text, kind text, queried_by text, actor text, queried_at timestamptz,
    duration_ms int, answer text, detail text)
  on conflict do nothing;
end
$$;

-- Claims one payout for the person whose token is presented, as `claim_payouts` does for a worker, due or not.
-- Results: `claimed`; `unauthorized` when no such token may write;
-- `leased`, when its request, a worker or an operator holds a lease; `ended`, when it is not in `processing`.
-- See `PayoutDecisionStore.claim` in packages/core/src/payout/decision-ports.ts.
create function quipu.claim_payout(tenant text, payout text, question text, by jsonb, at timestamptz,
  lease_seconds float8, clock_override timestamptz,
  out result text, out fencing_token int, out claim_count int, out unanswered int, out raised jsonb,
  out ordered boolean, out network_ref text, out moment timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  acting quipu.actor;
  ended text;
begin
  if question not in ('status', 'cancel') then
    raise exception 'no question of an operator: %', question using errcode = 'check_violation';
  end if;
  perform quipu.lock_wallets(array[tenant]);
  acting := quipu.acting_operator(by, array['operator', 'admin'], at);
  if acting.person is null then
    result := 'unauthorized';
    return;
  end if;
  if not exists (
    select from quipu.payout p where p.tenant_id = tenant and p.id = payout and p.hold is not null
  ) then
    raise exception 'no payout % that was accepted', payout using errcode = 'foreign_key_violation';
  end if;
  moment := quipu.store_now(clock_override);
  select e.status into ended from quipu.payout_end e
  where e.payout_id = payout and e.tenant_id = tenant;
  if ended is not null then
    result := 'ended';
  else
    perform quipu.open_payouts(array[tenant], array[payout]);
    update quipu.payout_open o
    set fencing_token = o.fencing_token + 1, claim_count = o.claim_count + 1, leased = true,
      hinted = false, due_at = quipu.due_after(moment, lease_seconds)
    where o.payout_id = payout and o.tenant_id = tenant and (not o.leased or o.due_at <= moment)
    returning o.fencing_token, o.claim_count, o.unanswered, o.raised, o.ordered, o.network_ref
    into fencing_token, claim_count, unanswered, raised, ordered, network_ref;
    result := case when found then 'claimed' else 'leased' end;
  end if;
  if result = 'claimed' or (result = 'ended' and question = 'status') then
    perform quipu.write_audit(acting, case question when 'status' then 'payout.query' else 'payout.cancel' end,
      tenant, payout, at, jsonb_build_object('status', coalesce(ended, 'processing')), null);
  end if;
end
$$;

alter table quipu.proposal add constraint evidence_of_settlement
  check (action not in ('settle_payout', 'return_deposit') or evidence_digest is not null);

-- Settles a payout in `processing` as an approved proposal says, leased or not: the newest claim is this one.
-- `stale`: the payout has ended. `not_approved`: there is no approved proposal of exactly this settlement.
-- Raises an exception when neither a worker nor an operator has queried the network about the payout, which they
-- do only after the lease of its request: a payment may still be on its way until then.
create function quipu.decide_payout(tenant text, payout text, proposal text, outcome text, paid bigint,
  payment text, error_message text, actor text, reason text, at timestamptz, event_id uuid, traceparent text)
returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  token int;
  given_ref text;
  logged timestamptz;
  settled record;
begin
  perform quipu.lock_wallets(array[tenant]);
  perform from quipu.payout p
  where p.tenant_id = tenant and p.id = payout and p.hold is not null
    and not exists (
      select from quipu.payout_end e where e.payout_id = payout and e.tenant_id = tenant
    );
  if not found then
    return 'stale';
  end if;
  if not quipu.lock_approved_proposal(tenant, proposal, 'settle_payout', payout,
    -- Its other members are for the person who approves.
    (select p.details - array['outcome', 'paid_minor', 'network_payment_id'] from quipu.proposal p
      where p.id = proposal)
      || jsonb_strip_nulls(jsonb_build_object('outcome', outcome, 'paid_minor', paid::text,
        'network_payment_id', payment)), actor, reason)
  then
    return 'not_approved';
  end if;
  if not exists (
    select from quipu.network_call c
    where c.payout_id = payout and c.tenant_id = tenant and c.queried_by <> 'request'
  ) then
    raise exception 'the network was not queried about payout %', payout
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  update quipu.payout_open o set fencing_token = o.fencing_token + 1
  where o.payout_id = payout and o.tenant_id = tenant
  returning o.fencing_token, o.network_ref into strict token, given_ref;
  select s.results, s.redated_tos into settled from quipu.settle_payouts(array[tenant], array[1],
    array[payout], array[token], array[outcome],
    array[case outcome when 'failed' then 'PAYMENT_FAILED' when 'cancelled' then 'PAYMENT_CANCELLED' end],
    array[error_message], array[case outcome when 'completed' then payment end], array[at],
    array[event_id], array[traceparent], array[given_ref]) s;
  if settled.results is not null then
    raise exception 'payout % could not be settled', payout;
  end if;
  logged := coalesce(settled.redated_tos[1], at);
  perform quipu.mark_executed(tenant, proposal, logged);
  perform quipu.write_audit(quipu.proposing_actor(proposal), 'payout.settle', tenant, payout, logged,
    jsonb_build_object('status', 'processing'),
    jsonb_strip_nulls(jsonb_build_object('status', outcome, 'proposal_id', proposal, 'reason', reason,
      'paid_bob', round(paid::numeric / 100, 2)::text, 'network_payment_id', payment)));
  return 'committed';
end
$$;
