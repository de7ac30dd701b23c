-- A cell is a whole installation; several share the network's account, the chain and nothing else. See docs/scaling.md.

-- The indexes of the addresses that this cell may derive, each cell 2^26 of its own: two cells that derived one address
-- would both credit what arrives there. Those without a letter come first.
create function quipu.address_indexes(letter text) returns int4range
language sql immutable
return (
  select int4range((n * 67108864)::int, (n * 67108864 + 67108863)::int, '[]')
  from (select coalesce(strpos('ghjkmnpqrstvwxyz', letter), 0)::bigint) c (n)
);

create function quipu.refuse_foreign_index() returns trigger
language plpgsql as $$
declare
  own int4range := (select quipu.address_indexes(c.letter) from quipu.cell c);
begin
  if not own @> new.index then
    raise exception 'the index % of a top-up address is not of this cell, whose indexes are %', new.index, own
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger index_of_this_cell before insert on quipu.top_up_address
  for each row execute function quipu.refuse_foreign_index();

-- Why a process with this letter must not run on this database; null when it may.
create function quipu.cell_flaw(letter text) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select case
    when c.letter is distinct from cell_flaw.letter
      then format('the database belongs to %s', coalesce('cell ' || c.letter, 'no cell'))
    when not quipu.address_indexes(c.letter) @> int4range(s.seqmin::int, s.seqmax::int, '[)')
      then format('the sequence quipu.top_up_index_tron goes from %s to %s, and the indexes of this cell are %s',
        s.seqmin, s.seqmax, quipu.address_indexes(c.letter))
  end
  from quipu.cell c, pg_sequence s where s.seqrelid = 'quipu.top_up_index_tron'::regclass;
end;

-- Gives the database its letter. Only for the role that migrates, as the rest of this file.
create function quipu.set_cell(letter text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  own int4range := quipu.address_indexes(letter);
begin
  update quipu.cell c set letter = set_cell.letter where c.letter is distinct from set_cell.letter;
  if found then
    execute format('alter sequence quipu.top_up_index_tron minvalue %s maxvalue %s start %s restart', lower(own),
      upper(own) - 1, lower(own));
  end if;
end
$$;

-- A tenant moves in these steps (`quipu-admin cell split`): `prepare_copy`, `drain_tenants`, `stop_tenants`, the promotion of a standby
-- that has the stop, there `enter_cell`, here `leave_cell`, and in both `freeze_tenants`. `stay_tenants` goes back,
-- until the promotion.

-- Rows that people change without the wallet's lock, and sends of tokens. A change commits before the stop, and is in
-- its copy, or is refused. The rest is stopped by the wallet's row, or by the claims.
create function quipu.refuse_moved_row() returns trigger
language plpgsql as $$
declare
  tenant text := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0];
  cell text;
begin
  select w.moved_to into cell from quipu.wallet w where w.tenant_id = tenant for key share;
  if cell is not null and not quipu.is_migrating() then
    raise exception 'the tenant % has moved to cell %', tenant, cell using errcode = '57R01';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger refuse_moved before update on quipu.tenant
  for each row execute function quipu.refuse_moved_row('id');
create trigger refuse_moved before insert or update of revoked_at, expires_at, allowed_addresses on quipu.api_key
  for each row execute function quipu.refuse_moved_row('tenant_id');
create trigger refuse_moved
  before insert or delete or update of url, events, description, secrets, tenant_paused, operator_paused_at, generation
  on quipu.webhook_endpoint
  for each row execute function quipu.refuse_moved_row('tenant_id');
-- The revocation of an operator's token ends proposals, also those of frozen copies.
create trigger refuse_moved before insert or update on quipu.proposal
  for each row when (new.status not in ('withdrawn', 'rejected', 'failed')) execute function quipu.refuse_moved_row('tenant_id');
create trigger refuse_moved before insert or update of retired_at on quipu.top_up_address
  for each row execute function quipu.refuse_moved_row('tenant_id');
create trigger refuse_moved before insert on quipu.faucet_send
  for each row execute function quipu.refuse_moved_row('tenant_id');

-- Tenants that begin in a cell have their row at once, so that a copy has the rows of all without a search.
create function quipu.place_tenant() returns trigger
language plpgsql as $$
begin
  insert into quipu.tenant_cell (tenant_id, cell, left_at)
  select new.id, c.letter, clock_timestamp() from quipu.cell c where c.letter is not null;
  return null;
end
$$;
create trigger place_tenant after insert on quipu.tenant for each row execute function quipu.place_tenant();

-- Writes which of the tenants that are older than the letter stay, for the copy.
create function quipu.prepare_copy(tenants text[]) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  insert into quipu.tenant_cell (tenant_id, cell, left_at)
  select t.id, c.letter, clock_timestamp() from quipu.tenant t, quipu.cell c
  where not exists (select from quipu.tenant_cell s where s.tenant_id = t.id)
    and not exists (select from unnest(tenants) m (id) where m.id = t.id)
  on conflict do nothing;
end;

-- From now on no claim takes the work of these tenants; their payments go on. Returns how much work of theirs workers
-- still have.
create function quipu.drain_tenants(tenants text[], cell text, out leased bigint)
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into quipu.tenant_cell as s (tenant_id, cell)
  select t.id, drain_tenants.cell from quipu.tenant t where t.id = any (tenants)
  on conflict (tenant_id) do update set cell = excluded.cell, left_at = null
  where s.cell = (select c.letter from quipu.cell c);
  if (
    select count(*) from quipu.moving_tenant m
    where m.tenant_id = any (tenants) and m.cell = drain_tenants.cell and m.left_at is null
  ) <> (select count(distinct t) from unnest(tenants) t) then
    raise exception 'a tenant does not exist, or is in or moves to another cell: %', tenants using errcode = 'check_violation';
  end if;
  leased := (
    select count(*) from quipu.payout_open o
    where o.tenant_id = any (tenants) and o.leased and o.fencing_token > 1 and o.due_at > clock_timestamp()
  ) + (
    select count(*) from quipu.delivery_run r where r.tenant_id = any (tenants) and r.leased_until > clock_timestamp()
  ) + (
    select count(*) from quipu.delivery_open d where d.tenant_id = any (tenants) and d.in_flight_until > clock_timestamp()
  ) + (
    select count(*) from quipu.deposit d
    where d.tenant_id = any (tenants) and d.fencing_token > 0 and d.problem is null
      and d.due_at > clock_timestamp() and d.due_at < 'infinity'
  );
end
$$;

-- From its commit on no money of these tenants moves here, and nobody changes anything of theirs. Every commit before
-- it is before it in the log.
create function quipu.stop_tenants(tenants text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform from quipu.wallet w where w.tenant_id = any (tenants) order by w.tenant_id for update;
  update quipu.wallet w set moved_to = m.cell
  from quipu.moving_tenant m where m.tenant_id = w.tenant_id and w.tenant_id = any (tenants) and w.moved_to is null;
end
$$;

-- Ends a move that has not left this database.
create function quipu.stay_tenants(tenants text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from quipu.moving_tenant m where m.tenant_id = any (tenants) and m.left_at is not null) then
    raise exception 'a tenant has left: %', tenants using errcode = 'check_violation';
  end if;
  update quipu.wallet w set moved_to = null where w.tenant_id = any (tenants) and w.moved_to is not null;
  delete from quipu.tenant_cell s
  where s.tenant_id = any (tenants) and s.cell is distinct from (select c.letter from quipu.cell c);
end
$$;

-- Makes a promoted copy the cell of these tenants: all others are elsewhere, also those that moved to a third cell at
-- that time. Reads nothing of the tenants that stay, however many: payments of these wait.
create function quipu.enter_cell(tenants text[], letter text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  former text := (select c.letter from quipu.cell c for update);
begin
  if former = enter_cell.letter then
    return;
  end if;
  update quipu.tenant_cell s set left_at = clock_timestamp() where s.left_at is null and s.cell <> enter_cell.letter;
  update quipu.wallet w set moved_to = null where w.tenant_id = any (tenants);
  perform quipu.set_cell(enter_cell.letter);
  -- The clock of the former cell may be ahead.
  update quipu.cell c set entered_at = greatest(clock_timestamp(), (
    select max(k.created_at) from quipu.api_key k where k.tenant_id = any (tenants)
  ));
  -- The copy has everything up to the stop, after which its former cell accepted nothing of these tenants.
  update quipu.lineage l set server_started = pg_postmaster_start_time(), timeline = quipu.current_timeline();
end
$$;

-- Payouts that were open when their tenants left: the network's statement has them, and `payout_open` no longer does.
create table quipu.left_payout (
  payout_id text collate "C" not null,
  tenant_id text collate "C" not null,
  primary key (payout_id, tenant_id)
);

-- The other cell has these tenants: what is here is a frozen copy.
create function quipu.leave_cell(tenants text[]) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  insert into quipu.left_payout (payout_id, tenant_id)
  select h.payout_id, h.tenant_id from quipu.held_payout h where h.tenant_id = any (tenants)
  on conflict do nothing;
  update quipu.tenant_cell s set left_at = clock_timestamp() where s.tenant_id = any (tenants) and s.left_at is null;
end;

-- Stops the frozen copies, and takes their work out of the queues: it is the other cell's. Repeats nothing.
create function quipu.freeze_tenants() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  gone text[] := array(select m.tenant_id from quipu.moving_tenant m where m.left_at is not null);
begin
  update quipu.wallet w set moved_to = m.cell
  from quipu.moving_tenant m where m.tenant_id = w.tenant_id and m.left_at is not null and w.moved_to is null;
  delete from quipu.payout_open o where o.tenant_id = any (gone);
  delete from quipu.delivery_run r where r.tenant_id = any (gone);
  delete from quipu.delivery_open d where d.tenant_id = any (gone);
  update quipu.delivery_cursor c set is_due = false where c.tenant_id = any (gone) and c.is_due;
  update quipu.deposit d set due_at = 'infinity' where d.tenant_id = any (gone) and d.due_at is not null;
  update quipu.faucet_send s set due_at = 'infinity' where s.tenant_id = any (gone) and s.due_at is not null;
  update quipu.sweep_transfer t set due_at = 'infinity'
  from quipu.top_up_address a
  where t.due_at is not null and a.account = t.account and a.chain = t.chain and a.tenant_id = any (gone);
  update quipu.ledger_check c set checked_at = 'infinity', rechecked_at = 'infinity' where c.tenant_id = any (gone);
end
$$;
