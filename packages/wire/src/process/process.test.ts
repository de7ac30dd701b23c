import { expect, test } from 'vitest'
import { processesToJson, processList } from './process.ts'

test('lists processes with their ages rounded down', () => {
  const ids = ['prc_01KAGZ8M88000000000000000A', 'prc_01KAGZ8M88000000000000000B'] as const
  const json = processesToJson([
    {
      id: ids[0],
      program: 'api',
      host: 'one',
      aheadMs: -12,
      ageSeconds: 90.9,
      steadySeconds: 60,
      silentSeconds: 4.9,
      endedSeconds: null,
    },
    {
      id: ids[1],
      program: 'worker',
      host: 'two',
      aheadMs: 7,
      ageSeconds: 0.2,
      steadySeconds: 0.2,
      silentSeconds: 0.2,
      endedSeconds: null,
    },
  ])
  expect(json).toEqual({
    data: [
      { id: ids[0], program: 'api', host: 'one', clock_ahead_ms: -12, age_seconds: 90, silent_seconds: 4 },
      { id: ids[1], program: 'worker', host: 'two', clock_ahead_ms: 7, age_seconds: 0, silent_seconds: 0 },
    ],
  })
  expect(processList.parse(json)).toEqual(json)
  const [first] = json.data
  for (const change of [{ age_seconds: -1 }, { silent_seconds: -1 }, { program: 'admin' }])
    expect(processList.safeParse({ data: [{ ...first, ...change }] }).success).toBe(false)
})
