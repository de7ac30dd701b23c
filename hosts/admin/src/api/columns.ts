import { type JsonSchema, type OpenApi, resolved } from './openapi.ts'

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

/** The columns of a list: the id, the members of its rows that fit into a cell, and counts of inner objects. */
export function columnsOf(document: OpenApi, row: JsonSchema): readonly string[] {
  const members = Object.entries(row.properties ?? {})
  const names = members.flatMap((member) => (isCell(document, member[1]) ? [member[0]] : countsOf(document, member)))
  return [...names.filter((name) => name === 'id'), ...names.filter((name) => name !== 'id')]
}
