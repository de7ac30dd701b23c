import { expect, test } from 'vitest'
import { flag, list, readOptions, text, whole } from './options.ts'

const kinds = {
  seed: whole('the first seed', { otherwise: 1 }),
  runs: whole('how many', { from: 1, otherwise: undefined }),
  faults: list('what fails', ['clock', 'files']),
  earlier: list('reports'),
  beside: text('a commit'),
  patroni: flag('a cluster'),
}

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
