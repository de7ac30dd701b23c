import { type JsonSchema, satisfiesSchema, type SchemaDocument } from '@quipu/wire/testing'
import { askJson, type JsonReply } from '../../ask-json.ts'

/** Every member of any answer that is looked into: the document says which of them are there. */
export type Seen = {
  readonly id: string
  readonly status: string
  readonly content: string
  readonly resolution_id: string
  readonly available: string
  readonly held: string
  readonly total: string
  readonly balance_after: string
  readonly secret: string
  readonly event_id: string
  readonly top_up_addresses: readonly { readonly address: string }[]
  readonly data: readonly Seen[]
  readonly next_cursor: string | null
  readonly error: { readonly code: string; readonly payout_id?: string }
}

export type Answer = Omit<JsonReply, 'json'> & { readonly json: Seen }

/** A server that is held to the document that it serves itself. */
export type Documented = {
  /** @throws Error when the answer is not one that the document describes */
  ask(method: string, path: string, body?: unknown, headers?: object): Promise<Answer>
  /** What was asked, as the document names it: `POST /v1/payouts`. */
  readonly asked: ReadonlySet<string>
  /** All that the document names. */
  readonly operations: readonly string[]
}

type Operation = {
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json': { schema: JsonSchema } } }>
  >
}
type Document = SchemaDocument & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** @param key  sent with every request that does not bring its own */
export async function documented(url: string, key: string): Promise<Documented> {
  const { json } = await askJson(url, { method: 'GET', path: '/v1/openapi.json' })
  const document = json as Document
  const asked = new Set<string>()
  const places = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      return { name, pattern: patternOf(name), operation }
    }),
  )
  // What is named literally goes before what an id could be.
  const sorted = places.toSorted((a, b) => a.name.split('{').length - b.name.split('{').length)
  return {
    asked,
    operations: places.map(({ name }) => name),
    async ask(method, path, body, headers = {}) {
      const reply = await askJson(url, {
        method,
        path,
        body,
        headers: { 'x-api-key': key, ...headers },
      })
      const at = `${method} ${path.split('?')[0]}`
      const place = sorted.find(({ pattern }) => pattern.test(at))
      const answer = { ...reply, json: reply.json as Seen }
      if (!place) return answer
      asked.add(place.name)
      const described = place.operation.responses[String(reply.status)]
      if (!described) throw new Error(`${at}: ${reply.status} is not documented`)
      const schema = described.content?.['application/json'].schema
      if (schema ? !satisfiesSchema(schema, reply.json, document) : reply.json !== undefined)
        throw new Error(
          `${at}: ${reply.status} is not as documented: ${JSON.stringify(reply.json)}`,
        )
      return answer
    },
  }
}

const patternOf = (name: string): RegExp =>
  new RegExp(`^${name.replaceAll('.', '[.]').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
