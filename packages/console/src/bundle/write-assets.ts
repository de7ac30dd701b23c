// Writes what a deployed console serves: `node packages/console/dist/bundle/write-assets.js`, part of `pnpm build`.
import { mkdir, writeFile } from 'node:fs/promises'
import { builtAssets } from './bundle.ts'

const folder = new URL('../assets/', import.meta.url)
const { script, style } = await builtAssets()
await mkdir(folder, { recursive: true })
await writeFile(new URL('console.js', folder), script)
await writeFile(new URL('console.css', folder), style)
