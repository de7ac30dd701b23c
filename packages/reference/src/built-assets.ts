import { readFile } from 'node:fs/promises'
import type { Assets } from './page.ts'

/** Files that `pnpm build` has written beside this file. */
export const builtAssets = async (): Promise<Assets> =>
  JSON.parse(await readFile(new URL('assets.json', import.meta.url), 'utf8')) as Assets
