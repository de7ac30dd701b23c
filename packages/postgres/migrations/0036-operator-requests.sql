-- The operators' requests with an `Idempotency-Key` that created something.
create table quipu.operator_request (
  person text collate "C" not null,
  key text collate "C" not null, -- SHA-256 of the header
  fingerprint text not null,
  subject text collate "C" not null, -- id of what the request created
  created_at timestamptz not null,
  primary key (person, key)
);
select quipu.keep_rows('quipu.operator_request');

-- Remembers a request of the person whose token is presented. Returns the fingerprint and subject of the first one
-- when the person has used the key before, else nulls; nulls also when no such token may write. Called in one
-- statement with the function that creates the subject, and so in its transaction. A concurrent request with the same
-- key waits for the end of the first one.
create function quipu.remember_request(by jsonb, request_key text, request_fingerprint text,
  created text, at timestamptz, out fingerprint text, out subject text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
begin
  if request_key is null or acting.person is null then
    return;
  end if;
  insert into quipu.operator_request (person, key, fingerprint, subject, created_at)
  values (acting.person, request_key, request_fingerprint, created, at)
  on conflict do nothing;
  if not found then
    select r.fingerprint, r.subject into fingerprint, subject from quipu.operator_request r
    where r.person = acting.person and r.key = request_key;
  end if;
end
$$;
