-- People's work on records that need a decision: deposits, payouts, differences, cases of screening. A record is named by
-- its id alone, whose prefix says which kind it is.

-- A note of a person about a record.
create table quipu.case_note (
  id text collate "C" primary key,
  subject text collate "C" not null check (subject ~ '^[a-z]{2,4}_[0-9A-Z]{26}$'),
  person text collate "C" not null,
  note text not null check (length(note) between 1 and 2000),
  created_at timestamptz not null
);
create index case_note_of_subject on quipu.case_note (subject, created_at, id);
create trigger no_update before update on quipu.case_note
  for each row execute function quipu.refuse_change();

-- The person who works on a record now.
create table quipu.case_taker (
  subject text collate "C" primary key check (subject ~ '^[a-z]{2,4}_[0-9A-Z]{26}$'),
  person text collate "C" not null,
  taken_at timestamptz not null
);
create index case_taker_newest on quipu.case_taker (taken_at, subject);

-- Adds a note of the person whose token is presented.
create function quipu.add_case_note(note_id text, subject text, note text, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  insert into quipu.case_note (id, subject, person, note, created_at) values (note_id, subject, acting.person, note, at);
  perform quipu.write_audit(acting, 'case.note', null, subject, at, null, jsonb_build_object('note_id', note_id));
  return 'committed';
end
$$;

-- Takes a record for the person whose token is presented. Returns `stale` when another person has it.
create function quipu.take_case(subject text, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  insert into quipu.case_taker as t (subject, person, taken_at) values (take_case.subject, acting.person, at)
  on conflict on constraint case_taker_pkey do nothing;
  if not found then
    return case when exists (
      select from quipu.case_taker t where t.subject = take_case.subject and t.person = acting.person
    ) then 'committed' else 'stale' end;
  end if;
  perform quipu.write_audit(acting, 'case.take', null, subject, at, null,
    jsonb_build_object('taken_at', quipu.iso_text(at)));
  return 'committed';
end
$$;

-- Releases a record: the person who has taken it, or an admin. Returns `stale` when there is nothing to release.
create function quipu.release_case(subject text, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
  released quipu.case_taker;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  delete from quipu.case_taker t
  where t.subject = release_case.subject and (t.person = acting.person or acting.role = 'admin')
  returning * into released;
  if not found then
    return 'stale';
  end if;
  perform quipu.write_audit(acting, 'case.release', null, subject, at,
    jsonb_build_object('person', released.person), null);
  return 'committed';
end
$$;
