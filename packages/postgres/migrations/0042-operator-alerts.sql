-- Alerts to the operator's gateway: an outbox. See docs/decisions/notices.md.

create sequence quipu.operator_alert_claim;

-- An alert that was raised, and how far the gateway was notified of it. What lasts has one row until it is over.
create table quipu.operator_alert (
  id text collate "C" primary key,
  code text collate "C" not null,
  subject text not null,
  tenant_id text collate "C",
  detail text not null,
  is_fault boolean not null, -- seen again and again while it lasts
  lasts boolean not null, -- false for what happened once
  raised_at timestamptz not null,
  seen_at timestamptz not null, -- when a process last found it
  looked_at timestamptz not null, -- when it was last looked at whether it is over
  ended_at timestamptz,
  sent int not null default 0 check (sent >= 0), -- accepted messages
  accepted_at timestamptz, -- the last of them
  due_at timestamptz not null, -- of the next message, or the end of its lease; infinite when there is none
  failed_attempts int not null default 0,
  repeat_seconds float8 not null default 0, -- of the claim
  fencing_token bigint not null default 0,
  claimed_as text collate "C", -- the status of the claimed message; null without a claim
  status text collate "C" not null generated always as (
    case when sent = 0 then 'raised' when lasts and ended_at is not null then 'resolved' else 'repeated' end
  ) stored,
  check (claimed_as in ('raised', 'repeated', 'resolved'))
);
create unique index operator_alert_open on quipu.operator_alert (code, subject) where lasts and ended_at is null;
create index operator_alert_once on quipu.operator_alert (code, subject, seen_at) where not lasts;
create index operator_alert_due on quipu.operator_alert (due_at, id) where due_at < 'infinity';
create index operator_alert_look on quipu.operator_alert (looked_at) where lasts and ended_at is null;
create index operator_alert_claimed on quipu.operator_alert (fencing_token) where claimed_as is not null;
create index operator_alert_accepted on quipu.operator_alert (accepted_at) where accepted_at is not null;
create index operator_alert_unsent on quipu.operator_alert (raised_at) where sent = 0;

-- Whether what was alerted is over; null for what happened once.
create function quipu.alert_is_over(a quipu.operator_alert, moment timestamptz) returns boolean
language sql stable
return case
  when a.is_fault then a.seen_at < moment - interval '15 s'
  -- Nothing is written while they last.
  when a.code in ('DATABASE_CANNOT_COMMIT', 'STANDBY_NOT_REQUIRED') then true
  when a.code = 'CLOCK_APART' then not exists (
    select from quipu.process p
    where abs(p.ahead_ms) >= 2000 and p.ended_at is null and p.seen_at > moment - interval '30 s')
  when a.code in ('PAID_WRONG_AMOUNT', 'UNEXPECTED_ANSWER', 'PROCESSING_TOO_LONG', 'NEEDS_OPERATOR') then exists (
    select from quipu.payout_end e where e.payout_id = a.subject and e.tenant_id = a.tenant_id)
  when a.code in ('LEDGER_DIFFERENCE', 'NETWORK_DIFFERENCE', 'CHAIN_DIFFERENCE', 'LIQUIDITY_LOW', 'NETWORK_CONTRADICTS')
    then exists (select from quipu.difference d where d.subject = a.subject)
      and not exists (select from quipu.difference d where d.subject = a.subject and d.status = 'open')
  when a.code = 'WEBHOOK_FAILING' then not exists (
    select from quipu.webhook_endpoint w where w.id = a.subject and w.is_failing_long and w.status = 'active')
  when a.code = 'WEBHOOK_PAUSED' then not exists (
    select from quipu.webhook_endpoint w where w.id = a.subject and w.status = 'paused')
  when a.code = 'SWEEP_UNSENT' then not exists (
    select from quipu.sweep_transfer t where t.id = a.subject and t.problem is not null and t.ended_at is null)
  -- Ten later orders, of which eight or more were paid. A thousand rows bound what is read.
  when a.code = 'PAYOUTS_FAIL' then (
    select count(*) = 10 and count(last.error_code) <= 2 from (
      select e.error_code from (
        select * from quipu.payout_end order by payout_id desc limit 1000
      ) e
      where e.ended_at > a.raised_at and coalesce(e.error_code, 'PAYMENT_FAILED')
        in ('PAYMENT_FAILED', 'PAYMENT_CANCELLED', 'INSUFFICIENT_FUNDS')
      order by e.payout_id desc limit 10
    ) last)
  when a.code = 'SOURCES_DISAGREE' then exists (
    select from quipu.deposit d
    where d.id = a.subject and d.tenant_id = a.tenant_id
      and (d.closed_at is not null or d.status not in ('pending', 'in_review')))
end;

create function quipu.record_operator_alert(id text, code text, subject text, tenant_id text, detail text,
  is_fault boolean, is_sent boolean, raised_at timestamptz, clock_override timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  now timestamptz := quipu.store_now(clock_override);
  new_alert quipu.operator_alert;
begin
  -- One alert of a code and subject at a time: two processes raise each fault.
  perform pg_advisory_xact_lock(hashtextextended('quipu.operator_alert ' || code || ' ' || subject, 0));
  update quipu.operator_alert a
  set seen_at = now, detail = detail,
    due_at = case when not is_fault and a.detail <> detail and a.sent > 0 and a.claimed_as is null
      then now else a.due_at end
  where a.code = code and a.subject = subject and a.lasts and a.ended_at is null and a.id <> id;
  if found then
    return;
  end if;
  new_alert.is_fault := is_fault;
  new_alert.code := code;
  new_alert.subject := subject;
  new_alert.tenant_id := tenant_id;
  new_alert.seen_at := now;
  if quipu.alert_is_over(new_alert, now) is null and exists (
    select from quipu.operator_alert a
    where a.code = code and a.subject = subject and not a.lasts and a.seen_at > now - interval '1 hour' and a.id <> id
  ) then
    return;
  end if;
  insert into quipu.operator_alert as a (id, code, subject, tenant_id, detail, is_fault, lasts, raised_at, seen_at,
    looked_at, ended_at, due_at, sent, accepted_at)
  values (id, code, subject, tenant_id, detail, is_fault, quipu.alert_is_over(new_alert, now) is not null,
    least(raised_at, now), now, now, case when quipu.alert_is_over(new_alert, now) is null then now end,
    case when is_sent and quipu.alert_is_over(new_alert, now) is null then 'infinity' when is_sent then
      now + interval '1 hour' else now end, is_sent::int, case when is_sent then now end)
  on conflict on constraint operator_alert_pkey do update
  set seen_at = now, sent = greatest(a.sent, excluded.sent), accepted_at = coalesce(a.accepted_at, excluded.accepted_at),
    due_at = case when excluded.sent > a.sent then excluded.due_at else a.due_at end;
end
$$;

-- Claims the next message, and ends alerts of what is over.
--
-- More than ten alerts of one code and status are one message: an outage of the network hangs thousands of payouts.
create function quipu.claim_operator_alert(lease_seconds float8, repeat_seconds float8, clock_override timestamptz)
returns table (id text, code text, subject text, tenant_id text, detail text, raised_at timestamptz,
  ended_at timestamptz, sent int, status text, failed_attempts int, fencing_token bigint, further int)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  now timestamptz := quipu.store_now(clock_override);
  lease_end timestamptz := quipu.due_after(now, lease_seconds);
  token bigint;
  first quipu.operator_alert;
  claimed int;
begin
  update quipu.operator_alert a
  set looked_at = now, ended_at = case when quipu.alert_is_over(a, now) then now end,
    due_at = case when quipu.alert_is_over(a, now) and a.sent > 0 and a.claimed_as is null then now else a.due_at end
  where a.id in (
    select o.id from quipu.operator_alert o
    where o.lasts and o.ended_at is null and o.looked_at <= now - interval '5 s'
    order by o.looked_at limit 100 for update skip locked
  );
  delete from quipu.operator_alert a where a.id in (
    select o.id from quipu.operator_alert o
    where o.accepted_at < now - interval '90 days' and o.due_at = 'infinity' limit 100 for update skip locked
  );
  select a.* into first from quipu.operator_alert a where a.due_at <= now
  order by a.due_at, a.id limit 1 for update skip locked;
  if not found then
    return;
  end if;
  token := nextval('quipu.operator_alert_claim');
  update quipu.operator_alert a
  set due_at = lease_end, fencing_token = token, claimed_as = a.status, repeat_seconds = claim_operator_alert.repeat_seconds
  where a.id = first.id or a.id in (
    select o.id from quipu.operator_alert o
    where o.due_at <= now and o.code = first.code and o.status = first.status
      and (select count(*) from (
        select from quipu.operator_alert m where m.due_at <= now and m.code = first.code and m.status = first.status
        limit 11
      ) counted) > 10
    order by o.due_at, o.id limit 1000 for update skip locked
  );
  get diagnostics claimed = row_count;
  return query select first.id, first.code, first.subject, first.tenant_id, first.detail, first.raised_at,
    first.ended_at, first.sent, first.status, first.failed_attempts, token, claimed - 1;
end
$$;

-- Records that the gateway accepted a message, and when the next one is due. Returns false when a newer claim exists.
create function quipu.accept_operator_alert(fencing_token bigint, clock_override timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  now timestamptz := quipu.store_now(clock_override);
begin
  update quipu.operator_alert a
  set sent = a.sent + 1, accepted_at = now, failed_attempts = 0, claimed_as = null,
    due_at = case
      when not a.lasts or a.claimed_as = 'resolved' then 'infinity'
      when a.ended_at is not null then now
      else now + make_interval(secs => a.repeat_seconds) end
  where a.fencing_token = fencing_token and a.claimed_as is not null;
  return found;
end
$$;

-- Makes a message due again after a failed attempt. Returns as `accept_operator_alert`.
create function quipu.retry_operator_alert(fencing_token bigint, due_seconds float8, clock_override timestamptz)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  due timestamptz := quipu.due_after(quipu.store_now(clock_override), due_seconds);
begin
  update quipu.operator_alert a
  set due_at = due, failed_attempts = a.failed_attempts + 1, claimed_as = null
  where a.fencing_token = fencing_token and a.claimed_as is not null;
  return found;
end
$$;
