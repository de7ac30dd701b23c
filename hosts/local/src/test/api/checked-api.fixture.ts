import { type JsonSchema, schemaFaults, type SchemaDocument } from '@quipu/wire/testing'
import { askJson, type JsonReply } from '../../ask-json.ts'

/** The members of all answers that tests read. */
export type ResponseBody = {
  readonly id: string
  readonly key: string
  readonly status: string
  readonly content: string
  readonly resolution_id: string
  readonly available: string
  readonly held: string
  readonly total: string
  readonly balance_after: string
  readonly period: string
  readonly secret: string
  readonly event_id: string
  readonly top_up_addresses: readonly { readonly address: string }[]
  readonly data: readonly ResponseBody[]
  readonly next_cursor: string | null
  readonly error: { readonly code: string; readonly payout_id?: string }
}

export type Answer = Omit<JsonReply, 'json'> & { readonly json: ResponseBody }

/** A server whose answers are validated against the OpenAPI document that it serves. */
export type CheckedApi = {
  /** @throws Error if the document does not describe the answer */
  ask(method: string, path: string, body?: unknown, headers?: object): Promise<Answer>
  /** The operations called so far, such as `POST /v1/payouts`. */
  readonly called: ReadonlySet<string>
  /** All operations of the document. */
  readonly operations: readonly string[]
}

type Operation = {
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json': { schema: JsonSchema } } }>
  >
}
type Document = SchemaDocument & { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

/** @param key  API key of requests without an own one */
export async function checkedApi(url: string, key: string): Promise<CheckedApi> {
  const { json } = await askJson(url, { method: 'GET', path: '/v1/openapi.json' })
  const document = json as Document
  const called = new Set<string>()
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      return { name, pattern: patternOf(name), operation }
    }),
  )
  // Literal paths precede paths with parameters.
  const sorted = operations.toSorted((a, b) => a.name.split('{').length - b.name.split('{').length)
  return {
    called,
    operations: operations.map(({ name }) => name),
    async ask(method, path, body, headers = {}) {
      const reply = await askJson(url, { method, path, body, headers: { 'x-api-key': key, ...headers } })
      const at = `${method} ${path.split('?')[0]}`
      const match = sorted.find(({ pattern }) => pattern.test(at))
      const answer = { ...reply, json: reply.json as ResponseBody }
      if (!match) return answer
      called.add(match.name)
      const described = match.operation.responses[String(reply.status)]
      if (!described) throw new Error(`${at}: ${reply.status} is not in the document`)
      const schema = described.content?.['application/json'].schema
      const faults = schema
        ? schemaFaults(schema, reply.json, document)
        : reply.json === undefined
          ? []
          : ['a body that is not described']
      if (faults.length > 0)
        throw new Error(
          `${at}: ${reply.status} does not match the document: ${faults.join('; ')}: ${JSON.stringify(reply.json)}`,
        )
      return answer
    },
  }
}

const patternOf = (name: string): RegExp =>
  new RegExp(`^${name.replaceAll('.', '[.]').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
