// Writes what a deployed page consists of: `node packages/reference/dist/bundle/write-assets.js`, part of `pnpm build`.
import { writeFile } from 'node:fs/promises'
import { builtAssets } from './bundle.ts'

await writeFile(new URL('../assets.json', import.meta.url), JSON.stringify(await builtAssets()))
