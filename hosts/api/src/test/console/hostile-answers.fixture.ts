import { operatorOpenApi } from '@quipu/wire'
import type { Page, Route } from 'playwright-core'

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly format?: string
}
type Operation = {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

const api = operatorOpenApi() as unknown as {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** A text that runs as markup, and as the address of a link. */
export const hostileText = (member: string): string =>
  `javascript:alert('${member}')//<img src=x onerror=alert('${member}')>`

/**
 * Puts a hostile text into each member of the operator API's answers that may have any text: those whose schema has
 * neither a list of values nor a pattern nor a format. Where a text may be null there is one, too.
 *
 * @param replaced  gets the members that had a text
 */
export async function makeHostile(page: Page, replaced: Set<string>): Promise<void> {
  const answer = async (route: Route): Promise<void> => {
    const { pathname } = new URL(route.request().url())
    const schema = answerOf(pathname)
    const response = await route.fetch()
    if (!schema || !response.ok()) return route.fulfill({ response })
    const json: unknown = await response.json()
    return route.fulfill({ response, json: hostile(json, schema, '', replaced) })
  }
  await page.route('**/operator/v1/**', (route) =>
    answer(route).catch((error: unknown) => {
      if (!/disposed|closed/.test(String(error))) throw error // The page that asked has gone.
    }),
  )
}

/** The schema of the answer to a GET of this path; undefined where the document has none. */
function answerOf(path: string): Schema | undefined {
  const found = Object.entries(api.paths).find(([pattern]) => patternOf(pattern).test(path))
  return found?.[1].get?.responses['200']?.content?.['application/json']?.schema
}

const patternOf = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`)

function hostile(value: unknown, given: Schema, member: string, replaced: Set<string>): unknown {
  const schema = chosen(value, given)
  if (typeof value === 'string') {
    if (schema.enum ?? schema.const ?? schema.pattern ?? schema.format) return value
    replaced.add(member)
    return hostileText(member)
  }
  if (Array.isArray(value)) return value.map((each) => hostile(each, schema.items ?? {}, member, replaced))
  if (value === null) return made(given, member, replaced) ?? null
  if (typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, hostile(each, schema.properties?.[name] ?? {}, name, replaced)]),
  )
}

/** A text, list or record of texts in place of null, where the schema allows one. */
function made(given: Schema, member: string, replaced: Set<string>): unknown {
  const options = (given.anyOf ?? given.oneOf ?? []).map((option) => chosen(undefined, option))
  const { type, properties, items, ...schema } = options[0] ?? given
  const types = [type].flat()
  if (types.includes('string')) {
    if (schema.enum) return schema.enum[0]
    if (schema.const ?? schema.pattern ?? schema.format) return undefined
    replaced.add(member)
    return hostileText(member)
  }
  if (types.includes('boolean')) return false
  if (types.includes('array') && items) {
    const item = made({ anyOf: [items] }, member, replaced)
    return item === undefined ? undefined : [item]
  }
  if (!properties) return undefined
  const members = Object.entries(properties).map(
    ([name, property]) => [name, made({ anyOf: [property] }, name, replaced)] as const,
  )
  return members.some(([, each]) => each === undefined) ? undefined : Object.fromEntries(members)
}

/** The schema of a reference or of the alternative that the value is of. */
function chosen(value: unknown, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return chosen(value, api.components.schemas[name] ?? {})
  }
  const options = (schema.anyOf ?? schema.oneOf ?? []).map((option) => chosen(value, option))
  return options.find((option) => isOf(value, option)) ?? (options.length > 0 ? {} : schema)
}

function isOf(value: unknown, { type, properties, enum: values, ...schema }: Schema): boolean {
  if (typeof value === 'string') return schema.const === undefined && (values?.includes(value) ?? type === 'string')
  if (Array.isArray(value)) return type === 'array'
  if (typeof value !== 'object' || value === null) return false
  return Object.keys(value).every((name) => properties && name in properties)
}
