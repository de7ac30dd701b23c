import { expect, test } from 'vitest'
import type { Step } from './plan.ts'
import { episodesIn, reportOf } from './report.ts'
import type { EpisodeReport } from './run-episode.ts'

const episode = (steps: readonly Step[]): EpisodeReport => ({
  seed: 8e3,
  seconds: 60,
  orders: 1,
  payments: 1,
  settledByPeople: 0,
  returned: 0,
  deposits: 1,
  sends: 1,
  events: 1,
  promotions: 1,
  answers: {},
  violations: [],
  steps: steps.map((faults) => ({ faults, stoppedMs: 300, payoutMs: 100, backlogMs: 200, failedRequests: 1 })),
})
const plan = { seed: 8, overlap: 3, from: 4, faults: ['clock', 'files', 'kill-api', 'upgrade'] } as const

test('a step of three faults counts as three pairs, and a pair once', () => {
  const steps = [['clock', 'files', 'kill-api'], ['kill-api', 'clock'], ['clock']] as const
  const report = reportOf(plan, [episode(steps)])
  expect(report).toMatchObject({ result: { episodes: 1, seconds: 60, steps: 3, pairs: 3, possible_pairs: 6 } })
  expect(report.tables?.[0]?.rows).toEqual([
    ['clock', 1, 2, '0.3 / 0.3 / 0.3', '0.1 / 0.1 / 0.1', '0.2 / 0.2 / 0.2', 3],
    ['files', 0, 1, '0.3 / 0.3 / 0.3', '0.1 / 0.1 / 0.1', '0.2 / 0.2 / 0.2', 1],
    ['kill-api', 0, 2, '0.3 / 0.3 / 0.3', '0.1 / 0.1 / 0.1', '0.2 / 0.2 / 0.2', 2],
    ['upgrade', 0, 0, '', '', '', 0],
  ])
})

test('the episodes of another part of the plan count, too, and those of another plan do not', () => {
  const earlier = JSON.stringify(reportOf({ ...plan, from: 2 }, [episode([['clock', 'files']])]))
  const episodes = [...episodesIn('2.json', earlier, plan), episode([['clock', 'upgrade']])]
  expect(reportOf(plan, episodes).result).toMatchObject({ pairs: 2, seconds: 120 })
  expect(() => episodesIn('2.json', earlier, { ...plan, seed: 9 })).toThrow(
    /^2\.json is of the plan {"seed":8.*, not of {"seed":9/,
  )
})
