import { open, truncate, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists } from '../../read-if-exists.ts'
import { EntryJson, type Entry } from './entry.ts'

/** Stores the chain's entries. */
export type Journal = {
  append(entry: Entry): void
  /** Resolves when everything appended so far is durable. */
  flushed(): Promise<void>
  close(): Promise<void>
}

/** Stores nothing; the chain lives as long as the process. */
export const memoryJournal: Journal = { append() {}, flushed: () => Promise.resolve(), close: () => Promise.resolve() }

/**
 * Reads the stored entries and opens the journal for more. Removes an incomplete last line, which a
 * crash left and no answer used. Entries that arrive during a write are written together in the next
 * one. After a failed write all later ones fail.
 */
export async function openJournal(folder: string): Promise<{ readonly past: Entry[]; readonly journal: Journal }> {
  const path = join(folder, 'tron-devnet.jsonl')
  const text = (await readIfExists(path)) ?? ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole))
  const past = whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => EntryJson.parse(JSON.parse(line)))
  return { past, journal: journalOn(await open(path, 'a')) }
}

function journalOn(file: FileHandle): Journal {
  let tail: Promise<void> = Promise.resolve()
  /** Lines of the next write. */
  let pending: string[] | null = null

  const newBatch = (): string[] => {
    const lines: string[] = []
    tail = tail.then(async () => {
      if (pending === lines) pending = null
      await file.appendFile(lines.join(''))
      await file.datasync()
    })
    tail.catch(() => {}) // `flushed` reports the error, also if it is called later.
    return lines
  }
  return {
    append(entry) {
      pending ??= newBatch()
      pending.push(line(entry))
    },
    flushed: () => tail,
    async close() {
      try {
        await tail
      } finally {
        await file.close()
      }
    },
  }
}

const line = (entry: Entry): string =>
  `${JSON.stringify(entry, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}\n`
