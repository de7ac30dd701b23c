import { activeSpan, inWorkSpan } from '@quipu/tracing'
import { recordSpans } from '@quipu/tracing/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { gatherMs, naturalBatches, type Outcome, type WorthWaitingFor } from './natural-batches.ts'
import { sharedSlots } from './slots.ts'

type Run = { readonly slot: string; readonly items: readonly number[]; finish(): void }

/** Batches whose runs the test finishes. The result of an item is twice the item. */
function manual(slots: readonly string[], sizeMax = 128, worthWaitingFor?: WorthWaitingFor) {
  const runs: Run[] = []
  const batches = naturalBatches<string, number, number>(
    'write',
    sharedSlots(slots),
    sizeMax,
    (slot, items) =>
      new Promise<readonly Outcome<number>[]>((resolve) => {
        const finish = (): void => resolve(items.map((item) => ({ result: item * 2 })))
        runs.push({ slot, items, finish })
      }),
    worthWaitingFor,
  )
  return { runs, batches }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const count = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('items that are added in one turn share a batch, and each gets its own result', async () => {
  const { runs, batches } = manual(['a'])
  const results = Promise.all([1, 2, 3].map(batches.add))
  await turn()
  expect(runs.map(({ items }) => items)).toEqual([[1, 2, 3]])
  runs[0]?.finish()
  expect(await results).toEqual([2, 4, 6])
})

test('items that are added while every slot is busy share the next batch', async () => {
  const { runs, batches } = manual(['a', 'b'])
  for (const item of [1, 2, 3, 4]) {
    void batches.add(item)
    await turn()
  }
  expect(runs.map(({ slot, items }) => [slot, items])).toEqual([
    ['a', [1]],
    ['b', [2]],
  ])
  runs[1]?.finish()
  await turn()
  await turn()
  expect(runs.slice(2).map(({ slot, items }) => [slot, items])).toEqual([['b', [3, 4]]])
})

test('many items are divided among the free slots, and no batch exceeds sizeMax', async () => {
  const { runs, batches } = manual(['a', 'b'], 50)
  for (const item of count(1, 160)) void batches.add(item)
  await turn()
  expect(runs.map(({ items }) => items.length)).toEqual([50, 50])
  runs[0]?.finish()
  await turn()
  await turn()
  expect(runs.at(-1)?.items).toEqual(count(101, 150))
})

test('items that come one by one share a batch when as many are worth waiting for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let worth = 3
  const { runs, batches } = manual(['a', 'b'], 128, () => worth)
  const sizes = (): number[] => runs.map(({ items }) => items.length)
  const add = async (items: number): Promise<void> => {
    for (const item of count(1, items)) {
      void batches.add(item)
      await turn()
    }
  }
  await add(2)
  expect(sizes()).toEqual([])
  await add(1)
  expect(sizes()).toEqual([3])
  // No later than this after the first of them, and the wait begins anew with the next batch.
  await add(1)
  vi.advanceTimersByTime(gatherMs - 1)
  await add(1)
  expect(sizes()).toEqual([3])
  vi.advanceTimersByTime(1)
  await turn()
  expect(sizes()).toEqual([3, 2])
  runs[0]?.finish()
  await turn()
  await add(2)
  expect(sizes()).toEqual([3, 2])
  // A wait that is no longer worth it ends with the next item.
  worth = 1
  await add(1)
  expect(sizes()).toEqual([3, 2, 3])
})

test('an error rejects its own item only, and an item without an outcome is rejected', async () => {
  const batches = naturalBatches<string, number, number>('write', sharedSlots(['a']), 128, () =>
    Promise.resolve([{ error: new Error('poison') }, { result: 7 }]),
  )
  const results = await Promise.allSettled([1, 2, 3].map(batches.add))
  expect(results).toMatchObject([
    { reason: { message: 'poison' } },
    { value: 7 },
    { reason: { message: expect.stringContaining('without an outcome') as unknown } },
  ])
})

test('a batch that fails as a whole rejects each of its items, and its slot runs the next batch', async () => {
  const failures = [new Error('broken')]
  const batches = naturalBatches<string, number, number>('write', sharedSlots(['a']), 128, async (_, items) => {
    const failure = failures.pop()
    if (failure !== undefined) throw failure
    return items.map((result) => ({ result }))
  })
  const results = await Promise.allSettled([1, 2].map(batches.add))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await batches.add(3)).toBe(3)
})

test('kinds that share a slot take it in turns, each with all that it has queued', async () => {
  const slots = sharedSlots(['a'])
  const order: string[] = []
  const kind = (name: string) =>
    naturalBatches<string, number, number>(name, slots, 128, async (_, items) => {
      order.push(`${name} ${items.join()}`)
      // While this batch runs, each kind queues another item.
      if (order.length < 5) for (const [n, one] of [first, second].entries()) void one.add(10 * order.length + n)
      await turn() // The other kind finds the slot taken.
      return items.map((result) => ({ result }))
    })
  const [first, second] = [kind('first'), kind('second')]
  await first.add(1)
  await Promise.all([first.idle(), second.idle()])
  expect(order).toEqual([
    'first 1',
    'first 10', // It has waited since before the other kind.
    'second 11,21',
    'first 20,30',
    'second 31,41',
    'first 40',
  ])
})

test('idle resolves when every added item has its outcome', async () => {
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

test('each item has a span in its own trace, and the batch runs in none of them', async () => {
  const recorded = recordSpans()
  const active: unknown[] = []
  const batches = naturalBatches<string, number, number>('write', sharedSlots(['a']), 128, async (_, items) => {
    active.push(activeSpan())
    return items.map((item) => (item === 2 ? { error: new Error('refused') } : { result: item }))
  })
  const facts = { scope: 'test', name: 'request', kind: 'internal' } as const
  const add = (item: number) => inWorkSpan(facts, undefined, () => batches.add(item))
  await Promise.allSettled([1, 2].map(add))
  const spans = recorded.spans()
  await recorded.stop()
  const writes = spans.filter(({ name }) => name === 'write')
  expect(active).toEqual([undefined])
  expect(writes.map(({ isError }) => isError)).toEqual([false, true])
  expect(writes.map(({ attributes }) => attributes['db.operation.batch.size'])).toEqual([2, 2])
  expect(new Set(writes.map(({ traceId }) => traceId)).size).toBe(2)
})
