import { readFile } from 'node:fs/promises'
import type { BuiltAssets } from './console-files.ts'

const read = (name: string): Promise<string> => readFile(new URL(`assets/${name}`, import.meta.url), 'utf8')

/** Files that `pnpm build` has written beside this file. */
export async function builtAssets(): Promise<BuiltAssets> {
  const [script, style] = await Promise.all(['console.js', 'console.css'].map(read))
  return { script: script ?? '', style: style ?? '' }
}
