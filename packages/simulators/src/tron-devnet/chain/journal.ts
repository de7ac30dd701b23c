import { open, truncate, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists } from '../../read-if-exists.ts'
import { EntryJson, type Entry } from './entry.ts'

/** Where the chain's entries are kept. */
export type Journal = {
  append(entry: Entry): void
  /** Resolves when everything appended so far would survive a power cut. */
  flushed(): Promise<void>
  close(): Promise<void>
}

/** Keeps nothing: the chain lives as long as the process. */
export const memoryJournal: Journal = {
  append() {},
  flushed: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

/**
 * The entries kept in `folder`, and the journal that goes on after them. A last line cut short by
 * a crash was never answered: it is cut off. While one write is being synced the next entries
 * gather, and go together in the write after it. Once a write has failed, everything after it
 * fails too.
 */
export async function openJournal(
  folder: string,
): Promise<{ readonly past: Entry[]; readonly journal: Journal }> {
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
  /** The lines of the write that has not begun. */
  let gathering: string[] | null = null

  const gather = (): string[] => {
    const lines: string[] = []
    tail = tail.then(async () => {
      if (gathering === lines) gathering = null
      await file.appendFile(lines.join(''))
      await file.datasync()
    })
    tail.catch(() => {}) // Told to whoever waits for `flushed`; nobody may be waiting.
    return lines
  }
  return {
    append(entry) {
      gathering ??= gather()
      gathering.push(line(entry))
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
  `${JSON.stringify(entry, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )}\n`
