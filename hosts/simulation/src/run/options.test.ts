import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

test('a seed alone runs once', () => {
  expect(readOptions(['--seed', '7'])).toMatchObject({ seed: 7, seeds: 1, kept: undefined })
})

test('minutes bound the run, and not the seeds', () => {
  const options = readOptions(['--seed', '7', '--minutes', '2', '--jobs', '4'])
  expect(options).toMatchObject({ seed: 7, seeds: Infinity, minutes: 2, jobs: 4 })
})

test('the part of a shrunk seed is read', () => {
  const options = readOptions([
    '--seed',
    '7',
    '--actions',
    '0,3',
    '--faults',
    '',
    '--calm',
    'forks',
  ])
  expect(options).toMatchObject({ kept: { actions: [0, 3], faults: [], calm: ['forks'] } })
})

test.each([
  [['--seed', 'x'], '--seed must be a whole number'],
  [['--actions', '1'], '--actions, --faults and --calm need one --seed'],
  [['--seed', '1', '--calm', 'rain'], '--calm takes databaseFaults'],
  [['--sed', '1'], '--sed'],
])('%j is refused: %s', (args, message) => {
  expect(readOptions(args)).toContain(message)
})
