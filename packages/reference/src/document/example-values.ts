import { endpointsOf, type Media, type OpenApi, resolved, type Schema } from './open-api.ts'

/** An example value of each schema of the document, also of single fields. */
export type ExampleValues = ReadonlyMap<Schema, unknown>

/**
 * Finds the value of each schema in the examples of requests, answers and events.
 *
 * So the example of a field is part of an example of the whole, and consistent with its neighbours.
 */
export function exampleValues(document: OpenApi): ExampleValues {
  const found = new Map<Schema, unknown>()

  function walk(schema: Schema, value: unknown): void {
    const known = found.get(schema)
    if (known === undefined || known === null) found.set(schema, value)
    const target = resolved(schema, document)
    if (target !== schema) walk(target, value)
    for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
      if (fits(choice, value, document)) walk(choice, value)
    if (Array.isArray(value)) {
      const { items } = schema
      if (items) for (const item of value) walk(items, item)
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(schema.properties ?? {}))
        if (value[name] !== undefined) walk(member, value[name])
    }
  }

  for (const { schema, examples = {} } of mediaOf(document))
    for (const { value } of Object.values(examples)) walk(schema, value)
  return found
}

/** Examples of requests come first: they are the ones that readers write.  */
function mediaOf({ paths, 'x-webhooks': webhooks = {} }: OpenApi): Media[] {
  const operations = [...endpointsOf(paths), ...endpointsOf(webhooks)].map(({ operation }) => operation)
  const requests = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
  const answers = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content }) => Object.values(content ?? {})),
  )
  return [...requests, ...answers]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Whether a value can belong to an alternative: precise enough to distinguish alternatives. */
function fits(schema: Schema, value: unknown, document: OpenApi): boolean {
  const target = resolved(schema, document)
  const { type, enum: words, properties = {}, required = [], anyOf, oneOf } = target
  if ('const' in target) return target.const === value
  if (words && !words.includes(value)) return false
  const choices = anyOf ?? oneOf
  if (choices) return choices.some((choice) => fits(choice, value, document))
  if (type !== undefined && !isOfType([type].flat(), typeOf(value))) return false
  if (!isObject(value)) return true
  return (
    required.every((name) => name in value) &&
    Object.entries(properties).every(([name, member]) => !(name in value) || fits(member, value[name], document))
  )
}

const isOfType = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'))
