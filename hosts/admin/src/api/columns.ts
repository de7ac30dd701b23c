import { type JsonSchema, type OpenApi, resolved } from './openapi.ts'
import type { Operation } from './operations.ts'

/** Whether the schema's values fit into a cell: text, numbers, or money. */
function isCell(document: OpenApi, schema: JsonSchema): boolean {
  const { properties, type, items } = resolved(document, schema)
  if (properties !== undefined) {
    const names = Object.keys(properties).sort()
    return names.join() === 'amount,currency'
  }
  const types = [type].flat()
  if (types.includes('array')) return resolved(document, items).type === 'string'
  return !types.includes('object') && type !== undefined
}

/** The members of an inner object that is nothing but counts, such as those of a batch by state. */
function countsOf(document: OpenApi, [name, schema]: readonly [string, JsonSchema]): string[] {
  const members = Object.entries(resolved(document, schema).properties ?? {})
  const isCounts = members.every(([, inner]) => resolved(document, inner).type === 'integer')
  return isCounts ? members.map(([inner]) => `${name}.${inner}`) : []
}

/** How long ago `created_at` was. No member of a row has this name. */
export const ageColumn = 'age'

/** The columns that come first, and fit a terminal of 100 characters. The others follow. */
const firstColumns: Readonly<Record<string, readonly string[]>> = {
  listPayouts: ['id', 'target', 'status', 'qr.merchant.name', 'tenant_id', ageColumn],
  listDeposits: ['id', 'amount', 'status', 'review_code', 'tenant_id', ageColumn],
  listProposals: ['id', 'action', 'status', 'proposed_by', 'tenant_name', ageColumn, 'summary'],
  listTenants: ['id', 'legal_name', 'status', 'margin_bps', ageColumn],
  listDifferences: ['id', 'check', 'kind', 'status', 'tenant_id', ageColumn],
  listWebhookEndpoints: ['id', 'status', 'tenant_id', ageColumn, 'url'],
}

/** The columns of a list: the important ones, the members of its rows that fit into a cell, and counts of inner objects. */
export function columnsOf(document: OpenApi, { id, row = {} }: Pick<Operation, 'id' | 'row'>): readonly string[] {
  const members = Object.entries(row.properties ?? {})
  const names = members.flatMap((member) => (isCell(document, member[1]) ? [member[0]] : countsOf(document, member)))
  const first = (firstColumns[id] ?? ['id']).filter((name) => isColumn(document, row, name))
  return [...first, ...names.filter((name) => !first.includes(name))]
}

/** Whether rows have this member, with dots into objects. */
export function isColumn(document: OpenApi, row: JsonSchema, name: string): boolean {
  if (name === ageColumn) return resolved(document, row).properties?.['created_at'] !== undefined
  let schema: JsonSchema | undefined = row
  for (const key of name.split('.')) {
    const { properties, anyOf, oneOf }: JsonSchema = resolved(document, schema)
    const object: JsonSchema | undefined = properties
      ? { properties }
      : [...(anyOf ?? []), ...(oneOf ?? [])].map((each) => resolved(document, each)).find((each) => each.properties)
    schema = object?.properties?.[key]
    if (schema === undefined) return false
  }
  return true
}
