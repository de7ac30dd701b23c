import { isKeyUsable } from '@quipu/core/adapter'
import type { Database } from '../table/database.ts'

/** Whether the tenant is active and the key usable now. A caller that authenticates otherwise names no key. */
export function mayAct(database: Database, tenantId: string, keyId: string | null): boolean {
  const tenant = database.tenants.get(tenantId)?.tenant
  if (tenant?.status !== 'active' || keyId === null) return tenant?.status === 'active'
  const key = database.keys.get(keyId)
  return key?.tenantId === tenantId && isKeyUsable({ tenant, key }, database.now())
}
