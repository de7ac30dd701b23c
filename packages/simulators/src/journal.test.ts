import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './folder.fixture.ts'
import { z } from 'zod'
import { readJournal, startJournal } from './journal.ts'

const journalPath = async (): Promise<string> => join(await temporaryFolder(), 'journal.jsonl')

const Funded = z.strictObject({ total: z.string().transform(BigInt) })
type Entry = z.infer<typeof Funded>
const funded = (total: bigint): Entry => ({ total })
const totals = async (path: string): Promise<bigint[]> => (await readJournal(path, Funded)).map(({ total }) => total)

test('a missing journal has no entries', async () => {
  expect(await totals(await journalPath())).toEqual([])
})

test('entries that are appended during a write are stored in order', async () => {
  const path = await journalPath()
  const journal = await startJournal(path, [funded(0n)])
  const flushes: Promise<void>[] = []
  for (let i = 1n; i <= 50n; i++) {
    journal.append(funded(i))
    flushes.push(journal.flushed())
    if (i % 7n === 0n) await flushes[0]
  }
  await Promise.all(flushes)
  expect(await totals(path)).toEqual(Array.from({ length: 51 }, (_, i) => BigInt(i)))
  await journal.close()
})

test('a rewrite replaces earlier entries and keeps later ones', async () => {
  const path = await journalPath()
  const journal = await startJournal<Entry>(path, [])
  journal.append(funded(1n))
  const rewritten = journal.rewrite([funded(2n)])
  journal.append(funded(3n))
  await rewritten
  journal.append(funded(4n))
  await journal.close()
  expect(await totals(path)).toEqual([2n, 3n, 4n])
})

test('after a failed write no later entry is reported as durable', async () => {
  const path = await journalPath()
  const journal = await startJournal<Entry>(path, [])
  await journal.close()
  journal.append(funded(1n))
  await expect(journal.flushed()).rejects.toThrow()
  journal.append(funded(2n))
  await expect(journal.flushed()).rejects.toThrow()
})
