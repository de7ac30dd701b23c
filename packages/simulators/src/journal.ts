import { mkdir, open, rename, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { readIfExists } from './read-if-exists.ts'

/** Stores the entries of a ledger. */
export type Journal<Entry> = {
  append(entry: Entry): void
  /** Resolves when everything appended so far is durable. */
  flushed(): Promise<void>
  /** Replaces all entries. */
  rewrite(entries: readonly Entry[]): Promise<void>
  close(): Promise<void>
}

/** Stores nothing; the ledger lives as long as the process. */
const memoryJournal: Journal<unknown> = {
  append() {},
  flushed: () => Promise.resolve(),
  rewrite: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

/**
 * The journal of JSON lines in a folder, which is created; in memory without a folder.
 *
 * @returns the stored entries, and the start of a journal that replaces them
 */
export async function openJournal<Entry>(
  folder: string | undefined,
  fileName: string,
  schema: z.ZodType<Entry>,
): Promise<{ readonly past: Entry[]; start(entries: readonly Entry[]): Promise<Journal<Entry>> }> {
  if (folder === undefined) return { past: [], start: () => Promise.resolve(memoryJournal) }
  await mkdir(folder, { recursive: true })
  const path = join(folder, fileName)
  return { past: await readJournal(path, schema), start: (entries) => startJournal(path, entries) }
}

/** Reads the stored entries. Ignores an incomplete last line, which a crash left and no answer used. */
export async function readJournal<Entry>(path: string, schema: z.ZodType<Entry>): Promise<Entry[]> {
  const text = (await readIfExists(path)) ?? ''
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  return lines.filter((line) => line !== '').map((line) => schema.parse(JSON.parse(line)))
}

/**
 * Replaces the journal by a new file of JSON lines with these entries; bigints become strings. Entries that arrive during
 * a write are written together in the next one. After a failed write all later ones fail.
 */
export async function startJournal<Entry>(path: string, entries: readonly Entry[]): Promise<Journal<Entry>> {
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
      try {
        await tail
      } finally {
        await file.close()
      }
    },
  }
}

/** Replaces the file atomically. */
async function replaceFile(path: string, entries: readonly unknown[]): Promise<FileHandle> {
  const file = await open(`${path}.new`, 'w')
  await writeLines(file, entries.map(line))
  await rename(`${path}.new`, path)
  return file
}

async function writeLines(file: FileHandle, lines: readonly string[]): Promise<void> {
  await file.appendFile(lines.join(''))
  await file.datasync()
}

const line = (entry: unknown): string =>
  `${JSON.stringify(entry, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}\n`
