import { expect, test } from 'vitest'
import { readOptions } from './options.fixture.ts'
import { type Episode, episodesOf, type FaultName, faultNames } from './plan.fixture.ts'

function firstEpisodes(
  count: number,
  seed = 1,
  faults: readonly FaultName[] = faultNames,
): Episode[] {
  const episodes = episodesOf({ seed, faults })
  return Array.from({ length: count }, () => episodes.next().value)
}

test('episodes are determined by their seed', () => {
  expect(firstEpisodes(20)).toEqual(firstEpisodes(20))
  expect(firstEpisodes(1, 2)).not.toEqual(firstEpisodes(1))
})

test('every fault comes alone and in every pair', () => {
  const steps = firstEpisodes(130).flatMap((episode) => episode.steps)
  const keys = new Set(steps.map((step) => step.toSorted().join()))
  const pairs = faultNames.flatMap((one) =>
    faultNames.filter((other) => other > one).map((other) => `${one},${other}`),
  )
  const missing = [...faultNames, ...pairs].filter((key) => !keys.has(key))
  // One is at the start and the other at the end of an episode.
  expect(missing).toEqual(['fail-over,upgrade'])
})

test('an upgrade is only at the start of an episode, and a fail-over only at its end', () => {
  for (const { steps } of firstEpisodes(20)) {
    const placesOf = (fault: FaultName): number[] =>
      steps.flatMap((step, place) => (step.includes(fault) ? [place] : []))
    expect(placesOf('upgrade')).toEqual([0])
    expect(placesOf('fail-over')).toEqual([steps.length - 1])
  }
})

test('a selection of faults has no others', () => {
  const steps = firstEpisodes(4, 1, ['kill-api', 'clock']).flatMap((episode) => episode.steps)
  expect(new Set(steps.map((step) => step.toSorted().join()))).toEqual(
    new Set(['kill-api', 'clock', 'clock,kill-api']),
  )
})

test('an invalid option is refused by its name', () => {
  expect(readOptions(['--', '--seed', '3', '--minutes', '5'])).toMatchObject({
    seed: 3,
    minutes: 5,
  })
  expect(() => readOptions(['--minutes', '0'])).toThrow('--minutes must be a whole number from 1')
  expect(() => readOptions(['--faults', 'clock,rain'])).toThrow(
    '--faults must be a list of: kill-api,',
  )
})
