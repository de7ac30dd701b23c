import { expect, test } from 'vitest'
import type { SchemaDocument } from '../testing/json-schema.ts'
import { disorderedMembers } from '../testing/member-order.ts'
import { mediaOf, type Operation, operationsOf, eventsOf } from './document.fixture.ts'
import type { OpenApiDocument } from './document.ts'
import { operatorOpenApi } from './operator.ts'
import { publicOpenApi } from './public.ts'

/** The examples of answers and events: the encoders make them. */
function disordered(document: OpenApiDocument): readonly string[] {
  const schemas = document as unknown as SchemaDocument
  const contents = ([name, operation]: readonly [string, Operation]) =>
    Object.entries(operation.responses).map(([status, { content }]) => [`${name} ${status}`, content] as const)
  const answers = operationsOf(document).flatMap(contents)
  const events = eventsOf(document).map(([name, { requestBody }]) => [name, requestBody?.content] as const)
  return [...answers, ...events].flatMap(([name, content]) => {
    const { schema, examples = {} } = mediaOf(content) ?? {}
    if (!schema) return []
    return Object.entries(examples).flatMap(([example, { value }]) =>
      disorderedMembers(schema, value, schemas).map((place) => `${name} ${example}: ${place}`),
    )
  })
}

test.each([
  ['tenants', publicOpenApi()],
  ['operators', operatorOpenApi()],
])('answers and events of the API of %s have their members in the declared order', (_, document) => {
  expect(disordered(document)).toEqual([])
})
