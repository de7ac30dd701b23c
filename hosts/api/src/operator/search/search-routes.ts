import type { IRouter } from 'express'
import type { Clock } from '@quipu/core'
import type { ApiKeyStore, PagePosition, TenantStore } from '@quipu/core/adapter'
import {
  apiKeyStatusAt,
  type AuditLog,
  authorized,
  foundPerKindMax,
  type FoundRecord,
  isTokenActive,
  type OperatorTokenStore,
  type OverviewStore,
} from '@quipu/core/operator'
import { foundRecordsToJson, parseFoundSecret, parseSearch } from '@quipu/wire'
import { bind } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'

export type SearchRoutes = {
  readonly overview: Pick<OverviewStore, 'find'>
  readonly apiKeys: Pick<ApiKeyStore, 'findCaller'>
  readonly tenants: Pick<TenantStore, 'list'>
  readonly operatorTokens: Pick<OperatorTokenStore, 'findByHash'>
  readonly audit: Pick<AuditLog, 'recordLookUp'>
  readonly now: Clock
}

/** Any record by its id, and whose a found secret is. */
export function searchRoutes(router: IRouter, ports: SearchRoutes): void {
  const { overview } = ports
  bind(router, '/operator/v1/search', {
    get: allowed('viewer', {
      query: parseSearch,
      async handle(_actor, { query }) {
        const found = await overview.find(query)
        // Ids are found whole, and no name begins as they do.
        const named = found.length > 0 ? [] : await findTenants(ports, query)
        return { status: 200, json: foundRecordsToJson([...named, ...found]) }
      },
    }),
  })

  bind(router, '/operator/v1/found-secrets', {
    post: allowed('viewer', {
      body: parseFoundSecret,
      async handle(actor, { body: hash }) {
        const recorded = authorized(await ports.audit.recordLookUp(hash, ports.now(), actor))
        const found = recorded === 'unknown' ? [] : await findSecret(ports, hash)
        return { status: 200, json: foundRecordsToJson(found) }
      },
    }),
  })
}

/** Pages that a search for tenants reads at most, of 2,000 tenants each. */
const tenantPagesMax = 10

/** The newest tenants that have the text in their name, or in that or the e-mail of their contact. */
async function findTenants({ tenants }: SearchRoutes, text: string): Promise<readonly FoundRecord[]> {
  const found: FoundRecord[] = []
  let after: PagePosition | null | undefined
  for (let read = 0; read < tenantPagesMax && after !== null && found.length < foundPerKindMax; read++) {
    const limit = foundPerKindMax - found.length
    const page = await tenants.list({ text, limit, ...(after && { after }) })
    for (const { id, legalName } of page.items) found.push({ type: 'tenant', id, tenantId: id, label: legalName })
    after = page.next
  }
  return found
}

/** The API key and the operator's token with this hash. */
async function findSecret(
  { apiKeys, operatorTokens, now }: SearchRoutes,
  hash: string,
): Promise<readonly FoundRecord[]> {
  const { key } = (await apiKeys.findCaller(hash)) ?? {}
  const token = await operatorTokens.findByHash(hash)
  const found: FoundRecord[] = []
  if (key) {
    const { id, tenantId, name, lastFour } = key
    const label = `${name}, …${lastFour}, ${apiKeyStatusAt(key, now())}`
    found.push({ type: 'api_key', id, tenantId, label })
  }
  if (token) {
    const { id, person, role, label: name } = token
    const status = isTokenActive(token, now()) ? 'active' : 'not active'
    found.push({ type: 'operator_token', id, tenantId: null, label: `${person}, ${name}, ${role}, ${status}` })
  }
  return found
}
