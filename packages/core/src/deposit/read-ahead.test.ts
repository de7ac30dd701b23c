import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAhead } from './read-ahead.ts'

const anyPlan = fc.record({
  first: fc.integer({ min: 1, max: 100 }),
  count: fc.nat(40),
  width: fc.integer({ min: 1, max: 9 }),
  /** How many event-loop turns each read takes. */
  delays: fc.array(fc.nat(12), { minLength: 40, maxLength: 40 }),
})
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await Promise.resolve()
}

test('yields every item once and in order, and never holds more than its width', async () => {
  await fc.assert(
    fc.asyncProperty(anyPlan, async ({ first, count, width, delays }) => {
      let taken = first
      const read = async (number: number): Promise<number> => {
        expect(number).toBeLessThan(taken + 2 * width)
        await turns(delays[number - first] ?? 0)
        return number
      }
      const got: number[] = []
      for await (const run of readAhead(read, first, first + count - 1, width)) {
        expect(run.length).toBeGreaterThan(0)
        got.push(...run)
        taken += run.length
        await turns(delays[run.length] ?? 0)
      }
      expect(got).toEqual(Array.from({ length: count }, (_, n) => first + n))
    }),
  )
})

test.each(['is missing', 'fails'])('yields the items before the first one that %s', async (end) => {
  await fc.assert(
    fc.asyncProperty(anyPlan, fc.nat(39), async ({ first, width, delays }, last) => {
      const read = async (number: number): Promise<number | undefined> => {
        await turns(delays[number - first] ?? 0)
        if (number - first < last) return number
        if (end === 'fails') throw new Error(`no ${number}`)
        return number - first === last ? undefined : number
      }
      const got: number[] = []
      const all = async (): Promise<void> => {
        for await (const run of readAhead(read, first, first + 39, width)) {
          expect(run.length).toBeGreaterThan(0)
          got.push(...run)
        }
      }
      if (end === 'fails') await expect(all()).rejects.toThrow(`no ${first + last}`)
      else await all()
      expect(got).toEqual(Array.from({ length: last }, (_, n) => first + n))
    }),
  )
})

test('reads on while the caller works on a batch', async () => {
  const started: number[] = []
  const read = async (number: number): Promise<number> => {
    started.push(number)
    return number
  }
  const batches = readAhead(read, 1, 9, 3)
  expect((await batches.next()).value).toEqual([1, 2, 3])
  expect(started).toEqual([1, 2, 3, 4, 5, 6])
  await batches.return(undefined)
})
