import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { sharedStatement } from './shared-statement.ts'

const items = ['a', 'b', 'c']

/** Three concurrent readings: the sizes of the statements, and how each reading ended. */
async function reading(
  rowsOf: (items: readonly string[]) => Promise<string[]>,
): Promise<{ sizes: number[]; ends: unknown[] }> {
  const sizes: number[] = []
  const read = sharedStatement('test.read', (batch: readonly string[]) => {
    sizes.push(batch.length)
    return rowsOf(batch)
  })
  const ends = await Promise.all(items.map((item) => read(item).catch((caught: unknown) => caught)))
  return { sizes, ends }
}

test('concurrent readings share a statement, and each gets its own row', async () => {
  const rowsOf = async (batch: readonly string[]): Promise<string[]> => batch.map((item) => `row ${item}`)
  expect(await reading(rowsOf)).toEqual({ sizes: [3], ends: ['row a', 'row b', 'row c'] })
})

test('a database outage fails all readings with one statement', async () => {
  const outage = new Unavailable('store', 'timeout expired')
  const { sizes, ends } = await reading(() => Promise.reject(outage))
  expect({ sizes, ends }).toEqual({ sizes: [3], ends: [outage, outage, outage] })
})

test('a fault of one item fails no other: each is read singly', async () => {
  const bug = new Error('a value that is none')
  const rowsOf = async (batch: readonly string[]): Promise<string[]> => {
    if (batch.includes('b')) throw bug
    return [...batch]
  }
  expect(await reading(rowsOf)).toEqual({ sizes: [3, 1, 1, 1], ends: ['a', bug, 'c'] })
})

test('a missing row is an error of its item', async () => {
  const { ends } = await reading(async (batch) => batch.slice(0, 2))
  expect(ends).toEqual(['a', 'b', new Error('test.read returned no row for an item')])
})
