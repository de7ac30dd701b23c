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
  const options = readOptions(['--seed', '7', '--actions', '0,3', '--faults', '', '--calm', 'forks', '--order', '2'])
  const kept = { actions: [0, 3], faults: [], calm: ['forks'], order: 2 }
  expect(options).toMatchObject({ kept })
})

test('a planted fault is named by a part of its name', () => {
  expect(readOptions(['--plant', 'from the head'])).toMatchObject({ plant: 'credits from the head' })
})

test.each([
  [['--seed', 'x'], '--seed must be a whole number'],
  [['--actions', '1'], '--actions, --faults, --calm and --order need one --seed'],
  [['--seed', '1', '--calm', 'rain'], '--calm takes databaseFaults'],
  [['--plant', 'a'], '--plant takes a part of one of: answers from rows'],
  [['--sed', '1'], '--sed'],
])('%j is refused: %s', (args, message) => {
  expect(readOptions(args)).toContain(message)
})
