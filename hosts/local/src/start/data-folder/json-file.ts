import { readFile, rename, writeFile } from 'node:fs/promises'

/** What a JSON file holds, or undefined when there is no such file. */
export async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a JSON file that only its owner can read; a crash leaves the old one or the new one. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  const draft = `${file}.new`
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(draft, file)
}
