import { expect, test } from 'vitest'
import { type Episode, episodesOf, type FaultName, faultNames, pairsOf, type PlanOptions, type Step } from './plan.ts'

function firstEpisodes(count: number, options: Partial<PlanOptions> = {}): Episode[] {
  const episodes = episodesOf({ seed: 1, faults: faultNames, overlap: 2, ...options })
  return Array.from({ length: count }, () => episodes.next().value)
}

const stepsOf = (episodes: readonly Episode[]): Step[] => episodes.flatMap(({ steps }) => steps)
const drawn = (steps: readonly Step[]): Set<string> =>
  new Set(steps.flatMap((step): readonly string[] => (step.length === 1 ? step : pairsOf(step))))

test('episodes are determined by their seed', () => {
  expect(firstEpisodes(20)).toEqual(firstEpisodes(20))
  expect(firstEpisodes(1, { seed: 2 })).not.toEqual(firstEpisodes(1))
})

/** 12 seeds needed 88 episodes with two faults, and 32 or 33 with three. */
const episodesFor = { 2: 88, 3: 34 } as const

test.each([
  { overlap: 2, seed: 8 },
  { overlap: 3, seed: 1 },
] as const)(
  'with $overlap faults that overlap, every fault comes alone and in every pair (seed $seed)',
  ({ overlap, seed }) => {
    const found = drawn(stepsOf(firstEpisodes(episodesFor[overlap], { overlap, seed })))
    const missing = [...faultNames, ...pairsOf(faultNames)].filter((text) => !found.has(text))
    // One is at the start and the other at the end of an episode.
    expect(missing).toEqual(['fail-over + upgrade'])
  },
)

test.each([2, 3, 4])('a step overlaps at most %i faults', (overlap) => {
  const sizes = stepsOf(firstEpisodes(40, { overlap })).map((step) => new Set(step).size)
  expect(Math.max(...sizes)).toBe(overlap)
})

test('an upgrade is only at the start of an episode, and a fail-over only at its end', () => {
  for (const { steps } of firstEpisodes(20)) {
    const placesOf = (fault: FaultName): number[] =>
      steps.flatMap((step, place) => (step.includes(fault) ? [place] : []))
    expect(placesOf('upgrade')).toEqual([0])
    expect(placesOf('fail-over')).toEqual([steps.length - 1])
  }
})
