import { expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { z } from 'zod'
import { csvLine, csvTable } from './csv.ts'
import { parseFormatted } from '../list/list-format.ts'
import { parseOperatorList } from '../list/operator-list.ts'

test.each([
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1+1', `"'-1+1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['=cmd|"x",1', `"'=cmd|""x"",1"`],
  ['\tx', `"'\tx"`],
  ['\rx', `"'\rx"`],
  ['\nx', `"'\nx"`],
  ['＝1', `"'＝1"`],
  ['-10.203353', '-10.203353'],
  ['a,b', '"a,b"'],
  ['a"b', '"a""b"'],
  ['a\nb', '"a\nb"'],
  ['order-1=2', 'order-1=2'],
])('the text %j is written as %j', (text, written) => {
  expect(csvLine([text, 'x'])).toBe(`${written},x\r\n`)
})

test('columns are the members of the schema in their order, those of objects by dots', () => {
  const money = z.object({ amount: z.string(), currency: z.string() })
  const table = csvTable(
    z.object({
      id: z.string(),
      money: money.nullable(),
      count: z.int().optional(),
      words: z.array(z.string()),
      free: z.record(z.string(), z.unknown()),
      either: z.union([z.object({ a: z.string() }), z.object({ a: z.string(), b: z.boolean() }), z.string()]),
    }),
  )
  expect(table.header).toBe('id,money.amount,money.currency,count,words,free,either.a,either.b,either\r\n')
  const row = { id: '1', money: null, count: 0, words: ['x', 'y'], free: { n: 1 }, either: { a: 'A', b: false } }
  expect(table.line(row)).toBe(`1,,,0,"[""x"",""y""]","{""n"":1}",A,false,\r\n`)
  expect(table.line({ id: '2', money: { amount: '1.00', currency: 'BOB' }, either: 'E' })).toBe('2,1.00,BOB,,,,,,E\r\n')
})

test('a list takes its format beside its own parameters, and as CSV no page', () => {
  const parse = (search: string) => parseFormatted(search, (rest) => parseOperatorList('sweeps', rest))
  const issues = (search: string) => issuesOf(parse(search))
  expect(parse('limit=7&format=json')).toMatchObject({
    ok: true,
    value: { format: 'json', list: { query: { limit: 7 } } },
  })
  expect(parse('format=csv')).toMatchObject({ ok: true, value: { format: 'csv' } })
  expect(parse('')).toMatchObject({ ok: true, value: { format: undefined } })
  expect(issues('format=csv&limit=7')).toEqual(['limit must be left out with format=csv'])
  expect(issues('format=pdf&limit=0')).toEqual([
    'format must be json or csv',
    'limit must be a whole number from 1 to 100',
  ])
  expect(issues('format=csv&format=csv')).toEqual(['format must be given once'])
})
