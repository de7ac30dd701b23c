import fc from 'fast-check'
import { arbitraryFromSchema, nearMisses, satisfiesSchema } from '@quipu/wire/testing'
import { type FuzzDocument, type FuzzOperation, operationsOf } from './fuzz-operations.ts'
import type { FuzzedRequest } from './fuzzed-request.ts'
import { type Hostility, hostilities } from './hostile-requests.ts'
import type { KnownValues } from './known-values.ts'

/** A request before it names records that exist. */
export type RequestPlan = {
  readonly operation: FuzzOperation
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly hostility: Hostility | undefined
  readonly credential: number
  /** Which known values it takes. */
  readonly picks: readonly number[]
}

/** Requests of a document: half satisfy it, a third nearly do, the others are hostile. */
export function requestPlans(document: FuzzDocument): fc.Arbitrary<RequestPlan> {
  const operations = operationsOf(document)
  return fc.oneof(
    ...operations.map((operation) => ({ weight: operation.body ? 4 : 1, arbitrary: plansOf(operation, document) })),
  )
}

function plansOf(operation: FuzzOperation, document: FuzzDocument): fc.Arbitrary<RequestPlan> {
  const { parameters, body } = operation
  const common = {
    operation: fc.constant(operation),
    credential: fc.nat(99),
    picks: fc.array(fc.nat(999), { minLength: 6, maxLength: 6 }),
  }
  const valuesOf = (make: typeof arbitraryFromSchema) =>
    fc.record(Object.fromEntries(parameters.map(({ name, schema }) => [name, make(schema, document)])), {
      requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name),
    })
  const bodyOf = (make: typeof arbitraryFromSchema): fc.Arbitrary<unknown> => {
    if (!body) return fc.constant(undefined)
    const made = make(body.schema, document)
    return body.required ? made : fc.option(made, { nil: undefined })
  }
  const exact = { parameters: valuesOf(arbitraryFromSchema), body: bodyOf(arbitraryFromSchema) }
  const near = { parameters: valuesOf(nearMisses), body: bodyOf(nearMisses) }
  const none = fc.constant(undefined)
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ ...common, ...exact, hostility: none }) },
    { weight: 2, arbitrary: fc.record({ ...common, ...exact, body: near.body, hostility: none }) },
    { weight: 1, arbitrary: fc.record({ ...common, ...exact, ...near, hostility: none }) },
    { weight: 2, arbitrary: fc.record({ ...common, ...exact, hostility: fc.constantFrom(...hostilities) }) },
  )
}

/** Makes the request of a plan. Most of its ids and some of its other texts are known ones. */
export function requestOf(plan: RequestPlan, known: KnownValues, document: FuzzDocument): FuzzedRequest {
  const { operation, hostility, credential, picks } = plan
  let taken = 0
  const pick = (): number => (picks[taken % picks.length] ?? 0) + taken++
  const values = new Map(Object.entries(plan.parameters))
  for (const { in: place, name, schema } of operation.parameters) {
    if (!values.has(name) || pick() % 8 === 0) continue
    const cursor = name === 'cursor' ? known.cursorOf(operation.path, pick()) : undefined
    const id = place === 'path' ? known.fitting(schema, document, pick()) : undefined
    const value = cursor ?? id ?? (pick() % 2 === 0 ? known.named(name, pick()) : undefined)
    if (value !== undefined) values.set(name, value)
    else if (name === 'cursor') values.delete(name) // No generated text is a cursor.
  }
  const body = withKnown(plan.body, '', known, pick)
  const request: FuzzedRequest = {
    operation,
    credential,
    isRouted: true,
    method: operation.method,
    target: targetOf(operation, values),
    headers: headersOf(operation, values, body),
    body: body === undefined ? undefined : JSON.stringify(body),
    isBodyInvalid:
      operation.body !== undefined &&
      (body === undefined ? operation.body.required : !satisfiesSchema(operation.body.schema, body, document)),
  }
  return hostility ? hostility.change(request) : request
}

/** Members that must name something that exists, lest every request be refused for it. */
const namesRecord = /(_id|^content|^url|^address)$/

/** Replaces a quarter of the texts by known ones of the same name, and most of those that name a record. */
function withKnown(value: unknown, name: string, known: KnownValues, pick: () => number): unknown {
  if (typeof value === 'string') {
    const isReplaced = namesRecord.test(name) ? pick() % 5 > 0 : pick() % 4 === 0
    return (isReplaced ? known.named(name, pick()) : undefined) ?? value
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withKnown(item, name, known, pick))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withKnown(member, key, known, pick)]))
}

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()

function targetOf({ path, parameters }: FuzzOperation, values: Map<string, unknown>): string {
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(values.get(name))))
  const query = parameters
    .filter(({ in: place, name }) => place === 'query' && values.has(name))
    .map(({ name }) => `${name}=${encodeURIComponent(textOf(values.get(name)))}`)
  return query.length > 0 ? `${named}?${query.join('&')}` : named
}

function headersOf({ parameters }: FuzzOperation, values: Map<string, unknown>, body: unknown): Record<string, string> {
  const named = parameters
    .filter(({ in: place, name }) => place === 'header' && values.has(name))
    .map(({ name }) => [name, textOf(values.get(name)).replaceAll(/[^\x20-\x7e]/g, 'x')])
  return {
    ...(Object.fromEntries(named) as Record<string, string>),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
}
