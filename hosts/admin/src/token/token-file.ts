import { rm, writeFile } from 'node:fs/promises'
import { usageError } from '../exit.ts'

/** Writes a token to a new file that only its owner can read. @throws CommandError when the file exists or cannot be written */
export async function writeTokenFile(file: string, token: string): Promise<void> {
  await writeFile(file, `${token}\n`, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    throw usageError(`--out: ${error instanceof Error ? error.message : 'cannot be written'}`)
  })
}

/** Removes the file of a token that was not issued. */
export const removeTokenFile = (file: string): Promise<void> => rm(file, { force: true })
