-- The renewal of values that a key of the environment made, after a new key. Each write replaces the value that
-- the caller has read, and no other.

-- Replaces the signing secrets of an endpoint by the same ones, encrypted anew. Returns false when they are no
-- longer the given ones.
create function quipu.renew_secrets(tenant text, endpoint text, old_secrets jsonb, new_secrets jsonb)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update quipu.webhook_endpoint e set secrets = new_secrets
  where e.id = endpoint and e.tenant_id = tenant and e.secrets = old_secrets;
  return found;
end
$$;

-- Replaces the MAC of a top-up address. Returns false when it is no longer the given one.
create function quipu.renew_address_mac(chain text, account text, old_mac text, new_mac text)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update quipu.top_up_address a set address_mac = new_mac
  where a.account = renew_address_mac.account and a.chain = renew_address_mac.chain and a.address_mac = old_mac;
  return found;
end
$$;
