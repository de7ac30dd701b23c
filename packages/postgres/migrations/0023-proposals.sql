-- Proposals: what one operator asks for, another one approves, and the service then executes once. The writes
-- of what they ask for are in 0009-funding.sql.

-- Actions that one operator proposes and another approves: its action, approval and end. `executed` is written with
-- the action.
create table quipu.proposal (
  id text collate "C" primary key,
  tenant_id text collate "C" references quipu.tenant, -- null where the action concerns no tenant
  action text collate "C" not null
    check (action in ('adjust_wallet', 'credit_deposit', 'close_deposit', 'close_deposits', 'return_deposit', 'settle_payout',
      'issue_operator_token', 'issue_api_key', 'change_limits', 'decide_screening', 'change_pricing', 'resume_tenant',
      'start_payouts')),
  subject text collate "C" not null, -- id of what the action changes
  details jsonb not null, -- the parameters of the action: texts by name
  reason text not null,
  evidence_note text,
  evidence_digest text collate "C", -- SHA-256 of an attachment, which is kept elsewhere
  proposed_by text not null,
  proposed_with text collate "C" not null, -- id of the operator token
  proposed_from text, -- source address of the request
  proposed_session text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null,
  status text collate "C" not null,
  approved_at timestamptz,
  approved_by text, -- null also when one person sufficed, as the amount was within the approval limit
  approved_with text collate "C", -- id of the operator token
  executed_at timestamptz,
  withdrawn_at timestamptz,
  withdrawn_by text,
  rejected_at timestamptz,
  rejected_by text,
  rejection text, -- why
  failed_at timestamptz,
  failure text, -- why the action no longer fitted
  constraint approver_is_another_person check (approved_by <> proposed_by),
  constraint rejected_by_another_person check (rejected_by <> proposed_by),
  constraint approved_in_time check (approved_at < expires_at),
  constraint one_person_suffices check (
    approved_at is null or approved_by is not null
    or action in ('adjust_wallet', 'credit_deposit', 'close_deposit', 'close_deposits') and not details ? 'review_code'
  ),
  constraint proposal_of_its_status check (
    num_nulls(evidence_note, evidence_digest) in (0, 2)
    and (approved_at is not null) = (status in ('approved', 'executed', 'failed'))
    and (approved_at is not null or approved_by is null)
    and num_nulls(approved_by, approved_with) in (0, 2)
    and (executed_at is not null) = (status = 'executed')
    and num_nulls(withdrawn_at, withdrawn_by) = case status when 'withdrawn' then 0 else 2 end
    and num_nulls(rejected_at, rejected_by, rejection) = case status when 'rejected' then 0 else 3 end
    and num_nulls(failed_at, failure) = case status when 'failed' then 0 else 2 end
    and status in ('open', 'approved', 'executed', 'failed', 'withdrawn', 'rejected')
  )
);
create index proposal_newest on quipu.proposal (created_at, id);
create index proposal_of_tenant on quipu.proposal (tenant_id, created_at, id);
create index proposal_of_status on quipu.proposal (status, created_at, id);
create trigger limited_change before update or delete on quipu.proposal
  for each row execute function quipu.refuse_other_change('status', 'approved_at', 'approved_by', 'approved_with',
    'executed_at', 'withdrawn_at', 'withdrawn_by', 'rejected_at', 'rejected_by', 'rejection', 'failed_at', 'failure');
create trigger ended_is_final before update on quipu.proposal
  for each row when (old.status in ('executed', 'failed', 'withdrawn', 'rejected'))
  execute function quipu.refuse_step();
create trigger approval_is_final before update on quipu.proposal
  for each row when (old.status = 'approved' and (new.status in ('open', 'withdrawn', 'rejected')
    or new.approved_at is distinct from old.approved_at
    or new.approved_by is distinct from old.approved_by
    or new.approved_with is distinct from old.approved_with))
  execute function quipu.refuse_step();
create trigger open_comes_first before update on quipu.proposal
  for each row when (old.status = 'open' and new.status in ('executed', 'failed'))
  execute function quipu.refuse_step();
select quipu.refuse_truncate('quipu.proposal');

-- Inserts a proposal: open, or approved at once when one person suffices.
create function quipu.insert_proposal(tenant text, proposal text, action text, subject text, details jsonb,
  reason text, evidence_note text, evidence_digest text, acting quipu.actor, at timestamptz,
  expires_at timestamptz, is_within_limit boolean) returns void
language plpgsql as $$
declare
  status text := case when is_within_limit then 'approved' else 'open' end;
begin
  insert into quipu.proposal (id, tenant_id, action, subject, details, reason, evidence_note,
    evidence_digest, proposed_by, proposed_with, proposed_from, proposed_session, created_at, expires_at,
    status, approved_at)
  values (proposal, tenant, action, subject, details, reason, evidence_note, evidence_digest, acting.person,
    acting.token_id, acting.address, acting.session, at, expires_at, status, case when is_within_limit then at end);
  perform quipu.write_audit(acting, 'proposal.open', tenant, proposal, at, null,
    jsonb_build_object('status', status, 'action', action, 'subject', subject, 'reason', reason)
      || details || jsonb_strip_nulls(jsonb_build_object('evidence_digest', evidence_digest)));
end
$$;

-- Who proposed, as the audit entry of the executed action names the person.
create function quipu.proposing_actor(proposal text) returns quipu.actor
language sql stable
begin atomic
  select (p.proposed_by, p.proposed_with, p.proposed_from, p.proposed_session, null)::quipu.actor
  from quipu.proposal p where p.id = proposal;
end;

-- Ends an approved proposal whose action no longer fits. Returns false when it is not approved.
create function quipu.fail_proposal(tenant text, proposal text, code text, at timestamptz)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform quipu.require_present(at);
  update quipu.proposal p set status = 'failed', failed_at = at, failure = code
  where p.id = proposal and p.tenant_id is not distinct from tenant and p.status = 'approved';
  if not found then
    return false;
  end if;
  perform quipu.write_audit(quipu.proposing_actor(proposal), 'proposal.fail', tenant, proposal, at,
    jsonb_build_object('status', 'approved'), jsonb_build_object('status', 'failed', 'failure', code));
  return true;
end
$$;

-- Whether this very action is approved, not executed, and by nobody whose token was revoked since. Locks the
-- proposal, so that concurrent executions wait. Called by the functions that execute it, in their transaction.
create function quipu.lock_approved_proposal(tenant text, proposal text, wanted_action text,
  wanted_subject text, wanted_details jsonb, proposer text, wanted_reason text) returns boolean
language plpgsql as $$
begin
  perform from quipu.proposal p
  where p.id = proposal and p.tenant_id = tenant and p.status = 'approved'
    and p.action = wanted_action and p.subject = wanted_subject and p.details = wanted_details
    and p.proposed_by = proposer and p.reason = wanted_reason
    and not quipu.is_by_revoked(p.proposed_with) and not quipu.is_by_revoked(p.approved_with)
  for no key update;
  return found;
end
$$;

-- Marks a proposal executed that `lock_approved_proposal` has locked.
create function quipu.mark_executed(tenant text, proposal text, at timestamptz) returns void
language plpgsql as $$
begin
  update quipu.proposal p set status = 'executed', executed_at = at
  where p.id = proposal and p.tenant_id is not distinct from tenant;
end
$$;

-- Inserts a proposal of the person whose token is presented: see `insert_proposal`. Returns `unauthorized`
-- when no such token may write. `propose_operator_token` and `propose_api_key` insert those that issue tokens
-- and keys.
create function quipu.open_proposal(tenant text, proposal text, action text, subject text, details jsonb,
  reason text, evidence_note text, evidence_digest text, at timestamptz,
  expires_at timestamptz, is_within_limit boolean, by jsonb) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by,
    case when action in ('change_limits', 'change_pricing') then array['admin'] else array['operator', 'admin'] end, at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  if action in ('issue_operator_token', 'issue_api_key') then
    raise exception 'open_proposal cannot %', action using errcode = 'check_violation';
  end if;
  perform quipu.insert_proposal(tenant, proposal, action, subject, details, reason, evidence_note,
    evidence_digest, acting, at, expires_at, is_within_limit);
  return 'committed';
end
$$;

-- Executes, in the transaction of its approval, what an approved proposal issues, changes or starts again. Returns the
-- audit entries; null when the stop or suspension that it ends is over.
create function quipu.execute_approved(approved quipu.proposal, at timestamptz) returns quipu.audit_log[]
language plpgsql as $$
declare
  token jsonb;
begin
  case approved.action
    when 'issue_operator_token' then
      update quipu.operator_token t set activated_at = at where t.id = approved.subject
      returning quipu.operator_token_details(t) into strict token;
      return array[quipu.audit_entry(quipu.proposing_actor(approved.id), 'operator_token.issue', null, approved.subject, at,
        null, token || jsonb_build_object('proposal_id', approved.id))];
    when 'issue_api_key' then
      return quipu.activate_api_key(approved, at);
    when 'change_limits', 'change_pricing' then
      return quipu.change_terms(approved, at);
    when 'resume_tenant' then
      return quipu.resume_tenant(approved, at);
    when 'start_payouts' then
      return quipu.start_payouts(approved, at);
    when 'decide_screening' then
      return quipu.decide_screening(approved, at);
  end case;
end
$$;

-- Whether only an admin decides on the proposal.
create function quipu.is_for_admins(proposal text) returns boolean
language sql stable
begin atomic
  select exists (select from quipu.proposal p where p.id = proposal
    and p.action in ('issue_operator_token', 'issue_api_key', 'change_limits', 'change_pricing', 'decide_screening'));
end;

-- Approves an open proposal in the name of the person whose token is presented. The table refuses an approver
-- who is the proposer. What moves no money takes effect in the same transaction, or fails the proposal; other actions
-- are executed by the functions that move the money. Returns `unauthorized` when no such token may approve the
-- action, and `stale` when the proposal is not open or has expired.
create function quipu.approve_proposal(tenant text, proposal text, by jsonb,
  at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  is_for_admins boolean := quipu.is_for_admins(proposal);
  is_executed_here boolean := is_for_admins or exists (
    select from quipu.proposal p where p.id = proposal and p.action in ('resume_tenant', 'start_payouts'));
  acting quipu.actor;
  entries quipu.audit_log[];
  executed quipu.audit_log[];
  approved quipu.proposal;
begin
  if is_executed_here and tenant is not null then
    perform quipu.lock_wallets(array[tenant]); -- `change_terms` writes the wallet, whose lock comes first.
  end if;
  acting := quipu.acting_operator(by,
    case when is_for_admins then array['admin'] else array['operator', 'admin'] end, at);
  if acting.person is null then
    return 'unauthorized';
  end if;
  update quipu.proposal p set status = 'approved', approved_at = at, approved_by = acting.person, approved_with = acting.token_id
  where p.id = proposal and p.tenant_id is not distinct from tenant and p.status = 'open'
    and p.expires_at > at
  returning * into approved;
  if not found then
    return 'stale';
  end if;
  entries := array[quipu.audit_entry(acting, 'proposal.approve', tenant, proposal, at,
    jsonb_build_object('status', 'open'), jsonb_build_object('status', 'approved'))];
  if is_executed_here then
    executed := quipu.execute_approved(approved, at);
    if executed is null then
      update quipu.proposal p set status = 'failed', failed_at = at, failure = 'NOT_RESUMABLE' where p.id = proposal;
      executed := array[quipu.audit_entry(quipu.proposing_actor(proposal), 'proposal.fail', tenant, proposal, at,
        jsonb_build_object('status', 'approved'), jsonb_build_object('status', 'failed', 'failure', 'NOT_RESUMABLE'))];
    else
      perform quipu.mark_executed(tenant, proposal, at);
    end if;
    entries := entries || executed;
  end if;
  perform quipu.write_audit_entries(entries);
  return 'committed';
end
$$;

-- Rejects an open proposal, with a reason, in the name of the person whose token is presented: any who could approve
-- it. Returns as `approve_proposal`; `stale` also for the proposer, who withdraws it.
create function quipu.reject_proposal(tenant text, proposal text, given_reason text, by jsonb,
  at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by,
    case when quipu.is_for_admins(proposal) then array['admin'] else array['operator', 'admin'] end, at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  update quipu.proposal p set status = 'rejected', rejected_at = at, rejected_by = acting.person, rejection = given_reason
  where p.id = proposal and p.tenant_id is not distinct from tenant and p.status = 'open'
    and p.expires_at > at and p.proposed_by <> acting.person;
  if not found then
    return 'stale';
  end if;
  perform quipu.write_audit(acting, 'proposal.reject', tenant, proposal, at,
    jsonb_build_object('status', 'open'), jsonb_build_object('status', 'rejected', 'reason', given_reason));
  return 'committed';
end
$$;

-- Withdraws an open proposal in the name of the person whose token is presented: the proposer, or an admin.
-- Returns as `approve_proposal`.
create function quipu.withdraw_proposal(tenant text, proposal text, by jsonb,
  at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  update quipu.proposal p set status = 'withdrawn', withdrawn_at = at, withdrawn_by = acting.person
  where p.id = proposal and p.tenant_id is not distinct from tenant and p.status = 'open'
    and p.expires_at > at and (p.proposed_by = acting.person or acting.role = 'admin');
  if not found then
    return 'stale';
  end if;
  perform quipu.write_audit(acting, 'proposal.withdraw', tenant, proposal, at,
    jsonb_build_object('status', 'open'), jsonb_build_object('status', 'withdrawn'));
  return 'committed';
end
$$;
