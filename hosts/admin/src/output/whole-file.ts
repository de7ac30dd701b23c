import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandError, usageError } from '../exit.ts'

/** Replaces the file when everything is written; otherwise leaves it as it was. @param option  names the file in errors */
export async function writeWhole(file: string, chunks: AsyncIterable<string>, option: string): Promise<void> {
  const part = `${file}.part`
  try {
    await pipeline(Readable.from(chunks), createWriteStream(part, { mode: 0o600 }))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    if (error instanceof CommandError) throw error
    throw usageError(`${option}: ${error instanceof Error ? error.message : 'cannot be written'}`)
  }
}
