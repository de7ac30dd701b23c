import { operatorToken, type TestApi } from './api.fixture.ts'

/** The rows of CSV by its header, without the cells that are empty. @throws Error when a row has more or fewer cells */
export function csvRecords(text: string): readonly Readonly<Record<string, string>>[] {
  const [head = [], ...rows] = csvCells(text)
  return rows.map((row) => {
    if (row.length !== head.length) throw new Error(`${row.length} cells below ${head.length} columns`)
    return Object.fromEntries(row.flatMap((cell, n) => (cell === '' ? [] : [[head[n] ?? '', cell]])))
  })
}

/** RFC 4180, without the apostrophe that keeps a text from being a formula. */
function csvCells(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(cell)) {
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain ?? '').replace(/^'(?=[=+\-@])/, ''))
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

/** The members of a row of JSON by their columns, without those that are null. */
export const flattened = (json: unknown, path = ''): Record<string, string> =>
  Object.assign(
    {},
    ...Object.entries(json as object).map(([name, value]: [string, unknown]) => {
      const column = path === '' ? name : `${path}.${name}`
      if (value === null || value === '') return {}
      if (typeof value === 'object' && !Array.isArray(value) && !jsonColumns.has(column))
        return flattened(value, column)
      return { [column]: typeof value === 'string' ? value : JSON.stringify(value) }
    }),
  ) as Record<string, string>

/** Objects of any members. */
const jsonColumns: ReadonlySet<string> = new Set(['before', 'after', 'metadata'])

/** Reads a list of operators as CSV. */
export const readCsv = (api: Pick<TestApi, 'operatorUrl'>, path: string): Promise<Response> =>
  fetch(`${api.operatorUrl}${path}${path.includes('?') ? '&' : '?'}format=csv`, {
    headers: { authorization: `Bearer ${operatorToken}` },
  })
