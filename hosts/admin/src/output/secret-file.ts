import { rm, writeFile } from 'node:fs/promises'
import { usageError } from '../exit.ts'

/** Writes a secret to a new file that only its owner can read. @throws CommandError when the file exists or cannot be written */
export async function writeSecretFile(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    throw usageError(`--out: ${error instanceof Error ? error.message : 'cannot be written'}`)
  })
}

/** Removes the file of a secret that was not issued. */
export const removeSecretFile = (file: string): Promise<void> => rm(file, { force: true })
