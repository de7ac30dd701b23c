import { expect, test } from 'vitest'
import { sqlFunctionBreaches } from './sql-functions.ts'

const breachesOf = (text: string) => sqlFunctionBreaches({ path: 'packages/postgres/migrations/0001-a.sql', text })
const lines = (count: number): string => '  perform 1;\n'.repeat(count)
const plpgsql = (count: number): string =>
  `create function quipu.first(a int) returns void\nlanguage plpgsql as $$\nbegin\n${lines(count - 5)}end\n$$;\n\n`
const atomic = (count: number): string =>
  `create function quipu.second() returns int\nlanguage sql\nbegin atomic\n${'  select 1;\n'.repeat(count - 4)}end;\n`
const returning = (count: number): string =>
  `create function quipu.third() returns int\nlanguage sql stable\nreturn (\n${'1 +\n'.repeat(count - 4)}1);\n`

test('a function of 80 lines is allowed, whatever stands beside it', () => {
  const all = [plpgsql(80), atomic(80), returning(80), `${lines(200)}create table quipu.t (id int);\n`]
  expect(breachesOf(all.join('-- The next one.\n'))).toEqual([])
})

test.each([
  ['first', plpgsql(81)],
  ['second', atomic(81)],
  ['third', returning(81)],
])('%s with 81 lines is a breach', (name, text) => {
  expect(breachesOf(plpgsql(9) + text)).toEqual([
    `packages/postgres/migrations/0001-a.sql: ${name} has 81 lines: divide it, at most 80`,
  ])
})

test('13 parameters are allowed beside those that it returns, and 14 are a breach', () => {
  const types = (count: number) => Array.from({ length: count }, (_, n) => `p${n} numeric(1, 2)`).join(',\n  ')
  const taking = (count: number) =>
    `create function quipu.wide(\n  ${types(count)}, -- one, more\n  out r int\n) language sql as $$ select 1\n$$;\n`
  expect(breachesOf(taking(13))).toEqual([])
  expect(breachesOf(taking(14))).toEqual([
    'packages/postgres/migrations/0001-a.sql: wide takes 14 parameters: make them members of one, at most 13',
  ])
})

test('other files have no such limits', () => {
  expect(sqlFunctionBreaches({ path: 'docs/a.sql', text: plpgsql(99) })).toEqual([])
})
