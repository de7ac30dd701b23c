import type { Clock } from '@quipu/core'
import type { ApiKeyStore, DepositStore, TenantStore } from '@quipu/core/adapter'
import type {
  AuditLog,
  DifferenceStore,
  EndpointControlStore,
  Operator,
  OverviewStore,
  ProposalStore,
} from '@quipu/core/operator'
import { type HttpErrorCode, isId } from '@quipu/wire'
import type { RequestEnd } from '../http/context.ts'

export type RefusalsPorts = {
  readonly audit: Pick<AuditLog, 'recordRefusal'>
  readonly tenants: Pick<TenantStore, 'find'>
  readonly apiKeys: Pick<ApiKeyStore, 'find'>
  readonly deposits: Pick<DepositStore, 'find'>
  readonly proposals: Pick<ProposalStore, 'find'>
  readonly differences: Pick<DifferenceStore, 'find'>
  readonly endpointControl: Pick<EndpointControlStore, 'find'>
  readonly overview: Pick<OverviewStore, 'payout'>
  readonly now: Clock
  readonly inBackground: (work: Promise<unknown>) => void
}

const refusedCodes: ReadonlySet<string | undefined> = new Set<HttpErrorCode>(['ROLE_REQUIRED', 'OWN_PROPOSAL'])

/**
 * Records in the audit log the requests that an operator's role did not allow, and approvals of an operator's
 * own proposals.
 */
export const refusals =
  (ports: RefusalsPorts): ((end: RequestEnd) => void) =>
  ({ code, operator, method, path }) => {
    if (operator && refusedCodes.has(code)) ports.inBackground(record(ports, operator, method, path))
  }

async function record(ports: RefusalsPorts, operator: Operator, method: string, path: string): Promise<void> {
  const at = ports.now()
  // `/operator/v1/tenants/{id}/…`
  const [, , , , id = path] = path.split('/')
  const tenantId = await tenantOf(ports, id)
  const refusal = { tenantId, subject: id, at, after: { method, path } }
  await ports.audit.recordRefusal(refusal, operator)
}

/** The tenant that an id belongs to; null when there is none. */
async function tenantOf(
  { tenants, apiKeys, deposits, proposals, differences, endpointControl, overview }: RefusalsPorts,
  id: string,
): Promise<string | null> {
  if (isId('ten', id)) return (await tenants.find(id))?.id ?? null
  if (isId('key', id)) return (await apiKeys.find(id))?.tenantId ?? null
  if (isId('prp', id)) return (await proposals.find(id))?.tenantId ?? null
  if (isId('dep', id)) return (await deposits.find(id))?.tenantId ?? null
  if (isId('dif', id)) return (await differences.find(id))?.tenantId ?? null
  if (isId('we', id)) return (await endpointControl.find(id))?.tenantId ?? null
  if (isId('po', id)) return (await overview.payout(id))?.payout.tenantId ?? null
  return null
}
