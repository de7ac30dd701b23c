import { open, rename, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Entry } from './ledger-state.ts'
import { readIfExists } from '../../read-if-exists.ts'
import { finalOutcomes } from '../qr/scenario.ts'

/** Stores the ledger's entries. */
export type Journal = {
  append(entry: Entry): void
  /** Resolves when everything appended so far is durable. */
  flushed(): Promise<void>
  /** Replaces all entries. */
  rewrite(entries: readonly Entry[]): Promise<void>
  close(): Promise<void>
}

/** Stores nothing; the ledger lives as long as the process. */
export const memoryJournal: Journal = {
  append() {},
  flushed: () => Promise.resolve(),
  rewrite: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

const fileName = 'qr-network.jsonl'

/** Reads the stored entries. Ignores an incomplete last line, which a crash left and no answer used. */
export async function readJournal(folder: string): Promise<Entry[]> {
  const text = (await readIfExists(join(folder, fileName))) ?? ''
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  return lines.filter((line) => line !== '').map((line) => EntryJson.parse(JSON.parse(line)))
}

/**
 * Replaces the journal in `folder` by a new file of JSON lines with these entries. Entries that arrive during a write
 * are written together in the next one. After a failed write all later ones fail.
 */
export async function startJournal(folder: string, entries: readonly Entry[]): Promise<Journal> {
  const path = join(folder, fileName)
  let file = await replaceFile(path, entries)
  let tail: Promise<void> = Promise.resolve()
  /** Lines of the next write. */
  let pending: string[] | null = null

  const enqueue = (work: () => Promise<void>): Promise<void> => {
    tail = tail.then(work)
    tail.catch(() => {}) // `flushed` reports the error, also if it is called later.
    return tail
  }
  const newBatch = (): string[] => {
    const lines: string[] = []
    void enqueue(() => {
      if (pending === lines) pending = null
      return writeLines(file, lines)
    })
    return lines
  }
  return {
    append(entry) {
      pending ??= newBatch()
      pending.push(line(entry))
    },
    flushed: () => tail,
    rewrite(entries) {
      pending = null
      return enqueue(async () => {
        await file.close()
        file = await replaceFile(path, entries)
      })
    },
    async close() {
      await tail
      await file.close()
    },
  }
}

/** Replaces the file atomically. */
async function replaceFile(path: string, entries: readonly Entry[]): Promise<FileHandle> {
  const file = await open(`${path}.new`, 'w')
  await writeLines(file, entries.map(line))
  await rename(`${path}.new`, path)
  return file
}

async function writeLines(file: FileHandle, lines: readonly string[]): Promise<void> {
  await file.appendFile(lines.join(''))
  await file.datasync()
}

const line = (entry: Entry): string =>
  `${JSON.stringify(entry, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}\n`

const Minor = z.string().regex(/^\d+$/).transform(BigInt)

const EntryJson: z.ZodType<Entry> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('funded'), total: Minor }),
  z.strictObject({
    type: z.literal('cancelled'),
    cancelled: z.strictObject({ reference: z.string(), outcome: z.literal('closed_unpaid'), updatedAt: z.int() }),
  }),
  z.strictObject({
    type: z.literal('payment'),
    payment: z.strictObject({
      reference: z.string(),
      networkRef: z.string(),
      fingerprint: z.string(),
      outcome: z.enum([...finalOutcomes, 'pending']),
      finalOutcome: z.enum(finalOutcomes).nullable(),
      settleAt: z.int().nullable(),
      requested: Minor,
      amount: Minor,
      currency: z.enum(['BOB', 'USD']),
      description: z.string(),
      merchant: z.strictObject({ name: z.string(), bankCode: z.string() }),
      sequence: z.int().nullable(),
      timesPaid: z.int(),
      paidAt: z.int().nullable(),
      updatedAt: z.int(),
    }),
  }),
])
