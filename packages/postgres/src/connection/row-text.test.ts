import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { membersText, rowsText } from './row-text.ts'
import { type Bench, openBench } from '../test/stores.fixture.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
  await bench.sql('create type pg_temp.piece as (a text, b text, n float8, at timestamptz, c text)')
})
afterAll(() => bench.close())

type Piece = Readonly<{
  a: string | null
  b: string | null
  n: number | null
  at: Date | null
  c: string | null
}>

/** The rows as the database reads them. */
const readBack = (pieces: readonly Piece[]): Promise<unknown[]> =>
  bench.sql('select * from unnest($1::pg_temp.piece[])', [
    rowsText(pieces.map(({ a, b, n, at, c }) => membersText([a, b, n, at, c]))),
  ])

/** Everything that means something in a row, in an array, or to one of the two languages. */
const marks = Array.from('"\\(),{};\'$& \t\n\r\v\f\u001f\u0085\u00a0\u2028\ufeffañ😀')
const words = [
  '',
  'NULL',
  'null',
  '\\N',
  '""',
  '()',
  '{}',
  ' ',
  ' a',
  'a ',
  'a b',
  "''",
  '$&',
  '$1',
]

const text = fc.option(
  fc.oneof(
    fc.constantFrom(...words),
    fc.string({ unit: fc.constantFrom(...marks) }),
    fc.string({ unit: 'binary' }).map((any) => any.replaceAll('\0', '')),
  ),
)
const piece: fc.Arbitrary<Piece> = fc.record({
  a: text,
  b: text,
  n: fc.option(fc.integer()),
  at: fc.option(
    fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
  ),
  c: text,
})

test('the database reads every member as it is, whatever characters it has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece), async (pieces) => {
      expect(await readBack(pieces)).toEqual(pieces)
    }),
  )
})

test.each([...words, ...marks])('%j is read as it is, first, last and alone', async (word) => {
  const rest = { n: null, at: null }
  const pieces = [
    { a: word, b: word, ...rest, c: word },
    { a: null, b: `${word}${word}`, ...rest, c: null },
    { a: `a${word}`, b: `${word}a`, ...rest, c: `a${word}a` },
  ]
  expect(await readBack(pieces)).toEqual(pieces)
})

test('quotes are left out where there is nothing for them to guard', () => {
  expect(membersText(['po_1', 'a b', '', null, 'completed', 3])).toBe('po_1,"a b","",,completed,3')
})
