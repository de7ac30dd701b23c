import { httpErrors } from '../error/http-errors.ts'
import type { JsonSchema } from '../testing/json-schema.ts'
import type { OpenApiDocument } from './document.ts'

type Media = { schema?: JsonSchema; examples?: Record<string, { value: unknown }> }
export type Response = { description?: string; headers?: object; content?: Record<string, Media> }
export type Operation = {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: { in: string; name: string; schema: JsonSchema }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
}

/** The document as it is served: through JSON, where `undefined` is gone. */
export const served = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(JSON.stringify(document)) as OpenApiDocument

export function operationsOf(document: OpenApiDocument): [string, Operation][] {
  const methods = ['get', 'post', 'patch', 'put', 'delete'] as const
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method): [string, Operation][] =>
      item[method] ? [[`${method.toUpperCase()} ${path}`, item[method] as unknown as Operation]] : [],
    ),
  )
}

export const eventsOf = (document: OpenApiDocument): [string, Operation][] =>
  Object.entries(document['x-webhooks'] ?? {}).map(([type, item]) => [type, item.post as unknown as Operation])

export function everyRef(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    name === '$ref' ? [String(member)] : everyRef(member),
  )
}

/** JSON everywhere, but for the metrics. */
export const mediaOf = (content: Record<string, Media> = {}): Media | undefined =>
  content['application/json'] ?? content['text/plain']

export const errorCodesOf = (operation: Operation): string[] =>
  Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { content }]) => Object.keys(content?.['application/json']?.examples ?? {}))
    .filter((name) => name in httpErrors)

export const errorCodesIn = ({ responses }: Operation): string[] =>
  Object.values(responses)
    .flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {}))
    .filter((name) => name in httpErrors)

/** The endpoints of reconciliation, search and sweeps, by method. */
export const chainEndpoints = {
  get: [
    'GET /operator/v1/reconciliation-runs',
    'GET /operator/v1/reconciliation-runs/{id}',
    'GET /operator/v1/reports/exposure',
    'GET /operator/v1/reports/liquidity',
    'GET /operator/v1/reports/revenue',
    'GET /operator/v1/reports/trial-balance',
    'GET /operator/v1/reports/volume',
    'GET /operator/v1/screening-cases',
    'GET /operator/v1/screening-cases/{id}',
    'GET /operator/v1/search',
    'GET /operator/v1/sweep/addresses',
    'GET /operator/v1/sweep/batches',
    'GET /operator/v1/sweep/batches/{id}',
    'GET /operator/v1/sweep/batches/{id}/unsigned',
  ],
  post: [
    'POST /operator/v1/reconciliation-runs',
    'POST /operator/v1/screening-cases/{id}/decide',
    'POST /operator/v1/sweep/batches',
    'POST /operator/v1/sweep/batches/{id}/signed',
  ],
}

/** Reads of operators over all tenants, by their place in the order of paths. */
export const viewEndpoints = {
  events: [
    'GET /operator/v1/events',
    'GET /operator/v1/events/{id}',
    'GET /operator/v1/faucet-sends',
    'GET /operator/v1/faucet-sends/{id}',
  ],
  wallets: [
    'GET /operator/v1/wallets',
    'GET /operator/v1/webhook-deliveries',
    'GET /operator/v1/webhook-deliveries/{id}',
    'GET /operator/v1/webhook-endpoints',
    'GET /operator/v1/webhook-endpoints/{id}',
  ],
}
