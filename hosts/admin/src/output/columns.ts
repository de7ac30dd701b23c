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

/** The members that fit into a cell, and those of objects beside them, with dots. */
function cellsOf(document: OpenApi, schema: JsonSchema, parent: string): readonly string[] {
  const members = Object.entries(schema.properties ?? {})
  const own = members.filter(([, member]) => isCell(document, member))
  const inner = members
    .filter(([, member]) => parent === '' && !isCell(document, member))
    .flatMap(([name, member]) => cellsOf(document, resolved(document, member), `${name}.`))
  return [...own.map(([name]) => `${parent}${name}`), ...inner]
}

/** The columns of a list: the id, the members of its rows that fit into a cell, then members of inner objects. */
export function columnsOf(document: OpenApi, row: JsonSchema): readonly string[] {
  const names = cellsOf(document, row, '')
  return [...names.filter((name) => name === 'id'), ...names.filter((name) => name !== 'id')]
}
