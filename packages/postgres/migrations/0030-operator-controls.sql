-- Actions of operators on webhook endpoints of any tenant. Each function acts for the person whose token is
-- presented, and returns `unauthorized` when no such token may write.

-- Pauses an endpoint, also one that is paused after failures. Only `resume_endpoint` ends it. Returns `stale`
-- when an operator has paused it before.
create function quipu.pause_endpoint(tenant text, endpoint text, by jsonb, at timestamptz, reason text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
  w quipu.webhook_endpoint;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  select * into w from quipu.webhook_endpoint e
  where e.id = endpoint and e.tenant_id = tenant for no key update;
  if not found then
    return 'not_found';
  end if;
  if w.operator_paused_at is not null then
    return 'stale';
  end if;
  update quipu.webhook_endpoint e
  set status = 'paused', paused_at = coalesce(e.paused_at, at), operator_paused_at = at,
    operator_paused_by = acting.person, operator_pause_reason = reason, updated_at = at
  where e.id = endpoint;
  perform quipu.write_audit(acting, 'webhook.pause', tenant, endpoint, at,
    jsonb_build_object('status', w.status), jsonb_build_object('status', 'paused', 'reason', reason));
  return 'committed';
end
$$;

-- `activate_endpoint` by an operator, who also ends an operator's pause. Writes an audit entry when it changes
-- anything but `updated_at`.
create function quipu.resume_endpoint(tenant text, endpoint text, by jsonb, at timestamptz, reason text,
  redeliver_seconds float8, clock_override timestamptz,
  out result text, out requeued bigint, out redelivered bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
  w quipu.webhook_endpoint;
begin
  if acting.person is null then
    result := 'unauthorized';
    return;
  end if;
  select * into w from quipu.webhook_endpoint e
  where e.id = endpoint and e.tenant_id = tenant for no key update;
  if not found then
    result := 'not_found';
    return;
  end if;
  result := 'committed';
  select a.requeued, a.redelivered into requeued, redelivered
  from quipu.activate_endpoint(tenant, endpoint, redeliver_seconds, at, clock_override) a;
  if w.status = 'paused' or requeued + redelivered > 0 then
    perform quipu.write_audit(acting, 'webhook.resume', tenant, endpoint, at,
      jsonb_build_object('status', w.status),
      jsonb_strip_nulls(jsonb_build_object('status', 'active', 'reason', reason)));
  end if;
end
$$;

-- `send_once_more` by an operator, also while an operator's pause lasts.
create function quipu.resend_as_operator(tenant text, endpoint text, event uuid, by jsonb, at timestamptz,
  clock_override timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
  w quipu.webhook_endpoint;
  result text;
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  select * into w from quipu.webhook_endpoint e
  where e.id = endpoint and e.tenant_id = tenant for share;
  if not found then
    return 'not_found';
  end if;
  result := quipu.send_once_more(w, event, clock_override);
  if result = 'committed' then
    perform quipu.write_audit(acting, 'webhook.resend', tenant, endpoint, at, null,
      jsonb_build_object('event_id', event));
  end if;
  return result;
end
$$;
