import { type JsonSchema, satisfiesSchema, type SchemaDocument } from '@quipu/wire/testing'

const maxPerName = 20

/**
 * Values that a server has answered so far, by the member's name: later requests name records that exist. The id of an answer to
 * `/v1/quotes` counts as a `quote_id` too.
 */
export type KnownValues = {
  /** @param path  of the operation, with its parameters in braces */
  learn(path: string, json: unknown): void
  /** A value that was answered under this name, the newest half of the time. */
  named(name: string, pick: number): string | undefined
  /** A `next_cursor` of the list. */
  cursorOf(path: string, pick: number): string | undefined
  /** An id that fits the schema. */
  fitting(schema: JsonSchema, document: SchemaDocument, pick: number): string | undefined
}

export function knownValues(): KnownValues {
  const byName = new Map<string, string[]>()
  const add = (name: string, value: string): void => {
    const values = byName.get(name) ?? []
    if (values.includes(value)) return
    if (values.push(value) > maxPerName) values.shift()
    byName.set(name, values)
  }
  const named: KnownValues['named'] = (name, pick) => choose(byName.get(name) ?? [], pick)
  return {
    named,
    cursorOf: (path, pick) => named(cursorName(path), pick),
    learn(path, json) {
      const ownId = ownIdOf(path)
      const read = (value: unknown, name: string): void => {
        if (typeof value === 'string') {
          add(name, value)
          if (name === 'id') add(ownId, value)
          if (name === 'next_cursor') add(cursorName(path), value)
        } else if (typeof value === 'object' && value !== null) {
          for (const [key, member] of Object.entries(value)) read(member, Array.isArray(value) ? name : key)
        }
      }
      read(json, '')
    },
    fitting(schema, document, pick) {
      const names = Array.from(byName.keys()).filter((name) => /(^|_)id$/.test(name))
      const ids = new Set(names.flatMap((name) => byName.get(name) ?? []))
      const fit = Array.from(ids).filter((id) => satisfiesSchema(schema, id, document))
      return choose(fit, pick)
    },
  }
}

const cursorName = (path: string): string => `cursor of ${path}`

/** `quote_id` of `/v1/quotes`, `api_key_id` of `/operator/v1/tenants/{id}/api-keys`. */
function ownIdOf(path: string): string {
  const collection = path.split('/').findLast((segment) => /^[a-z-]+s$/.test(segment)) ?? ''
  return `${collection.slice(0, -1)}_id`.replaceAll('-', '_')
}

const choose = (values: readonly string[], pick: number): string | undefined =>
  pick % 2 === 0 ? values.at(-1) : values[(pick >> 1) % Math.max(values.length, 1)]
