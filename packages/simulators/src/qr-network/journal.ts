import { open, readFile, rename, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Entry } from './ledger.ts'

/** Where the ledger's entries are kept. */
export type Journal = {
  append(entry: Entry): void
  /** Resolves when everything appended so far would survive a power cut. */
  flushed(): Promise<void>
  /** Replaces the content by these entries. */
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

/** The entries kept in `folder`; a last line cut short by a crash was never answered, and is left out. */
export async function readJournal(folder: string): Promise<Entry[]> {
  const text = await readFile(join(folder, fileName), 'utf8').catch(() => '')
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  return lines.filter((line) => line !== '').map((line) => EntryJson.parse(JSON.parse(line)))
}

/**
 * An append-only file of JSON lines. While one write is being synced the next entries gather, and
 * go together in the write after it. Once a write has failed, everything after it fails too.
 */
export async function fileJournal(folder: string): Promise<Journal> {
  const path = join(folder, fileName)
  let file = await open(path, 'a')
  let queue: string[] = []
  /** The write under way, or the last one. */
  let current = Promise.resolve()
  /** The write that will take the queue; null while the queue is empty. */
  let next: Promise<void> | null = null

  const write = async (): Promise<void> => {
    const lines = queue
    queue = []
    if (next) current = next
    next = null
    await writeLines(file, lines)
  }
  const flushed = (): Promise<void> => next ?? current
  return {
    append(entry) {
      queue.push(line(entry))
      next ??= current.then(write)
      next.catch(() => {}) // Whoever waits for `flushed` is told; an append nobody waits for is not.
    },
    flushed,
    async rewrite(entries) {
      await flushed()
      const fresh = await open(`${path}.new`, 'w')
      await writeLines(fresh, entries.map(line))
      await rename(`${path}.new`, path)
      await file.close()
      file = fresh
    },
    async close() {
      await flushed()
      await file.close()
    },
  }
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
const finalOutcomes = ['paid', 'refused_qr', 'refused_payment', 'no_liquidity', 'limit'] as const

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
