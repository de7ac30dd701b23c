import { open, rename, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Entry } from './books.ts'
import { readIfThere } from '../../read-if-there.ts'
import { finalOutcomes } from '../qr/scenario.ts'

/** Where the ledger's entries are kept. */
export type Journal = {
  append(entry: Entry): void
  /** Resolves when everything appended so far would survive a power cut. */
  flushed(): Promise<void>
  /** Replaces everything appended so far by these entries. */
  rewrite(entries: readonly Entry[]): Promise<void>
  close(): Promise<void>
}

/** Keeps nothing: the ledger lives as long as the process. */
export const memoryJournal: Journal = {
  append() {},
  flushed: () => Promise.resolve(),
  rewrite: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

const fileName = 'qr-network.jsonl'

/** The entries kept in `folder`. A last line cut short by a crash was never answered: it is left out. */
export async function readJournal(folder: string): Promise<Entry[]> {
  const text = (await readIfThere(join(folder, fileName))) ?? ''
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  return lines.filter((line) => line !== '').map((line) => EntryJson.parse(JSON.parse(line)))
}

/**
 * A new file of JSON lines in place of the one in `folder`, beginning with these entries. While
 * one write is being synced the next entries gather, and go together in the write after it. Once a
 * write has failed, everything after it fails too.
 */
export async function startJournal(folder: string, entries: readonly Entry[]): Promise<Journal> {
  const path = join(folder, fileName)
  let file = await replaceFile(path, entries)
  let tail: Promise<void> = Promise.resolve()
  /** The lines of the write that has not begun. */
  let gathering: string[] | null = null

  const afterwards = (work: () => Promise<void>): Promise<void> => {
    tail = tail.then(work)
    tail.catch(() => {}) // Told to whoever waits for `flushed`; nobody may be waiting.
    return tail
  }
  const gather = (): string[] => {
    const lines: string[] = []
    void afterwards(() => {
      if (gathering === lines) gathering = null
      return writeLines(file, lines)
    })
    return lines
  }
  return {
    append(entry) {
      gathering ??= gather()
      gathering.push(line(entry))
    },
    flushed: () => tail,
    rewrite(entries) {
      gathering = null
      return afterwards(async () => {
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

/** Writes beside the old file and takes its place at once, so that one of the two is always whole. */
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
  `${JSON.stringify(entry, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )}\n`

const Minor = z.string().regex(/^\d+$/).transform(BigInt)

const EntryJson: z.ZodType<Entry> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('funded'), total: Minor }),
  z.strictObject({
    type: z.literal('closed'),
    closed: z.strictObject({
      reference: z.string(),
      outcome: z.literal('closed_unpaid'),
      updatedAt: z.int(),
    }),
  }),
  z.strictObject({
    type: z.literal('payment'),
    payment: z.strictObject({
      reference: z.string(),
      networkRef: z.string(),
      fingerprint: z.string(),
      outcome: z.enum([...finalOutcomes, 'late']),
      then: z.enum(finalOutcomes).nullable(),
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
