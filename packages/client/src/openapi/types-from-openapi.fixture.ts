// Generates the text of openapi.ts from the OpenAPI document. Run by write-types.fixture.ts.

/** The part of JSON Schema that the document uses. */
type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  /** Words that may become more. */
  readonly 'x-extensible-enum'?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly format?: string
  readonly description?: string
}

type Content = { readonly content?: { readonly 'application/json'?: { readonly schema: Schema } } }
type Parameter = {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}
type Operation = {
  readonly operationId: string
  readonly summary?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}
type PathItem = Readonly<Record<string, Operation>>

export type Document = {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly 'x-webhooks': Readonly<Record<string, PathItem>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Types of a `request` are exact; those of an `answer` admit values that are added later. */
type Side = 'request' | 'answer'

const referred = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

const jsonOf = (content: Content | undefined): Schema | undefined => content?.content?.['application/json']?.schema

const operationsOf = (paths: Document['paths']): [string, string, Operation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [
      method.toUpperCase(),
      path,
      operation,
    ]),
  )

const bodiesOf = (paths: Document['paths']): Schema[] =>
  operationsOf(paths).flatMap(([, , { requestBody }]) => jsonOf(requestBody) ?? [])

/** The names of the schemas that these reference, directly or not. */
function reached(from: readonly Schema[], all: Document['components']['schemas']): Set<string> {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { $ref } = value as Schema
    const name = $ref && referred($ref)
    if (name && !found.has(name)) {
      found.add(name)
      visit(all[name])
    }
    Object.values(value).forEach(visit)
  }
  from.forEach(visit)
  return found
}

const isEmpty = ({ properties }: Schema): boolean => Object.keys(properties ?? {}).length === 0

/** The alternatives of a schema, each as TypeScript writes it. */
function alternatives(schema: Schema, side: Side, indent: string): string[] {
  if (schema.$ref) return [referred(schema.$ref)]
  if (schema.const !== undefined) return [literal(schema.const)]
  if (schema.enum) {
    return [...schema.enum.map(literal), ...(side === 'answer' ? ['(string & {})'] : [])]
  }
  const words = schema['x-extensible-enum']
  if (words) return [...words.map(literal), '(string & {})']
  const either = schema.anyOf ?? schema.oneOf
  if (either) {
    const found = [...new Set(either.flatMap((each) => alternatives(each, side, indent)))]
    return found.includes('(string & {})') ? found.filter((each) => each !== 'string') : found
  }
  return [schema.type ?? 'unknown'].flat().map((type) => plain(type, schema, side, indent))
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

function plain(type: string, schema: Schema, side: Side, indent: string): string {
  if (type === 'array') return `readonly ${grouped(schema.items ?? {}, side, indent)}[]`
  if (type !== 'object') return type === 'integer' ? 'number' : type
  if (typeof schema.additionalProperties === 'object') {
    return `Readonly<Record<string, ${typeOf(schema.additionalProperties, side, indent)}>>`
  }
  return isEmpty(schema) ? 'Record<string, never>' : block(schema, side, indent)
}

/** The item type of an array, in brackets when it is a union. */
function grouped(schema: Schema, side: Side, indent: string): string {
  const types = alternatives(schema, side, indent)
  return types.length === 1 ? types.join() : `(${broken(types, indent)}\n${indent})`
}

/** As many alternatives on a line as fit. */
function broken(types: readonly string[], indent: string): string {
  const lines: string[] = []
  for (const type of types) {
    const longer = `${lines.at(-1)} | ${type}`
    if (lines.length > 0 && longer.length <= 120) lines[lines.length - 1] = longer
    else lines.push(`${indent}  | ${type}`)
  }
  return lines.map((line) => `\n${line}`).join('')
}

/** @param before  the length of the line before the type */
function typeOf(schema: Schema, side: Side, indent: string, before = 0): string {
  const types = alternatives(schema, side, indent)
  const line = types.join(' | ')
  const fits = before + line.length <= 100 || types.length === 1
  return fits ? line : broken(alternatives(schema, side, `${indent}    `), indent)
}

const comment = (description: string | undefined, indent: string): string =>
  description ? `${indent}/** ${description.replace(/\s+/g, ' ').replaceAll('*/', '*')} */\n` : ''

function member(
  name: string,
  schema: Schema,
  { required, side, indent }: { required: boolean; side: Side; indent: string },
): string {
  // An optional member of a request may be undefined, which leaves it out.
  const open = !required && side === 'request' ? { anyOf: [schema, { type: 'undefined' }] } : schema
  const start = `${indent}readonly ${name}${required ? '' : '?'}: `
  const type = typeOf(open, side, indent, start.length)
  const line = type.startsWith('\n') ? `${start.trimEnd()}${type}` : `${start}${type}`
  return `${comment(schema.description, indent)}${line}\n`
}

function block(schema: Schema, side: Side, indent: string, exact?: string): string {
  const inner = `${indent}  `
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    member(name, property, {
      required: schema.required?.includes(name) ?? false,
      side: name === exact ? 'request' : side,
      indent: inner,
    }),
  )
  return wrapped(members, indent)
}

/** Members on one line where they fit there and have no comment. */
function wrapped(members: readonly string[], indent: string, before = 40): string {
  const line = `{ ${members.map((each) => each.trim()).join('; ')} }`
  const fits = indent.length + before + line.length <= 120 && !/\n|\/\*/.test(line)
  return fits ? line : `{\n${members.join('')}${indent}}`
}

/** The largest schema of which this one has every member, and the members that it adds. */
function extended(name: string, schemas: Document['components']['schemas'], isSameSide: (name: string) => boolean) {
  const membersOf = ({ properties = {}, required = [] }: Schema): string[] =>
    Object.entries(properties).map(([key, property]) => JSON.stringify([key, required.includes(key), property]))
  const own = new Set(membersOf(schemas[name] ?? {}))
  const [base] = Object.entries(schemas)
    .map(([other, schema]) => ({ other, members: membersOf(schema), names: Object.keys(schema.properties ?? {}) }))
    .filter(({ other, members }) => members.length > 3 && members.length < own.size && isSameSide(other))
    .filter(({ members }) => members.every((each) => own.has(each)))
    .toSorted((a, b) => b.members.length - a.members.length)
  if (!base) return undefined
  const added = Object.entries(schemas[name]?.properties ?? {}).filter(([key]) => !base.names.includes(key))
  return { base: base.other, added: { ...schemas[name], properties: Object.fromEntries(added) } }
}

/** Where a schema is first the body of a request or its answer: what it says of itself when it has no description. */
function usesOf(operations: readonly [string, string, Operation][]): ReadonlyMap<string, string> {
  const uses = operations.flatMap(([method, path, operation]) =>
    Object.entries({ body: jsonOf(operation.requestBody), answer: answerOf(operation) }).flatMap(
      ([part, schema]): [string, string][] =>
        schema?.$ref ? [[referred(schema.$ref), `The ${part} of \`${method} ${path}\`.`]] : [],
    ),
  )
  return new Map(uses.toReversed())
}

/** Declares every schema of the document, and every operation with its input and answer. */
export function typesFromOpenApi(document: Document): string {
  const { schemas } = document.components
  const operations = operationsOf(document.paths)
  const uses = usesOf(operations)
  const requests = reached(bodiesOf(document.paths), schemas)
  // The `type` of an event stays exact, so that a switch narrows its data.
  const events = new Set(bodiesOf(document['x-webhooks']).map(({ $ref = '' }) => referred($ref)))
  const declared = Object.entries(schemas).map(([name, schema]) => {
    const side = requests.has(name) ? 'request' : 'answer'
    const more = extended(name, schemas, (other) => requests.has(other) === requests.has(name) && !events.has(other))
    const type = events.has(name)
      ? block(schema, side, '', 'type')
      : more
        ? `${more.base} & ${block(more.added, side, '')}`
        : typeOf(schema, side, '', `export type ${name} = `.length)
    return `${comment(schema.description ?? uses.get(name), '')}export type ${name} =${type.startsWith('\n') ? '' : ' '}${type}\n`
  })
  return [
    '// Written by `pnpm run generate` from the OpenAPI document of the API. Do not edit.',
    '/* oxlint-disable max-lines -- It is generated. */\n',
    ...declared,
    ...operations.flatMap((operation) => queryType(operation) ?? []),
    `/** The input and the answer of each operation. */\nexport type Operations = {\n${operations.map(signature).join('')}}\n`,
    `/** Method and path of each operation, and whether it answers 204 without a body. */\nexport const operations = {\n${operations.map(place).join('')}} as const\n`,
  ].join('\n')
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const queryName = ({ operationId }: Operation): string => `${capital(operationId)}Query`

const parametersIn = (where: string, { parameters = [] }: Operation): readonly Parameter[] =>
  parameters.filter((parameter) => parameter.in === where)

/** An instant in a query may be a Date. */
const queryMember = ({ schema, description }: Parameter): Schema => ({
  anyOf: [schema, ...(schema.format === 'date-time' ? [{ $ref: 'Date' }] : [])],
  ...(description !== undefined && { description }),
})

function queryType([method, path, operation]: [string, string, Operation]): string | undefined {
  const query = parametersIn('query', operation)
  if (query.length === 0) return undefined
  const properties = Object.fromEntries(query.map((each) => [each.name, queryMember(each)]))
  const required = query.flatMap(({ name, required }) => (required ? [name] : []))
  return `${comment(`The query of \`${method} ${path}\`.`, '')}export type ${queryName(operation)} = ${block({ properties, required }, 'request', '')}\n`
}

function signature([, , operation]: [string, string, Operation]): string {
  const path = parametersIn('path', operation).map(({ name }) => `readonly ${name}: string`)
  const { requestBody } = operation
  const body = jsonOf(requestBody)
  const answer = answerOf(operation)
  const members = [
    ...(path.length > 0 ? [`readonly params: { ${path.join('; ')} }`] : []),
    ...(parametersIn('query', operation).length > 0 ? [`readonly query: ${queryName(operation)}`] : []),
    ...(body && !isBare(body)
      ? [
          `readonly body${requestBody?.required ? '' : '?'}: ${typeOf(body, 'request', '    ')}${requestBody?.required ? '' : ' | undefined'}`,
        ]
      : []),
    `readonly answer: ${answer ? typeOf(answer, 'answer', '    ') : 'undefined'}`,
  ]
  const start = `readonly ${operation.operationId}: `
  const lines = members.map((each) => `    ${each}\n`)
  return `${comment(operation.summary, '  ')}  ${start}${wrapped(lines, '  ', start.length)}\n`
}

/** A body without members need not be sent. */
const isBare = (schema: Schema): boolean => schema.$ref === undefined && isEmpty(schema)

function answerOf({ responses }: Operation): Schema | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return jsonOf(success)
}

const place = ([method, path, operation]: [string, string, Operation]): string =>
  `  ${operation.operationId}: { method: '${method}', path: '${path}'${answerOf(operation) ? '' : ', isEmpty: true'} },\n`
