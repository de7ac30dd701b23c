import { expect, test } from 'vitest'
import { readOptions } from '../../run/options.ts'
import { keptOf, type Options, optionKinds, plantNamed } from './options.ts'

const read = (...args: string[]): Options => readOptions(optionKinds, args)

test('a seed alone has no part', () => {
  expect(keptOf(read('--seed', '7'))).toBeUndefined()
})

test('the part of a shrunk seed is read', () => {
  const options = read('--seed', '7', '--actions', '0,3', '--faults', '', '--calm', 'forks', '--order', '2')
  expect(keptOf(options)).toEqual({ actions: [0, 3], faults: [], calm: ['forks'], order: 2 })
})

test('a planted bug is named by a part of its name', () => {
  expect(plantNamed('from the head')).toBe('credits from the head')
  expect(() => plantNamed('a')).toThrow('--plant must be a part of one of: answers from rows')
})

test.each([
  [['--actions', '1', '--seeds', '2'], '--actions, --faults, --calm and --order are of one --seed'],
  [['--actions', '1,x'], '--actions must be a list of whole numbers'],
  [['--calm', 'rain'], '--calm must be a list of: databaseFaults, '],
])('%j is refused: %s', (args, message) => {
  expect(() => keptOf(read(...args))).toThrow(message)
})
