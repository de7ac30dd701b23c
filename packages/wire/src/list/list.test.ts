import { expect, test } from 'vitest'
import { z } from 'zod'
import { encodeCursor, exampleCursor } from './cursor.ts'
import { parseFilteredList, periodParameters } from './filtered-list.ts'
import { pageLimit, pageParameters, wholeNumber } from './list.ts'
import { parseQuery } from '../json/query.ts'

const paged = z.strictObject(pageParameters)
const filtered = z.strictObject({ ...pageParameters, ...periodParameters, status: z.string().optional() })
const read = (search: string) => parseFilteredList(filtered, ['payouts', 'ten_1'], search)

/** The issues of a refused query. */
const issuesOf = (parsed: ReturnType<typeof read>): readonly object[] => (parsed.ok ? [] : parsed.issues)

test('a limit is a whole number from 1 to a maximum, with a default', () => {
  const rule = { field: 'limit', message: 'must be a whole number from 1 to 100' }
  for (const limit of ['1', '20', '100'])
    expect(read(`limit=${limit}`)).toMatchObject({ value: { page: { limit: Number(limit) } } })
  for (const limit of ['0', '101', '01', '1.0', '-1', '1e1', '', ' 1', '1 '])
    expect(issuesOf(read(`limit=${limit}`))).toEqual([rule])
  expect(read('')).toMatchObject({ value: { page: { limit: pageLimit.default } } })
})

/** The schema of the text of a number in the document. */
function documented(schema: z.ZodString): object {
  const jsonSchema = { type: 'string', pattern: 'x' }
  const { override } = schema.meta() as { override: (context: object) => void }
  override({ jsonSchema })
  return jsonSchema
}

test('the document describes a limit as an integer', () => {
  const described = { type: 'integer', minimum: 1, maximum: 7, default: 5 }
  expect(documented(wholeNumber(7, { default: 5 }))).toEqual(described)
})

test('the document has an example of a limit, which is accepted', () => {
  const { examples } = documented(pageParameters.limit.unwrap()) as { examples: readonly number[] }
  expect(examples.length).toBeGreaterThan(0)
  for (const limit of examples) expect(read(`limit=${limit}`)).toMatchObject({ value: { page: { limit } } })
})

test('a parameter that is repeated is named once, with the other faults', () => {
  expect(parseQuery(paged, 'limit=1&limit=1')).toEqual({
    ok: false,
    issues: [{ field: 'limit', message: 'must be given once' }],
  })
  const twice = `cursor=${exampleCursor}&cursor=${exampleCursor}`
  expect(parseQuery(paged, `limit=0&limit=0&limit=0&${twice}`)).toMatchObject({
    issues: [
      { field: 'limit', message: 'must be a whole number from 1 to 100' },
      { field: 'cursor', message: 'must be given once' },
    ],
  })
})

test('a cursor is valid for the same filters and the same period only', () => {
  const given = 'status=completed&from=2026-11-20T00:00:00.0001Z&to=2026-11-21T00:00:00.0009Z'
  const first = read(given)
  if (!first.ok) throw new Error('refused')
  expect(first.value).toMatchObject({
    filters: { status: 'completed' },
    page: {
      // The first millisecond not before `from`, the last one not after `to`.
      from: new Date('2026-11-20T00:00:00.001Z'),
      to: new Date('2026-11-21T00:00:00.000Z'),
    },
  })
  const position = { createdAt: new Date(1), id: 'po_01KAGZ8M88000000000000000A' }
  const cursor = encodeCursor(position, first.value.scope)
  expect(read(`${given}&cursor=${cursor}`)).toMatchObject({ value: { page: { after: position } } })
  for (const other of [
    '',
    given.replace('completed', 'failed'),
    given.replace('11-20', '11-19'),
    given.replace('11-21', '11-22'),
    given.split('&to')[0],
  ])
    expect(issuesOf(read(`${other}&cursor=${cursor}`))).toEqual([
      { field: 'cursor', message: 'must be the next_cursor of the same list with the same filters' },
    ])
})

test('a cursor stays valid when the same instant is spelled differently', () => {
  const first = read('from=2026-11-20T04:00:00Z')
  if (!first.ok) throw new Error('refused')
  const position = { createdAt: new Date(1), id: 'po_01KAGZ8M88000000000000000A' }
  const cursor = encodeCursor(position, first.value.scope)
  expect(read(`from=2026-11-20T00:00-04&cursor=${cursor}`)).toMatchObject({ value: { page: { after: position } } })
})

test('a period has an order, and its faults are named with the others', () => {
  const disorder = { field: 'from', message: 'must not be after to' }
  const [early, late] = ['2026-11-20T00:00:00.0001Z', '2026-11-20T00:00:00.0002Z']
  expect(issuesOf(read(`from=${late}&to=${early}`))).toEqual([disorder])
  expect(read(`from=${early}&to=${early}`)).toMatchObject({ ok: true })
  expect(issuesOf(read(`from=${late}&to=${early}&limit=0`))).toMatchObject([{ field: 'limit' }, disorder])
  expect(issuesOf(read('from=x'))).toMatchObject([{ field: 'from' }])
  const open = read(`from=${early}`)
  expect(open.ok && Object.keys(open.value.page).toSorted()).toEqual(['from', 'limit'])
})
