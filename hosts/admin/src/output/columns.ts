import { type JsonSchema, type OpenApi, resolved } from '../api/openapi.ts'

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

/** The columns of a list: the members of its rows that fit into a cell, the id first. */
export function columnsOf(document: OpenApi, row: JsonSchema): readonly string[] {
  const names = Object.entries(row.properties ?? {})
    .filter(([, schema]) => isCell(document, schema))
    .map(([name]) => name)
  return [...names.filter((name) => name === 'id'), ...names.filter((name) => name !== 'id')]
}
