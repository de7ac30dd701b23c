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
