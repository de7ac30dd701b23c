import { expect, test } from 'vitest'
import { recordedArguments } from './recorded-arguments.ts'

test('a repetition gets what functions returned at first, without calling them again', () => {
  let made = 0
  const make = (index: number) => `${index}: ${++made}`
  const deadline = { leftMs: () => 1_000 - ++made }
  const recorded = recordedArguments(['ten_1', make, { kind: 'accept', deadline }])
  const run = ([, first, write]: readonly unknown[]) => [
    (first as typeof make)(7),
    (first as typeof make)(8),
    (write as { deadline: typeof deadline }).deadline.leftMs(),
  ]
  const results = run(recorded.first)
  expect(results).toEqual(['7: 1', '8: 2', 997])
  expect(run(recorded.repeat())).toEqual(results)
  expect(run(recorded.repeat())).toEqual(results)
  expect(made).toBe(3)
})
