-- As before, but that an event which may be on record already is looked up by its key, which has its
-- instant in it: without that it was a walk past all events of the tenant.
create or replace function quipu.end_deposit(
  tenant text, deposit_ text, fence_ int, repeated boolean,
  status_ text, minor bigint, ended_at timestamptz, review_code_ text, actor text, reason text,
  event_id uuid, event_type text, occurred_at timestamptz, recorded_at timestamptz, body bytea,
  at timestamptz
) returns text language plpgsql as $$
declare
  wallet quipu.wallet;
  deposit quipu.deposit;
  is_open boolean;
  is_known boolean;
  moved_at timestamptz;
begin
  select * into strict wallet from quipu.wallet w where w.tenant_id = tenant for no key update;
  select * into deposit from quipu.deposit d
  where d.id = deposit_ and d.tenant_id = tenant for no key update;
  is_open := case when fence_ is null
    then deposit.status = 'in_review' and deposit.closed_at is null
    else deposit.status = 'pending' and deposit.fence = fence_
  end;
  if is_open is not true then
    is_known := repeated and case when event_id is null
      then deposit.closed_at = ended_at and deposit.closed_by = actor
      else exists (
        select from quipu.event e
        where e.tenant_id = tenant and e.recorded_at = end_deposit.recorded_at and e.id = event_id
          and e.subject_id = deposit_
      )
    end;
    return case when is_known then 'known' else 'stale' end;
  end if;

  update quipu.deposit d
  set status = status_, due_at = null,
    credited_at = case status_ when 'credited' then ended_at end,
    review_code = coalesce(d.review_code, review_code_),
    closed_at = case when actor is not null then ended_at end,
    closed_by = actor, close_reason = reason
  where d.id = deposit_;

  if status_ = 'credited' then
    if minor <> deposit.amount then
      raise exception 'deposit % is of %, not %', deposit_, deposit.amount, minor;
    end if;
    moved_at := greatest(quipu.store_now(at), wallet.updated_at);
    insert into quipu.deposit_credit (deposit_id, tenant_id, seq)
    values (deposit_, tenant, wallet.seq + 1);
    insert into quipu.transfer (tenant_id, type, debit, credit, amount, deposit_id,
      available_after, held_after, seq, created_at)
    values (tenant, 'deposit', 'deposits', 'available', minor, deposit_,
      wallet.available + minor, wallet.held, wallet.seq + 1, moved_at);
    update quipu.wallet w
    set available = wallet.available + minor, seq = wallet.seq + 1, updated_at = moved_at
    where w.tenant_id = tenant;
  end if;
  if event_id is not null then
    insert into quipu.event (tenant_id, id, type, subject_id, body, occurred_at, recorded_at)
    values (tenant, event_id, event_type, deposit_, body, occurred_at, recorded_at);
  end if;
  return 'committed';
end
$$;
