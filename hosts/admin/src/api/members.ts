import { argumentName, flagOf } from './command-name.ts'
import { type JsonSchema, type OpenApi, type Parameter, resolved } from './openapi.ts'

/** The type that an option's text becomes in the request. `json`: a value that no simple option can express. */
export type MemberKind = 'text' | 'whole' | 'boolean' | 'list' | 'json'

/** A parameter or a body member, as an argument or option of a command. */
export type Member = {
  readonly in: 'path' | 'query' | 'header' | 'body'
  /** As errors of the API name it: `technical_contact.name`. */
  readonly name: string
  /** The option without `--`, or the argument's name: `technical-contact-name`. */
  readonly flag: string
  readonly kind: MemberKind
  /** Whether the text is an instant, which can be given as a day or as an age. */
  readonly isInstant?: true
  readonly required: boolean
  readonly choices: readonly string[]
  readonly description: string
  readonly example: string | undefined
}

/** Whether a member is an argument: a part of the path, or a query parameter that is required, as `search` has. */
export const isArgument = ({ in: place, required }: Pick<Member, 'in' | 'required'>): boolean =>
  place === 'path' || (place === 'query' && required)

/** Options of every command that calls the API. A member of the same name gets the prefix `set-`. */
export const commonFlags = [
  'url',
  'token-file',
  'timeout',
  'json',
  'columns',
  'csv',
  'all',
  'body',
  'only',
  'yes',
  'help',
  'version',
] as const

const uncommon = (flag: string): string => ((commonFlags as readonly string[]).includes(flag) ? `set-${flag}` : flag)

/** The members of the parameters. */
export const parameterMembers = (
  document: OpenApi,
  path: string,
  parameters: readonly Parameter[],
): readonly Member[] =>
  parameters.map((parameter) => {
    const schema = resolved(document, parameter.schema)
    const isPath = parameter.in === 'path'
    const flag = isPath ? argumentName(path, parameter.name) : uncommon(flagOf(parameter.name))
    const { name, required = false, description } = parameter
    return {
      in: parameter.in,
      name,
      flag,
      ...valueOf(document, { ...schema, ...(description !== undefined && { description }) }),
      required: required || isPath,
    }
  })

/** The members of a body. Members of nested objects become options of their own. */
export function bodyMembers(
  document: OpenApi,
  body: JsonSchema,
  parent: { readonly name: string; readonly required: boolean } = { name: '', required: true },
): readonly Member[] {
  const { properties = {}, required = [] } = resolved(document, body)
  return Object.entries(properties).flatMap(([key, property]): readonly Member[] => {
    const schema = resolved(document, property)
    const name = parent.name === '' ? key : `${parent.name}.${key}`
    const isRequired = parent.required && required.includes(key)
    if (schema.properties !== undefined) return bodyMembers(document, schema, { name, required: isRequired })
    const flag = uncommon(flagOf(name))
    return [{ in: 'body', name, flag, ...valueOf(document, schema), required: isRequired }]
  })
}

type Value = Pick<Member, 'kind' | 'isInstant' | 'choices' | 'description' | 'example'>

function valueOf(document: OpenApi, schema: JsonSchema): Value {
  const kind = kindOf(document, schema)
  const words = kind === 'list' ? resolved(document, schema.items) : schema
  const choices = words.const === undefined ? (words.enum ?? []) : [words.const]
  const [example = idExample(schema)] = schema.examples ?? words.examples ?? []
  const preset = schema.default === undefined ? '' : ` Default: ${textOf(schema.default)}.`
  return {
    kind,
    ...(schema.format === 'date-time' && { isInstant: true }),
    choices: kind === 'boolean' ? ['true', 'false'] : choices.flatMap((each) => each ?? []).map(textOf),
    description: `${schema.description ?? ''}${preset}`.trim(),
    example: example === undefined ? undefined : textOf(example),
  }
}

/** `ten_…` for an id's pattern `^ten_…$`. */
function idExample({ pattern = '' }: JsonSchema): string | undefined {
  const [, prefix] = /^\^([a-z]{2,5}_)/.exec(pattern) ?? []
  return prefix && `${prefix}…`
}

function kindOf(document: OpenApi, { type = 'string', items, enum: words }: JsonSchema): MemberKind {
  const types = [type].flat().filter((each) => each !== 'null')
  if (words !== undefined) return 'text'
  if (types.length > 1) return 'json'
  const [only] = types
  if (only === 'integer') return 'whole'
  if (only === 'boolean') return 'boolean'
  if (only === 'string') return 'text'
  if (only !== 'array') return 'json'
  return kindOf(document, resolved(document, items)) === 'text' ? 'list' : 'json'
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value)
