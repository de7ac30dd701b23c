import { expect, test } from 'vitest'
import type { Step } from './plan.ts'
import { episodesIn, reportOf, tableOf } from './report.ts'
import type { EpisodeReport } from './run-episode.ts'

const episode = (steps: readonly Step[]): EpisodeReport => ({
  seed: 8e3,
  seconds: 60,
  orders: 1,
  payments: 1,
  deposits: 1,
  events: 1,
  answers: {},
  violations: [],
  steps: steps.map((faults) => ({ faults, payoutMs: 100, backlogMs: 200, failedRequests: 1 })),
})
const plan = { seed: 8, overlap: 3, from: 4, faults: ['clock', 'files', 'kill-api', 'upgrade'] } as const

test('a step of three faults counts as three pairs, and a pair once', () => {
  const steps = [['clock', 'files', 'kill-api'], ['kill-api', 'clock'], ['clock']] as const
  const report = reportOf(plan, [episode(steps)])
  expect(report).toMatchObject({ pairs: 3, possiblePairs: 6 })
  expect(tableOf(report)).toContain('`--seed 8 --overlap 3 --from 4`: 1 episodes, 60 s, 3 steps, 3')
  expect(report.rows).toMatchObject([
    { fault: 'clock', alone: 1, overlapped: 2, failedRequests: 3 },
    { fault: 'files', alone: 0, overlapped: 1, failedRequests: 1 },
    { fault: 'kill-api', alone: 0, overlapped: 2, failedRequests: 2 },
    { fault: 'upgrade', alone: 0, overlapped: 0, payoutMs: null },
  ])
})

test('the episodes of another part of the plan count, too, and those of another plan do not', () => {
  const earlier = JSON.stringify(reportOf({ ...plan, from: 2 }, [episode([['clock', 'files']])]))
  const episodes = [...episodesIn('2.json', earlier, plan), episode([['clock', 'upgrade']])]
  expect(reportOf(plan, episodes)).toMatchObject({ pairs: 2, seconds: 120 })
  expect(() => episodesIn('2.json', earlier, { ...plan, seed: 9 })).toThrow(
    /^2\.json is of the plan {"seed":8.*, not of {"seed":9/,
  )
})
