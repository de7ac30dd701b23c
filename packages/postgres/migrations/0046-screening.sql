-- Cases of screening: senders, merchants and tenants that are on a list, and outages of the screening itself. See
-- docs/decisions/screening.md.

-- One case for all hits of a subject on a list for a reason, and one for all outages of a kind.
create table quipu.screening_case (
  id text collate "C" primary key,
  kind text collate "C" not null check (kind in ('sender', 'merchant', 'tenant')),
  outcome text collate "C" not null check (outcome in ('listed', 'unanswered')),
  subject text collate "C" not null, -- an address, a bank and normalized name, or a tenant's id; empty for an outage
  name text not null, -- what was screened
  tenant_id text collate "C" references quipu.tenant, -- whom it happened to first; null: nobody
  list text not null,
  version text not null,
  reason text not null,
  reference text collate "C", -- the deposit or tenant that it happened to last
  hits bigint not null check (hits > 0),
  created_at timestamptz not null,
  opened_at timestamptz not null, -- later than its creation when an outage came again
  last_hit_at timestamptz not null,
  status text collate "C" not null,
  decided_at timestamptz,
  decided_by text, -- the person who approved
  proposal_id text collate "C",
  constraint case_of_its_status check (
    case status when 'open' then num_nonnulls(decided_at, decided_by, proposal_id) = 0
      when 'answered' then outcome = 'unanswered'
      else status in ('cleared', 'confirmed') and outcome = 'listed'
        and num_nonnulls(decided_at, decided_by, proposal_id) = 3 end
  )
);
create unique index screening_case_subject on quipu.screening_case
  (kind, subject, list, (case outcome when 'listed' then reason else '' end));
create index screening_case_newest on quipu.screening_case (created_at, id);
create index screening_case_open on quipu.screening_case (opened_at, id) where status = 'open';
create trigger limited_change before update or delete on quipu.screening_case
  for each row execute function quipu.refuse_other_change('name', 'version', 'reason', 'reference', 'hits',
    'opened_at', 'last_hit_at', 'status', 'decided_at', 'decided_by', 'proposal_id');
select quipu.refuse_truncate('quipu.screening_case');

-- Suspends an active tenant that is listed.
create function quipu.suspend_listed(tenant text, screening_case text, at timestamptz) returns void
language plpgsql as $$
#variable_conflict use_variable
declare
  t quipu.tenant;
  w quipu.wallet;
  before jsonb;
begin
  select * into t from quipu.tenant where id = tenant and status = 'active' for no key update;
  if not found then
    return;
  end if;
  select * into strict w from quipu.wallet where tenant_id = tenant;
  before := quipu.tenant_state(t, w.daily_limit_amount, w.daily_limit_count);
  t.status := 'suspended';
  t := quipu.write_tenant(tenant, t, w);
  perform quipu.write_audit(null, 'tenant.suspend', tenant, tenant, at, before,
    quipu.tenant_state(t, w.daily_limit_amount, w.daily_limit_count) || jsonb_build_object('screening_case', screening_case));
end
$$;

-- Opens the case of a hit, or counts the hit in it; a cleared one stays as it is. A listed tenant is suspended until
-- two people have cleared its case. Texts are cut, so that an index takes them. Returns the case's id.
create function quipu.hit_screening(new_id text, kind text, outcome text, subject text, name text, tenant text,
  list text, version text, reason text, reference text, hits int, clock_override timestamptz,
  out case_id text, out is_new boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  moment timestamptz := quipu.store_now(clock_override);
  c quipu.screening_case;
begin
  if kind = 'tenant' and outcome = 'listed' then
    perform quipu.lock_wallets(array[subject]);
  end if;
  subject := left(subject, 200);
  list := left(list, 100);
  reason := left(reason, 200);
  insert into quipu.screening_case (id, kind, outcome, subject, name, tenant_id, list, version, reason, reference, hits,
    created_at, opened_at, last_hit_at, status)
  values (new_id, kind, outcome, subject, left(name, 300), tenant, list, left(version, 100), reason, left(reference, 100),
    hits, moment, moment, moment, 'open')
  on conflict do nothing;
  is_new := found;
  select s.* into strict c from quipu.screening_case s
  where s.kind = kind and s.subject = subject and s.list = list
    and case s.outcome when 'listed' then s.reason else '' end = case outcome when 'listed' then reason else '' end
  for no key update;
  case_id := c.id;
  if c.status = 'cleared' then
    return;
  end if;
  if not is_new then
    is_new := c.status = 'answered';
    update quipu.screening_case s
    set hits = s.hits + hits, last_hit_at = greatest(s.last_hit_at, moment), version = left(version, 100),
      reason = reason, reference = left(reference, 100), name = left(name, 300),
      opened_at = case when is_new then moment else s.opened_at end,
      status = case when is_new then 'open' else s.status end,
      decided_at = case when not is_new then s.decided_at end
    where s.id = c.id;
  end if;
  if kind = 'tenant' and outcome = 'listed' then
    perform quipu.suspend_listed(subject, c.id, moment);
  end if;
end
$$;

-- Ends the open case of an outage.
create function quipu.end_outage(kind text, clock_override timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := quipu.store_now(clock_override);
begin
  update quipu.screening_case c set status = 'answered', decided_at = moment
  where c.kind = end_outage.kind and c.outcome = 'unanswered' and c.status = 'open';
end
$$;

-- Whether people have to clear a case before the tenant is resumed.
create function quipu.is_listed(tenant text) returns boolean
language sql stable
return exists (
  select from quipu.screening_case c
  where c.kind = 'tenant' and c.subject = tenant and c.outcome = 'listed' and c.status in ('open', 'confirmed')
);

-- Decides a case as an approved proposal says. Returns the audit entry.
create function quipu.decide_screening(approved quipu.proposal, at timestamptz) returns quipu.audit_log[]
language plpgsql as $$
declare
  c quipu.screening_case;
begin
  select s.* into strict c from quipu.screening_case s
  where s.id = approved.subject and s.outcome = 'listed' and s.tenant_id is not distinct from approved.tenant_id
  for no key update;
  update quipu.screening_case s
  set status = approved.details ->> 'decision', decided_at = at, decided_by = approved.approved_by,
    proposal_id = approved.id
  where s.id = c.id;
  return array[quipu.audit_entry(quipu.proposing_actor(approved.id), 'screening.decide', c.tenant_id, c.id, at,
    jsonb_build_object('status', c.status), jsonb_build_object('status', approved.details ->> 'decision',
      'kind', c.kind, 'name', c.name, 'list', c.list, 'reason', c.reason, 'proposal_id', approved.id))];
end
$$;

-- Makes a review for `SENDER_NOT_SCREENED` due at once, in the name of the person whose token is presented.
create function quipu.screen_deposit(tenant text, deposit text, by jsonb, at timestamptz, clock_override timestamptz)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  update quipu.deposit d set due_at = least(d.due_at, quipu.store_now(clock_override))
  where d.id = deposit and d.tenant_id = tenant and d.status = 'in_review' and d.review_code = 'SENDER_NOT_SCREENED'
    and d.closed_at is null;
  if not found then
    return 'stale';
  end if;
  perform quipu.write_audit(acting, 'deposit.screen', tenant, deposit, at, null, null);
  return 'committed';
end
$$;
