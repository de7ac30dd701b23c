import type { IRouter } from 'express'
import type { Clock } from '@quipu/core'
import type { ApiKeyStore, QuoteStore } from '@quipu/core/adapter'
import {
  apiKeyStatusAt,
  type AuditLog,
  authorized,
  type FoundRecord,
  isTokenActive,
  type OperatorTokenStore,
  type OverviewStore,
} from '@quipu/core/operator'
import {
  foundRecordsToJson,
  operatorEndpointToJson,
  operatorQuoteToJson,
  operatorWalletToJson,
  parseFoundSecret,
  parseOperatorEndpointList,
  parseOperatorWalletList,
  parseSearch,
} from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'
import { findByUuid } from './find-by-uuid.ts'

export type OverviewRoutes = {
  readonly overview: Pick<OverviewStore, 'wallets' | 'endpoints' | 'find'>
  readonly quotes: Pick<QuoteStore, 'find'>
  readonly apiKeys: Pick<ApiKeyStore, 'findCaller'>
  readonly operatorTokens: Pick<OperatorTokenStore, 'findByHash'>
  readonly audit: Pick<AuditLog, 'recordLookUp'>
  readonly now: Clock
}

/** What all tenants have, and a search by id. @source assumed */
export function overviewRoutes(router: IRouter, ports: OverviewRoutes): void {
  const { overview, quotes } = ports
  bind(router, '/operator/v1/wallets', {
    get: allowedPage('viewer', {
      query: parseOperatorWalletList,
      list: (query) => overview.wallets(query),
      toJson: operatorWalletToJson,
    }),
  })

  bind(router, '/operator/v1/webhook-endpoints', {
    get: allowedPage('viewer', {
      query: parseOperatorEndpointList,
      list: (query) => overview.endpoints(query),
      toJson: operatorEndpointToJson,
    }),
  })

  bind(router, '/operator/v1/quotes/:id', {
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const found = await findByUuid(overview, 'quote', String(req.params['id']))
        const quote = found && (await quotes.find(found.tenantId, found.id))
        if (!quote) throw new ApiError('QUOTE_NOT_FOUND')
        return { status: 200, json: operatorQuoteToJson(quote) }
      },
    }),
  })

  bind(router, '/operator/v1/search', {
    get: allowed('viewer', {
      query: parseSearch,
      async handle(_actor, { query }) {
        return { status: 200, json: foundRecordsToJson(await overview.find(query)) }
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

/** The API key and the operator's token with this hash. */
async function findSecret(
  { apiKeys, operatorTokens, now }: OverviewRoutes,
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
