import type { Clock } from '@quipu/core'
import type { ApiKeyStore, AuditLog, DepositStore, TenantStore } from '@quipu/core/adapter'
import { isId } from '@quipu/wire'
import type { RequestEnd } from '../http/context.ts'

export type RefusalsPorts = {
  readonly audit: Pick<AuditLog, 'record'>
  readonly tenants: Pick<TenantStore, 'find'>
  readonly apiKeys: Pick<ApiKeyStore, 'find'>
  readonly deposits: Pick<DepositStore, 'find'>
  readonly now: Clock
  readonly inBackground: (work: Promise<unknown>) => void
}

/** Records in the audit log the requests that an operator's role did not allow. @source assumed */
export const refusals =
  (ports: RefusalsPorts): ((end: RequestEnd) => void) =>
  ({ code, operator = null, method, path }) => {
    if (code === 'ROLE_REQUIRED') ports.inBackground(record(ports, operator, method, path))
  }

async function record(
  ports: RefusalsPorts,
  actor: string | null,
  method: string,
  path: string,
): Promise<void> {
  const at = ports.now()
  // `/operator/v1/tenants/{id}/…`
  const [, , , , id = path] = path.split('/')
  const tenantId = (await tenantOf(ports, id)) ?? null
  const about = { action: 'operator.refuse', tenantId, subject: id, at } as const
  await ports.audit.record({ actor, ...about, before: null, after: { method, path } })
}

/** The tenant that an id belongs to. */
async function tenantOf(
  { tenants, apiKeys, deposits }: RefusalsPorts,
  id: string,
): Promise<string | undefined> {
  if (isId('ten', id)) return (await tenants.find(id))?.id
  if (isId('key', id)) return (await apiKeys.find(id))?.tenantId
  return isId('dep', id) ? (await deposits.find(id))?.tenantId : undefined
}
