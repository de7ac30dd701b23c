import { expect, test } from 'vitest'
import { flag, list, optionLines, readOptions, text, whole } from './options.ts'

const kinds = {
  seed: whole('the first seed', { otherwise: 1 }),
  runs: whole('how many', { from: 1, otherwise: undefined }),
  faults: list('what fails', ['clock', 'files']),
  earlier: list('reports'),
  beside: text('a commit'),
  patroni: flag('a cluster'),
}

test('options that are left out have their defaults', () => {
  expect(readOptions(kinds, ['--'])).toEqual({
    seed: 1,
    runs: undefined,
    faults: undefined,
    earlier: undefined,
    patroni: false,
  })
})

test('options are read', () => {
  const args = [
    '--seed',
    '7',
    '--runs=2',
    '--faults',
    'files,clock',
    '--earlier',
    'a.json,',
    '--beside',
    'HEAD~1',
    '--patroni',
  ]
  const values = { seed: 7, runs: 2, faults: ['files', 'clock'], earlier: ['a.json'], beside: 'HEAD~1', patroni: true }
  expect(readOptions(kinds, args)).toEqual(values)
})

test.each([
  [['--seed', 'x'], '--seed must be a whole number from 0.'],
  [['--seed', '1.5'], '--seed must be a whole number from 0.'],
  [['--runs', '0'], '--runs must be a whole number from 1.'],
  [['--faults', 'clock,rain'], '--faults must be a list of: clock, files.'],
  [['--sed', '1'], '--sed'],
  [['seven'], 'seven'],
])('%j is refused: %s', (args, message) => {
  expect(() => readOptions(kinds, args)).toThrow(message)
})

test('the usage names each option with its default', () => {
  expect(optionLines(kinds).slice(0, 2)).toEqual(['  --seed     the first seed; 1 by default', '  --runs     how many'])
})
