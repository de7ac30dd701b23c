import { expect, test } from 'vitest'
import { naturalBatches, type Outcome } from './natural-batches.ts'

type Run = { readonly lane: string; readonly items: readonly number[]; finish(): void }

/** Batches whose runs the test sees and ends itself. Each item's result is itself, doubled. */
function manual(lanes: readonly string[], sizeMax = 128) {
  const runs: Run[] = []
  const batches = naturalBatches<string, number, number>(
    lanes,
    sizeMax,
    (lane, items) =>
      new Promise<readonly Outcome<number>[]>((resolve) => {
        const finish = (): void => resolve(items.map((item) => ({ result: item * 2 })))
        runs.push({ lane, items, finish })
      }),
  )
  return { runs, batches }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const count = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('what is added in one turn goes in one batch, and each gets its own result', async () => {
  const { runs, batches } = manual(['a'])
  const results = Promise.all([1, 2, 3].map(batches.add))
  await turn()
  expect(runs.map(({ items }) => items)).toEqual([[1, 2, 3]])
  runs[0]?.finish()
  expect(await results).toEqual([2, 4, 6])
})

test('what comes while every lane is busy goes together when one is free', async () => {
  const { runs, batches } = manual(['a', 'b'])
  for (const item of [1, 2, 3, 4]) {
    void batches.add(item)
    await turn()
  }
  expect(runs.map(({ lane, items }) => [lane, items])).toEqual([
    ['a', [1]],
    ['b', [2]],
  ])
  runs[1]?.finish()
  await turn()
  await turn()
  expect(runs.slice(2).map(({ lane, items }) => [lane, items])).toEqual([['b', [3, 4]]])
})

test('a crowd is shared among the free lanes, and no batch is larger than allowed', async () => {
  const { runs, batches } = manual(['a', 'b'], 50)
  for (const item of count(1, 160)) void batches.add(item)
  await turn()
  expect(runs.map(({ items }) => items.length)).toEqual([50, 50])
  runs[0]?.finish()
  await turn()
  await turn()
  expect(runs.at(-1)?.items).toEqual(count(101, 150))
})

test('an error is for its own item, and an item without an outcome is told so', async () => {
  const batches = naturalBatches<string, number, number>(['a'], 128, () =>
    Promise.resolve([{ error: new Error('poison') }, { result: 7 }]),
  )
  const results = await Promise.allSettled([1, 2, 3].map(batches.add))
  expect(results).toMatchObject([
    { reason: { message: 'poison' } },
    { value: 7 },
    { reason: { message: expect.stringContaining('without an outcome') as unknown } },
  ])
})

test('a batch that fails as a whole fails each of its items, and the lane goes on', async () => {
  const failures = [new Error('broken')]
  const batches = naturalBatches<string, number, number>(['a'], 128, async (_, items) => {
    const failure = failures.pop()
    if (failure !== undefined) throw failure
    return items.map((result) => ({ result }))
  })
  const results = await Promise.allSettled([1, 2].map(batches.add))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await batches.add(3)).toBe(3)
})

test('idle resolves when everything that was added has been answered', async () => {
  const { runs, batches } = manual(['a'])
  let isIdle = false
  const item = batches.add(1)
  const idle = batches.idle().then(() => {
    isIdle = true
  })
  await turn()
  expect(isIdle).toBe(false)
  runs[0]?.finish()
  await Promise.all([item, idle])
  expect(isIdle).toBe(true)
})
