-- Tenants: their creation, changes and erasure. A raised limit lets a tenant move more money, so
-- it takes the token of an admin, or a proposal that another admin approves. See docs/decisions/two-people.md.

-- Inserts a tenant and its empty wallet. `terms` has its status, name, contact, prices, cap and daily limits by their
-- columns. Returns `unauthorized` without the active token of an operator or admin. No table has the default pricing,
-- so the process decides whether an operator's tenant has it.
create function quipu.create_tenant(tenant text, terms jsonb, wallet text, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor := quipu.acting_operator(by, array['operator', 'admin'], at);
  created quipu.tenant := jsonb_populate_record(null::quipu.tenant, terms);
  limits quipu.wallet := jsonb_populate_record(null::quipu.wallet, terms);
begin
  if acting.person is null then
    return 'unauthorized';
  end if;
  insert into quipu.tenant (id, legal_name, contact_name, contact_email, status, margin_bps,
    fee_bps, fee_fixed, payment_cap, created_at, revision)
  values (tenant, created.legal_name, created.contact_name, created.contact_email, created.status,
    created.margin_bps, created.fee_bps, created.fee_fixed, created.payment_cap, at, 1)
  returning * into created;
  perform quipu.keep_contact(created);
  insert into quipu.wallet (tenant_id, id, daily_limit_amount, daily_limit_count, created_at, updated_at)
  values (tenant, wallet, limits.daily_limit_amount, limits.daily_limit_count, at, at);
  perform quipu.write_audit(acting, 'tenant.create', tenant, tenant, at, null,
    quipu.tenant_state(created, limits.daily_limit_amount, limits.daily_limit_count));
  return 'committed';
end
$$;

-- Changes a tenant to `terms`, as in `create_tenant`; its `note` has the reason and the digest of the evidence for the
-- audit log. A suspension that two people end is not ended, nor replaced, here. Returns `stale` when it has another revision than
-- `from_revision`, and `unauthorized` without the active token of an operator, or of an admin where a price or a
-- limit changes. `listed`: a tenant that is resumed has a case of screening that two people have not cleared. Refuses an
-- action that does not match the change.
create function quipu.change_tenant(tenant text, from_revision int, terms jsonb, action text, by jsonb,
  at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  acting quipu.actor;
  found_row quipu.tenant;
  changed quipu.tenant := jsonb_populate_record(null::quipu.tenant, terms);
  limits quipu.wallet := jsonb_populate_record(null::quipu.wallet, terms);
  w quipu.wallet;
  before jsonb;
  after jsonb;
  own text[] := array['status', 'suspension_cause', 'suspension_reason', 'suspension_evidence', 'suspended_at'];
begin
  perform quipu.lock_wallets(array[tenant]);
  acting := quipu.acting_operator(by, array['operator', 'admin'], at);
  if acting.person is null then
    return 'unauthorized';
  end if;
  select * into found_row from quipu.tenant t
  where t.id = tenant and t.revision = from_revision for no key update;
  if not found then
    return 'stale';
  end if;
  if action = 'tenant.resume' and quipu.is_listed(tenant) then
    return 'listed';
  end if;
  select * into strict w from quipu.wallet where tenant_id = tenant;
  if acting.role <> 'admin'
    and (found_row.margin_bps, found_row.fee_bps, found_row.fee_fixed, found_row.payment_cap,
      w.daily_limit_amount, w.daily_limit_count)
    is distinct from (changed.margin_bps, changed.fee_bps, changed.fee_fixed, changed.payment_cap,
      limits.daily_limit_amount, limits.daily_limit_count)
  then
    return 'unauthorized';
  end if;
  if quipu.needs_two_to_resume(found_row.suspension) and changed.suspension is distinct from found_row.suspension then
    raise exception 'the suspension of tenant % ends with the approval of a second person', tenant
      using errcode = 'insufficient_privilege';
  end if;
  if changed.suspension is distinct from found_row.suspension then
    changed.suspension := changed.suspension || jsonb_build_object('at', quipu.iso_text(at));
  end if;
  before := quipu.tenant_state(found_row, w.daily_limit_amount, w.daily_limit_count);
  changed := quipu.write_tenant(tenant, changed, limits);
  after := quipu.tenant_state(changed, limits.daily_limit_amount, limits.daily_limit_count);

  if (case action
    when 'tenant.update' then changed.status <> found_row.status
      or changed.suspension is distinct from found_row.suspension
    when 'tenant.suspend' then changed.status <> 'suspended' or after - own <> before - own
    when 'tenant.resume' then changed.status <> 'active' or after - own <> before - own
    else true
  end) then
    raise exception 'the action % does not match the change of tenant %', action, tenant
      using errcode = 'check_violation';
  end if;
  perform quipu.write_audit(acting, action, tenant, tenant, at, before, after || jsonb_strip_nulls(jsonb_build_object(
    'reason', terms #>> '{note,reason}', 'evidence_digest', terms #>> '{note,evidence_digest}')));
  return 'committed';
end
$$;

-- Writes a tenant's next revision, and the daily limits of its wallet. The caller has locked both.
create function quipu.write_tenant(tenant text, changed quipu.tenant, limits quipu.wallet) returns quipu.tenant
language plpgsql as $$
begin
  update quipu.wallet w
  set daily_limit_amount = limits.daily_limit_amount, daily_limit_count = limits.daily_limit_count
  where w.tenant_id = tenant
    and (w.daily_limit_amount is distinct from limits.daily_limit_amount
      or w.daily_limit_count is distinct from limits.daily_limit_count);
  update quipu.tenant t
  set status = changed.status, legal_name = changed.legal_name, contact_name = changed.contact_name,
    contact_email = changed.contact_email, margin_bps = changed.margin_bps, fee_bps = changed.fee_bps,
    fee_fixed = changed.fee_fixed, payment_cap = changed.payment_cap, suspension = changed.suspension,
    revision = t.revision + 1
  where t.id = tenant
  returning * into strict changed;
  perform quipu.keep_contact(changed);
  return changed;
end
$$;

-- Sets the limits and prices that an approved proposal names; `none` is no limit. Returns the audit entry. The caller
-- has locked the wallet.
create function quipu.change_terms(approved quipu.proposal, at timestamptz) returns quipu.audit_log[]
language plpgsql as $$
declare
  t quipu.tenant;
  w quipu.wallet;
  changed quipu.tenant;
  limits quipu.wallet;
  d jsonb := approved.details;
begin
  select * into strict t from quipu.tenant
  where id = approved.subject and id = approved.tenant_id for no key update;
  select * into strict w from quipu.wallet where tenant_id = approved.subject;
  changed := t;
  limits := w;
  changed.payment_cap := coalesce((d ->> 'payment_cap_bob_minor')::bigint, t.payment_cap);
  changed.margin_bps := coalesce((d ->> 'margin_bps')::int, t.margin_bps);
  changed.fee_bps := coalesce((d ->> 'fee_bps')::int, t.fee_bps);
  changed.fee_fixed := coalesce((d ->> 'fee_fixed_minor')::bigint, t.fee_fixed);
  if d ? 'daily_limit_usdt_minor' then
    limits.daily_limit_amount := nullif(d ->> 'daily_limit_usdt_minor', 'none')::bigint;
  end if;
  if d ? 'daily_limit_count' then
    limits.daily_limit_count := nullif(d ->> 'daily_limit_count', 'none')::int;
  end if;
  changed := quipu.write_tenant(t.id, changed, limits);
  return array[quipu.audit_entry(quipu.proposing_actor(approved.id), 'tenant.update', t.id, t.id, at,
    quipu.tenant_state(t, w.daily_limit_amount, w.daily_limit_count),
    quipu.tenant_state(changed, limits.daily_limit_amount, limits.daily_limit_count)
      || jsonb_build_object('proposal_id', approved.id))];
end
$$;

-- Ends the suspension that an approved proposal names by its instant. Returns the audit entry; null when that one is
-- over, or screening has found the tenant. The caller has locked the wallet.
create function quipu.resume_tenant(approved quipu.proposal, at timestamptz) returns quipu.audit_log[]
language plpgsql as $$
declare
  t quipu.tenant;
  w quipu.wallet;
  changed quipu.tenant;
begin
  select * into t from quipu.tenant
  where id = approved.subject and id = approved.tenant_id and suspension ->> 'at' = approved.details ->> 'suspended_at'
    and not quipu.is_listed(id)
  for no key update;
  if not found then
    return null;
  end if;
  select * into strict w from quipu.wallet where tenant_id = approved.subject;
  changed := t;
  changed.status := 'active';
  changed.suspension := null;
  changed := quipu.write_tenant(t.id, changed, w);
  return array[quipu.audit_entry(quipu.proposing_actor(approved.id), 'tenant.resume', t.id, t.id, at,
    quipu.tenant_state(t, w.daily_limit_amount, w.daily_limit_count),
    quipu.tenant_state(changed, w.daily_limit_amount, w.daily_limit_count)
      || jsonb_build_object('proposal_id', approved.id))];
end
$$;

-- Erases a tenant's contact and its former ones: the entries of the audit log keep digests that nobody can resolve or
-- guess. Returns `unauthorized` without the active token of an admin, and `stale` without such a tenant.
create function quipu.erase_contact(tenant text, by jsonb, at timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  acting quipu.actor;
  t quipu.tenant;
  w quipu.wallet;
  before jsonb;
begin
  perform quipu.lock_wallets(array[tenant]);
  acting := quipu.acting_operator(by, array['admin'], at);
  if acting.person is null then
    return 'unauthorized';
  end if;
  select * into t from quipu.tenant where id = tenant for no key update;
  if not found then
    return 'stale';
  end if;
  select * into strict w from quipu.wallet where tenant_id = tenant;
  before := quipu.tenant_state(t, w.daily_limit_amount, w.daily_limit_count);
  delete from quipu.audited_contact where tenant_id = tenant;
  update quipu.tenant set contact_salt = gen_random_uuid() where id = tenant;
  t.contact_name := 'erased';
  t.contact_email := 'erased@contact.invalid';
  t := quipu.write_tenant(tenant, t, w);
  perform quipu.write_audit(acting, 'tenant.erase_contact', tenant, tenant, at, before,
    quipu.tenant_state(t, w.daily_limit_amount, w.daily_limit_count));
  return 'committed';
end
$$;
