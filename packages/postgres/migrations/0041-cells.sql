-- A cell is a whole installation; several share the network's account, the chain and nothing else. See docs/scaling.md.

-- This database's cell. One row.
create table quipu.cell (
  singleton boolean primary key default true check (singleton),
  letter text collate "C" check (letter ~ '^[ghjkmnpqrstvwxyz]$') -- null: keys and ids carry none
);
insert into quipu.cell default values;

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
