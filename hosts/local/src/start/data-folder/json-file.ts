import { readFile, rename, writeFile } from 'node:fs/promises'

/** Reads a JSON file; undefined if it does not exist. */
export async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Atomically replaces a JSON file, readable by its owner only. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  const draft = `${file}.new`
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(draft, file)
}
