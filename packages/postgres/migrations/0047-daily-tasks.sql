-- Tasks that one process of the installation does once a day. See docs/decisions/reports.md.

-- Up to which day each task is done, and the claim on the next one. The first claim inserts the row.
create table quipu.daily_task (
  task text collate "C" primary key check (task in ('digest', 'report_check', 'retention', 'screening_tenants')),
  day date,
  accepted_at timestamptz,
  claimed_day date,
  due_at timestamptz not null default '-infinity', -- the end of the lease, or of the pause after a failure
  failed_attempts int not null default 0,
  fencing_token bigint not null default 0
);

-- Claims the oldest day of the task that is not done, of the last `missed_days` before `day` and `day` itself; the first
-- claim of all begins with `day`. Returns nothing when `day` or a later one is done, or a day is claimed.
create function quipu.claim_daily_task(task text, day date, missed_days int, lease_seconds float8, clock_override timestamptz)
returns table (claimed_day text, fencing_token bigint, failed_attempts int)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  now timestamptz := quipu.store_now(clock_override);
  lease_end timestamptz := quipu.due_after(now, lease_seconds);
begin
  insert into quipu.daily_task (task) values (claim_daily_task.task) on conflict do nothing;
  return query update quipu.daily_task d
  set fencing_token = d.fencing_token + 1, due_at = lease_end,
    claimed_day = case when d.day is null then claim_daily_task.day
      else greatest(d.day + 1, claim_daily_task.day - missed_days) end
  where d.task = claim_daily_task.task and d.due_at <= now and coalesce(d.day < claim_daily_task.day, true)
  returning to_char(d.claimed_day, 'YYYY-MM-DD'), d.fencing_token, d.failed_attempts;
end
$$;

create function quipu.accept_daily_task(task text, fencing_token bigint, clock_override timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
begin
  update quipu.daily_task d
  set day = d.claimed_day, claimed_day = null, accepted_at = quipu.store_now(clock_override), due_at = '-infinity',
    failed_attempts = 0
  where d.task = task and d.fencing_token = fencing_token and d.claimed_day is not null;
  return found;
end
$$;

create function quipu.retry_daily_task(task text, fencing_token bigint, due_seconds float8, clock_override timestamptz)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  due timestamptz := quipu.due_after(quipu.store_now(clock_override), due_seconds);
begin
  update quipu.daily_task d
  set claimed_day = null, due_at = due, failed_attempts = d.failed_attempts + 1
  where d.task = task and d.fencing_token = fencing_token and d.claimed_day is not null;
  return found;
end
$$;
