import { commandName } from './command-name.ts'
import { bodyMembers, type Member, parameterMembers } from './members.ts'
import { type DocumentedOperation, type JsonSchema, type Method, methods, type OpenApi, resolved } from './openapi.ts'

/** An operation of the API, as a command. */
export type Operation = {
  readonly id: string
  readonly group: string
  readonly verb: string
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly needsToken: boolean
  /** Without the `format` of a list: `--csv` asks for it. */
  readonly members: readonly Member[]
  readonly takesBody: boolean
  /** The body of an example call. */
  readonly exampleBody: unknown
  /** The schema of a list's rows; undefined if the answer is no list. */
  readonly row: JsonSchema | undefined
  /** The members of an answer that is one object; empty if it is a list or no JSON. */
  readonly answers: readonly string[]
}

/** The words of an operation's command. An operation that is named as its group, as `search` is, is the group itself. */
export const commandWords = ({ group, verb }: Pick<Operation, 'group' | 'verb'>): readonly [string, ...string[]] =>
  verb === group ? [group] : [group, verb]

/** Every operation of the document, in its order. */
export const operationsOf = (document: OpenApi): readonly Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const documented = item[method]
      return documented ? [operationOf(document, path, method, documented)] : []
    }),
  )

function operationOf(document: OpenApi, path: string, method: Method, documented: DocumentedOperation): Operation {
  const { operationId = `${method} ${path}`, tags = [], parameters = [] } = documented
  const body = documented.requestBody?.content['application/json']
  const [example] = Object.values(body?.examples ?? {})
  const row = rowOf(document, documented)
  return {
    id: operationId,
    ...commandName(operationId, tags[0] ?? 'Other'),
    method,
    path,
    summary: documented.summary ?? operationId,
    description: documented.description ?? '',
    needsToken: (documented.security ?? []).length > 0,
    members: [
      ...parameterMembers(document, path, parameters).filter(({ name }) => row === undefined || name !== 'format'),
      ...(body?.schema ? bodyMembers(document, body.schema) : []),
    ],
    takesBody: body !== undefined,
    exampleBody: example?.value,
    row,
    answers: row === undefined ? answersOf(document, documented) : [],
  }
}

/** The schema of `data`'s items in the answer to a list. */
function rowOf(document: OpenApi, { responses = {} }: DocumentedOperation): JsonSchema | undefined {
  const answer = resolved(document, responses['200']?.content?.['application/json']?.schema)
  const { data, next_cursor: cursor } = answer.properties ?? {}
  return data === undefined || cursor === undefined ? undefined : resolved(document, resolved(document, data).items)
}

/** The members of every answer below 300. */
function answersOf(document: OpenApi, { responses = {} }: DocumentedOperation): readonly string[] {
  const schemas = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => resolved(document, content?.['application/json']?.schema))
  return [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))]
}
