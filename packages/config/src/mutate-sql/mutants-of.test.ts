import { expect, test } from 'vitest'
import { mutantsOf } from './mutants-of.ts'
import { keyOf, readExplanations } from './results.ts'
import { selectionOf } from './reaching-tests.ts'
import { withCounts } from './results-table.ts'
import { sampleOf } from './sample.ts'
import { callersOf, readMigrations } from './sources.ts'
import { functionsOf, type SqlFunction } from './sql-functions.ts'

const migration = (body: string): string =>
  `create table quipu.t (n int);\ncreate function quipu.f(n int) returns int language plpgsql as $$\n${body}\n$$;\n`

const functionOf = (body: string): SqlFunction => {
  const found = functionsOf([{ file: '0001-f.sql', text: migration(body) }]).get('f')
  if (!found) throw new Error('no function was found')
  return found
}

const keysOf = (body: string): readonly string[] => mutantsOf(functionOf(body)).map(keyOf)

test.each<[string, string, readonly string[]]>([
  ['comparisons', 'a < b', ['< → <=']],
  ['inequalities', 'a <> b', ['<> → =']],
  ['sums', 'a + b', ['+ → -']],
  ['numbers', 'f(7, 0, 1.5)', ['7 → 8', '7 → 6', '0 → 1']],
  ['a single row', 'f(select 1 limit 1)', ['1 → 2', '1 → 0', '1 → 0 (2)']],
  ['nothing of a text or comment', `'a < 1' -- and b > 2`, []],
  ['null tests', 'a is null', ['is → is not']],
  ['distinctness', 'a is not distinct from b', ['is not → is']],
  ['existence', 'not exists (select)', ['not exists → exists']],
  [
    'defaults',
    'coalesce(a, b, c)',
    ['coalesce(a, b, c) → (a)', 'coalesce(a, b, c) → (b)', 'coalesce(a, b, c) → (c)'],
  ],
  ['extremes', 'greatest(a, b)', ['greatest → least']],
  ['quantifiers', 'a = any (b)', ['= → <>', 'any → all']],
  ['no number of a type', 'a::text || b', []],
  ['no union', 'exists ((select a) union all (select b))', ['exists → not exists']],
])('changes %s', (_, expression, expected) => {
  expect(keysOf(`begin\n  assert ${expression};\nend`)).toEqual(expected)
})

test.each<[string, string, readonly string[]]>([
  [
    'a condition, its conjuncts and its branch, and nothing in a raise',
    `if a = b and c then raise exception 'x < 1' using errcode = 'P0001'; end if;`,
    [
      'a = b → true',
      'a = b and c → false',
      '= → <>',
      'and → or',
      'c → true',
      `raise exception 'x < 1' using errcode = 'P0001' → null`,
    ],
  ],
  [
    'an update and each of its assignments, which are no comparisons',
    'update t set a = b, c = d + e where f = g;',
    [
      'update t set a = b, c = d + e where f = g → null',
      'a = b, → nothing',
      ', c = d + e → nothing',
      '+ → -',
      'f = g → true',
      '= → <>',
    ],
  ],
  [
    'alternatives, ranges and locks',
    'perform from t where a between b and c and (d or e) for update skip locked;',
    [
      'perform from t where a between b and c and (d or e) for update skip locked → null',
      'a between b and c → true',
      'a between b and c and (d or e) → true',
      'and → or',
      '(d or e) → true',
      'd → false',
      'or → and',
      'e → false',
      'for update skip locked → nothing',
      'skip locked → nothing',
    ],
  ],
  ['no count of diagnostics', 'get diagnostics a = row_count;', []],
  [
    'branches of a case, and no handler’s condition',
    'x := case when a then b end; exception when unique_violation then return y;',
    ['x := case when a then b end → null', 'a → false', 'return y → null'],
  ],
  [
    'a write whose rows nothing reads',
    'with w as (insert into t values (a)), r as (delete from t returning b) select b into c from r;',
    [
      'with w as (insert into t values (a)), r as (delete from t returning b) select b into c from r → null',
      'insert into t values (a) → select',
    ],
  ],
])('changes %s', (_, statement, expected) => {
  expect(keysOf(`begin\n  ${statement}\nend`)).toEqual(expected)
})

test('each mutant is the function with one change, at its line of the migration', () => {
  const of = functionOf('begin\n  return a + b;\nend')
  const sum = mutantsOf(of).find(({ from }) => from === '+')
  expect(of.text).toMatch(/^create or replace function quipu\.f\(/)
  expect(sum?.sql).toBe(of.text.replace('a + b', 'a - b'))
  expect(sum?.line).toBe(4)
})

test('no mutant is the function itself', () => {
  expect(keysOf('begin\n  perform f from a join b on true;\nend')).not.toContain('true → true')
})

test('all functions of the migrations are found, with bodies of each kind', () => {
  const migrations = readMigrations()
  const functions = functionsOf(migrations)
  const created = migrations.flatMap(
    ({ text }) => text.match(/^create (or replace )?function/gm) ?? [],
  )
  expect(functions.size).toBe(created.length)
  const without = Array.from(functions.values()).filter(({ body }) => body.end <= body.start)
  expect(without).toEqual([])
  // A body in `$$`, one that is `return …`, and one that is `begin atomic`.
  for (const name of ['apply_payouts', 'event_body', 'verify_audit_log'])
    expect(mutantsOf(functions.get(name)!).length).toBeGreaterThan(10)
})

test('a function is reached by its callers, and by those who write a table with its trigger', () => {
  const migrations = readMigrations()
  const callers = callersOf(functionsOf(migrations), migrations)
  expect(callers.get('decide_applications')).toEqual(
    new Set(['decide_applications', 'apply_payouts']),
  )
  expect(callers.get('begin_ledger_check')).toContain('create_tenant')
})

test('slow tests, and those of a file that prepares for long, are not among the quick ones', () => {
  const called = ['f']
  const reached = [
    { file: 'quick', test: 'one', ms: 200, called },
    { file: 'quick', test: 'two', ms: 201, called },
    { file: 'quick', test: 'of another function', ms: 1, called: ['g'] },
    { file: 'quick', test: null, ms: 3_000, called: [] },
    { file: 'long', test: 'one', ms: 1, called },
    { file: 'long', test: null, ms: 3_001, called: [] },
    { file: 'shared', test: 'one', ms: 2, called: [] },
    { file: 'shared', test: null, ms: 1, called },
  ]
  expect(selectionOf(reached, new Set(['f']), 'quick')).toEqual({
    selection: new Map([
      ['shared', ['one']],
      ['quick', ['one']],
    ]),
    ms: 202,
  })
  expect(selectionOf(reached, new Set(['f']), 'slow')).toEqual({
    selection: new Map([
      ['long', ['one']],
      ['shared', ['one']],
      ['quick', ['one', 'two']],
    ]),
    ms: 404,
  })
})

test('a sample depends on the seed alone, and keeps the order', () => {
  const items = Array.from({ length: 100 }, (_, n) => n)
  const sample = sampleOf(items, 10, 1)
  expect(sample).toHaveLength(10)
  expect(sample).toEqual(sampleOf(items, 10, 1))
  expect(sample).toEqual(sample.toSorted((a, b) => a - b))
  expect(sample).not.toEqual(sampleOf(items, 10, 2))
  expect(sampleOf(items, 200, 1)).toEqual(items)
})

test('each explained survivor is a change that is still made', () => {
  const functions = functionsOf(readMigrations())
  const outdated = Object.entries(readExplanations()).flatMap(([name, reasons]) => {
    const of = functions.get(name)
    const keys = new Set(of ? mutantsOf(of).map(keyOf) : [])
    return Object.keys(reasons).filter((key) => !keys.has(key))
  })
  expect(outdated).toEqual([])
})

test('the table has a row of each migration, and their sum', () => {
  const empty =
    '| Migration | Functions | Mutants | Run | Killed | Explained | Survived |\n|-|-|-|-|-|-|-|\n\nAfter\n'
  const counts = [
    { migration: 'f.sql', mutants: 9, run: 5, killed: 3, explained: 1 },
    { migration: 'f.sql', mutants: 7, run: 0, killed: 0, explained: 0 },
    { migration: 'f.sql', mutants: 0, run: 0, killed: 0, explained: 0 },
    { migration: 'g.sql', mutants: 2, run: 2, killed: 2, explained: 0 },
  ]
  const written = withCounts(empty, counts)
  expect(written).toBe(
    empty.replace(
      '\n\nAfter',
      '\n| `f.sql` | 2 | 16 | 5 | 3 | 1 | 1 |\n| `g.sql` | 1 | 2 | 2 | 2 | 0 | 0 |\n| together | 3 | 18 | 7 | 5 | 1 | 1 |\n\nAfter',
    ),
  )
  expect(withCounts(written, counts)).toBe(written)
})
