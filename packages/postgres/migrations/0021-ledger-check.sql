-- The ledger check (see 0020-ledger-differences.sql). The worker calls it continuously; each call is one
-- slice.

-- A position in a tenant's log: its newest entry, the balance after it, and the sums of all entries up to it.
create type quipu.log_position as (
  seq bigint,
  logged_at timestamptz,
  balance_after numeric, -- available and held together
  deposit numeric,
  capture numeric,
  release numeric,
  adjustment_in numeric,
  adjustment_out numeric
);

-- The progress of a wallet's check. New entries are checked first. The recheck then checks all entries again
-- from the first one on, with the checkpoints, and then the payouts; and begins anew.
create table quipu.ledger_check (
  tenant_id text collate "C" primary key,
  checked_at timestamptz not null default '-infinity', -- when the wallet and its log were last found complete
  checked quipu.log_position not null default '(0,-infinity,0,0,0,0,0,0)',
  rechecked_at timestamptz not null default '-infinity', -- when the last recheck was complete
  rechecked quipu.log_position not null default '(0,-infinity,0,0,0,0,0,0)',
  rechecked_checkpoint bigint not null default 0, -- `through_seq` of the last compared checkpoint
  rechecked_payout text collate "C", -- the last rechecked payout; null while the log is rechecked
  rechecked_mispriced bigint not null default 0 -- payouts that this recheck found against the tenant's pricing
);

create index ledger_check_oldest on quipu.ledger_check (checked_at);

create index ledger_check_oldest_recheck on quipu.ledger_check (rechecked_at);

-- Every wallet has its row of `ledger_check` from its insertion on.
create function quipu.begin_ledger_check() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into quipu.ledger_check (tenant_id) values (new.tenant_id);
  return null;
end
$$;

create trigger begin_ledger_check after insert on quipu.wallet
  for each row execute function quipu.begin_ledger_check();

-- Records that payouts of a tenant have quotes which do not follow from its pricing: one difference, which counts
-- them and is alerted once, of the payout that was found first. `pass`: `new` entries of the log, which are checked
-- once; the `recheck`, which counts all of them anew; or payouts that are `held`, which are counted when they end.
create function quipu.record_mispriced(tenant text, ids text[], pass text) returns void
language plpgsql as $$
declare
  stored record;
  rechecked bigint;
  before bigint;
  total bigint;
  counted text;
begin
  if pass = 'recheck' then
    update quipu.ledger_check c set rechecked_mispriced = c.rechecked_mispriced + cardinality(ids)
    where c.tenant_id = tenant
    returning c.rechecked_mispriced into rechecked;
  end if;
  select d.id, d.subject, d.status, d.detail into stored from quipu.difference d
  where d.tenant_id = tenant and d.check_name = 'ledger' and d.kind = 'posting' and d.gone_at is null
    and starts_with(d.detail, quipu.mispriced())
  order by d.found_at, d.id limit 1;
  before := case when stored.id is null then 0
    else coalesce(substring(stored.detail from ' (\d+) more ')::bigint, 0) + 1 end;
  total := case pass
    when 'new' then before + cardinality(ids) - coalesce(stored.subject = any (ids), false)::int
    when 'recheck' then greatest(before, rechecked)
    else greatest(before, 1) end;
  if total = before then
    return;
  end if;
  counted := quipu.mispriced() || case when total > 1
    then format('; so are those of %s more payouts of the tenant', total - 1) else '' end;
  if stored.status = 'open' then
    perform quipu.lock_differences();
    update quipu.difference d set detail = counted, last_seen_at = quipu.store_now(null)
    where d.id = stored.id;
  else
    perform quipu.record_difference('ledger', tenant, 'posting', coalesce(stored.subject, ids[1]), counted);
  end if;
end
$$;

-- Checks the next `size` entries of a wallet's log up to a bound: their numbers are consecutive, each balance
-- is the balance before it plus what the entry moved, and each entry agrees with its source. Moves `reached`
-- past them.
create function quipu.check_entries(tenant text, inout reached quipu.log_position, bound_at timestamptz,
  bound_seq bigint, size int, out entries int, pass text default 'new')
language plpgsql
set enable_sort = off -- a plan that is made while the log is short must not sort all later entries
as $$
declare
  slice record;
  difference record;
  mispriced text[] := '{}';
begin
  with movement as materialized (
    select * from quipu.log_movement m
    where m.tenant_id = tenant and (m.logged_at, m.seq) > (reached.logged_at, reached.seq)
      and (m.logged_at, m.seq) <= (bound_at, bound_seq)
    order by m.logged_at, m.seq limit size
  ), followed as (
    select m.*, lag(m.seq, 1, reached.seq) over (order by m.logged_at, m.seq) as seq_before,
      lag(m.balance_after, 1, reached.balance_after) over (
        partition by m.balance_after is null order by m.logged_at, m.seq
      ) + coalesce(m.deposit, m.adjustment_in, -m.capture, -m.adjustment_out, 0) as balance_due
    from movement m
  ), compared as (
    select f.*, case when f.seq <> f.seq_before + 1 or f.balance_after <> f.balance_due then
      coalesce(f.payout_id, f.funding_id) || ': ' || concat_ws('; ',
        case when f.seq <> f.seq_before + 1 then 'it follows entry ' || f.seq_before end,
        quipu.off_by('the balance after it', f.balance_after, f.balance_due)) end as difference
    from followed f
  ), newest as (
    select m.seq, m.logged_at from movement m order by m.logged_at desc, m.seq desc limit 1
  )
  select count(*) as entries,
    (select n.seq from newest n) as seq, (select n.logged_at from newest n) as logged_at,
    (select m.balance_after from movement m where m.balance_after is not null
      order by m.logged_at desc, m.seq desc limit 1) as balance_after,
    coalesce(sum(f.deposit), 0) as deposit, coalesce(sum(f.capture), 0) as capture,
    coalesce(sum(f.release), 0) as release, coalesce(sum(f.adjustment_in), 0) as adjustment_in,
    coalesce(sum(f.adjustment_out), 0) as adjustment_out,
    array_agg(f.payout_id) filter (where f.payout_id is not null) as payout_ids,
    array_agg(f.capture) filter (where f.payout_id is not null) as captures,
    array_agg(f.release) filter (where f.payout_id is not null) as releases,
    array_agg(f.logged_at) filter (where f.funding_id is not null) as funding_times,
    array_agg(f.seq) filter (where f.funding_id is not null) as funding_seqs,
    array_agg(f.seq) filter (where f.difference is not null) as difference_seqs,
    array_agg(f.difference) filter (where f.difference is not null) as differences
  into slice
  from compared f;

  entries := slice.entries;
  if entries = 0 then
    return;
  end if;
  for difference in
    select w.id || ', entry ' || f.seq as subject, f.detail
    from unnest(slice.difference_seqs, slice.differences) f (seq, detail)
    join quipu.wallet w on w.tenant_id = tenant
  loop
    perform quipu.record_difference('ledger', tenant, 'log', difference.subject, difference.detail);
  end loop;
  for difference in
    select * from quipu.payout_differences(tenant, slice.payout_ids, slice.captures, slice.releases, true)
    union all
    select * from quipu.funding_differences(tenant, slice.funding_times, slice.funding_seqs)
  loop
    if difference.detail = quipu.mispriced() then
      mispriced := mispriced || difference.subject;
    else
      perform quipu.record_difference('ledger', tenant, 'posting', difference.subject, difference.detail);
    end if;
  end loop;
  if mispriced <> '{}' then
    perform quipu.record_mispriced(tenant, mispriced, pass);
  end if;
  reached := (slice.seq, slice.logged_at, coalesce(slice.balance_after, reached.balance_after),
    reached.deposit + slice.deposit, reached.capture + slice.capture, reached.release + slice.release,
    reached.adjustment_in + slice.adjustment_in, reached.adjustment_out + slice.adjustment_out);
end
$$;

-- Compares a wallet with its log, which is checked up to `reached`, and with the holds of payouts in
-- `processing`. Compares the `size` newest of these payouts with their quotes.
create function quipu.check_balance(tenant text, reached quipu.log_position, size int) returns void
language plpgsql as $$
declare
  wallet record;
  difference record;
begin
  -- One statement, and so one snapshot of the balance, the newer entries and the holds.
  with held as materialized (
    select h.payout_id, h.hold, h.accepted_at from quipu.held_payout h where h.tenant_id = tenant
  )
  select w.id, w.available, w.held, w.seq, w.logged_at, since.*,
    (select coalesce(sum(h.hold), 0) from held h) as holds,
    array(select h.payout_id from held h order by h.accepted_at desc limit size) as newest_held,
    (select max(c.through_seq) from quipu.balance_checkpoint c where c.tenant_id = tenant)
      as checkpoint_seq
  into wallet
  from quipu.wallet w
  cross join lateral (
    select coalesce(max(m.seq), reached.seq) as last_seq,
      coalesce(max(m.logged_at), reached.logged_at) as last_at,
      reached.deposit + coalesce(sum(m.deposit), 0) - reached.capture - coalesce(sum(m.capture), 0)
        + reached.adjustment_in + coalesce(sum(m.adjustment_in), 0)
        - reached.adjustment_out - coalesce(sum(m.adjustment_out), 0) as total
    from quipu.log_movement m
    where m.tenant_id = tenant and (m.logged_at, m.seq) > (reached.logged_at, reached.seq)
      -- Excludes nothing. Of a range the planner expects few rows, and so it uses the log's index.
      and m.logged_at between reached.logged_at and 'infinity'
  ) since
  where w.tenant_id = tenant;

  perform quipu.record_difference('ledger', tenant, 'available', wallet.id,
    quipu.off_by('available', wallet.available, wallet.total - wallet.holds),
    wallet.total - wallet.holds, wallet.available);
  perform quipu.record_difference('ledger', tenant, 'held', wallet.id,
    quipu.off_by('held', wallet.held, wallet.holds), wallet.holds, wallet.held);
  perform quipu.record_difference('ledger', tenant, 'log_end', wallet.id, nullif(concat_ws('; ',
    case when wallet.seq <> wallet.last_seq
      then format('its log ends with entry %s instead of %s', wallet.last_seq, wallet.seq) end,
    case when wallet.logged_at <> wallet.last_at
      then format('its newest entry is of %s instead of %s', wallet.last_at, wallet.logged_at) end,
    case when wallet.checkpoint_seq > wallet.seq
      then format('it has a checkpoint after entry %s', wallet.checkpoint_seq) end), ''));
  for difference in select * from quipu.payout_differences(tenant, wallet.newest_held, '{}', '{}', false) loop
    if difference.detail = quipu.mispriced() then
      perform quipu.record_mispriced(tenant, array[difference.subject], 'held');
    else
      perform quipu.record_difference('ledger', tenant, 'posting', difference.subject, difference.detail);
    end if;
  end loop;
end
$$;

-- Checks the next `size` new entries of a wallet and, when these were the last, its balance. Returns how many
-- entries it has checked: with `size`, there may be more.
create function quipu.check_wallet(tenant text, size int) returns int language plpgsql as $$
declare
  done record;
begin
  select e.* into done
  from quipu.ledger_check c
  cross join quipu.check_entries(tenant, c.checked, 'infinity', 0, size) e
  where c.tenant_id = tenant;
  update quipu.ledger_check c set checked = done.reached where c.tenant_id = tenant;
  if done.entries < size then
    perform quipu.check_balance(tenant, done.reached, size);
  end if;
  return done.entries;
end
$$;

-- Whether two positions have the same entry and sums. Ignores the balance, which not every entry has.
create function quipu.same_sums(a quipu.log_position, b quipu.log_position) returns boolean
language sql immutable
return (a.seq, a.logged_at, a.deposit, a.capture, a.release, a.adjustment_in, a.adjustment_out)
  = (b.seq, b.logged_at, b.deposit, b.capture, b.release, b.adjustment_in, b.adjustment_out);

-- Rechecks the next `size` entries of a wallet. At each checkpoint, and at the last checked entry, the sums
-- must be the stored ones. After the last entry `recheck_payouts` is next. Returns how many entries it has
-- checked.
create function quipu.recheck_log(tenant text, size int) returns int language plpgsql as $$
declare
  c quipu.ledger_check;
  checkpoint quipu.balance_checkpoint;
  bound quipu.log_position;
  done record;
  wallet text;
begin
  select * into c from quipu.ledger_check l where l.tenant_id = tenant;
  select * into checkpoint from quipu.balance_checkpoint b
  where b.tenant_id = tenant and b.through_seq > c.rechecked_checkpoint
    and b.through_seq between (c.rechecked).seq and (c.checked).seq -- leaves out those that were added behind it
  order by b.through_seq limit 1;
  bound := c.checked;
  if (checkpoint.through_at, checkpoint.through_seq) < (bound.logged_at, bound.seq) then
    bound := (checkpoint.through_seq, checkpoint.through_at, null, null, null, null, null, null);
  end if;
  select * into done from quipu.check_entries(tenant, c.rechecked, bound.logged_at, bound.seq, size,
    pass => 'recheck');
  c.rechecked := done.reached;
  if done.entries < size then
    select w.id into wallet from quipu.wallet w where w.tenant_id = tenant;
    if checkpoint.tenant_id is not null then
      perform quipu.record_difference('ledger', tenant, 'checkpoint',
        wallet || ', balance checkpoint of entry ' || checkpoint.through_seq,
        case when not quipu.same_sums(c.rechecked, (checkpoint.through_seq, checkpoint.through_at, null,
          checkpoint.deposit, checkpoint.capture, checkpoint.release, checkpoint.adjustment_in,
          checkpoint.adjustment_out)) then 'the checkpoint is not the sum of the entries up to it' end);
      c.rechecked_checkpoint := checkpoint.through_seq;
    end if;
    if bound.seq = (c.checked).seq and bound.logged_at = (c.checked).logged_at then
      perform quipu.record_difference('ledger', tenant, 'recheck', wallet,
        case when not quipu.same_sums(c.rechecked, c.checked)
          then 'postings were added in the past, or removed' end);
      c.rechecked := '(0,-infinity,0,0,0,0,0,0)';
      c.rechecked_checkpoint := 0;
      c.rechecked_payout := '';
    end if;
  end if;
  update quipu.ledger_check l
  set rechecked = c.rechecked, rechecked_checkpoint = c.rechecked_checkpoint, rechecked_payout = c.rechecked_payout,
    rechecked_mispriced = case when c.rechecked_payout is null then l.rechecked_mispriced else 0 end
  where l.tenant_id = tenant;
  return done.entries;
end
$$;

-- Checks the next `size` payouts of a wallet: each has ended, or has a row of `payout_lease` or
-- `payout_open`, by which a worker finds it. After the last one the recheck is complete. Returns how many
-- payouts it has checked.
create function quipu.recheck_payouts(tenant text, size int) returns int language plpgsql as $$
declare
  slice record;
  difference record;
begin
  with page as materialized (
    select p.id from quipu.ledger_check c
    cross join lateral (
      select p.id from quipu.payout p
      where p.tenant_id = tenant and p.id > c.rechecked_payout order by p.id limit size
    ) p
    where c.tenant_id = tenant
  ), unended as materialized (
    select p.id from page p
    where not exists (
      select from quipu.payout_end e where e.payout_id = p.id and e.tenant_id = tenant
    )
  )
  select (select max(p.id) from page p) as last, (select count(*) from page) as payouts,
    array(
      select u.id from unended u
      where u.id not in (select h.payout_id from quipu.held_payout h where h.tenant_id = tenant)
    ) as lost
  into slice;

  for difference in select unnest(slice.lost) as id loop
    perform quipu.record_difference('ledger', tenant, 'lease', difference.id,
      'it has not ended and has no lease, so no worker claims it');
  end loop;
  update quipu.ledger_check c
  set rechecked_payout = case when slice.payouts = size then slice.last end,
    rechecked_at = case when slice.payouts = size then c.rechecked_at else clock_timestamp() end
  where c.tenant_id = tenant;
  return slice.payouts;
end
$$;

-- Records the differences of a tenant's own rows, and those that are gone.
create function quipu.check_tenant(tenant text) returns void language plpgsql as $$
declare
  difference record;
begin
  for difference in
    select coalesce(f.subject, d.subject) as subject, f.detail
    from quipu.tenant_differences(tenant) f
    full join (
      select d.subject from quipu.difference d
      where d.tenant_id = tenant and d.check_name = 'ledger' and d.kind = 'tenant' and d.gone_at is null
    ) d on d.subject = f.subject
  loop
    perform quipu.record_difference('ledger', tenant, 'tenant', difference.subject, difference.detail);
  end loop;
end
$$;

-- Records that a wallet has a row which its check or recheck cannot read, so that this stops the check of no other
-- wallet; with no error, that it has none.
create function quipu.record_unreadable(tenant text, kind text, error text) returns void
language plpgsql as $$
begin
  perform quipu.record_difference('ledger', tenant, kind, w.id, 'its check failed: ' || error)
  from quipu.wallet w where w.tenant_id = tenant;
end
$$;

-- Rechecks the wallets whose last recheck is oldest, if that is at least `every_seconds` ago, until
-- `rows_left` rows are read. Counts a slice as at least 50 rows, which is its fixed cost.
create function quipu.recheck_ledger(every_seconds float8, size int, rows_left int) returns void
language plpgsql as $$
declare
  before timestamptz := clock_timestamp() - make_interval(secs => every_seconds);
  c record;
  rows int;
  error text;
begin
  while rows_left > 0 loop
    select l.tenant_id, l.rechecked_payout into c from quipu.ledger_check l
    where l.rechecked_at < before
    order by l.rechecked_at limit 1
    for no key update skip locked;
    exit when not found;
    error := null;
    begin
      if c.rechecked_payout is null then
        rows := quipu.recheck_log(c.tenant_id, size);
      else
        rows := quipu.recheck_payouts(c.tenant_id, size);
      end if;
    exception when data_exception then
      error := sqlerrm;
      rows := size;
      update quipu.ledger_check l set rechecked_at = clock_timestamp() where l.tenant_id = c.tenant_id;
    end;
    perform quipu.record_unreadable(c.tenant_id, 'unreadable_recheck', error);
    rows_left := rows_left - greatest(rows, 50);
  end loop;
end
$$;

-- One slice of the check: the wallets whose last check is oldest, if that is at least `every_seconds` ago,
-- and a part of the recheck. Returns how many wallets it has checked. Concurrent calls check different
-- wallets.
--
-- The entries of ten wallets bound a slice, and each part of it. So a slice of many wallets takes longer only
-- for the fixed cost of each, and a recheck of many wallets does not delay the check.
create function quipu.check_ledger(wallets int, size int, every_seconds float8) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  tenant text;
  guard record;
  checked int := 0;
  rows_max int := least(wallets, 10) * size;
  rows_left int := rows_max;
  entries int;
  error text;
begin
  for tenant in
    select c.tenant_id from quipu.ledger_check c
    where c.checked_at < clock_timestamp() - make_interval(secs => every_seconds)
    order by c.checked_at limit wallets
    for no key update skip locked
  loop
    exit when rows_left <= 0;
    checked := checked + 1;
    error := null;
    begin
      entries := quipu.check_wallet(tenant, size);
      rows_left := rows_left - entries;
      if entries < size then
        perform quipu.check_tenant(tenant);
      end if;
    exception when data_exception then
      error := sqlerrm;
    end;
    perform quipu.record_unreadable(tenant, 'unreadable', error);
    if entries < size or error is not null then
      update quipu.ledger_check c set checked_at = clock_timestamp() where c.tenant_id = tenant;
    end if;
  end loop;
  perform quipu.recheck_ledger(every_seconds, size, rows_max);
  for guard in select * from quipu.guard_differences() loop
    perform quipu.record_difference('ledger', null, 'guard', guard.subject, guard.detail);
  end loop;
  return checked;
end
$$;

-- One slice of the audit log's check: whether the next `size` entries after `after_id` are chained, and
-- whether each has its change. Returns id and hash of the last of them; null when there are no more.
create function quipu.check_audit_log(after_id bigint, after_hash bytea, size int,
  out last_id bigint, out last_hash bytea)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  checked record;
  entry quipu.audit_log;
begin
  for checked in
    select v.id, max(v.hash) as hash, min(v.flaw) as flaw
    from quipu.verify_audit_log(after_id, after_hash, size) v group by v.id order by v.id
  loop
    -- The slice before compared the entry `after_id` with its own hash and its change; this one with the hash it had
    -- then.
    if checked.id > after_id or checked.flaw is not null then
      select * into entry from quipu.audit_log a where a.id = checked.id;
      perform quipu.record_difference('audit', null, 'entry', 'audit_log ' || checked.id,
        coalesce(checked.flaw, quipu.audit_difference(entry)));
    end if;
    if checked.id > after_id and checked.hash is not null then
      last_id := checked.id;
      last_hash := checked.hash;
    end if;
  end loop;
end
$$;
