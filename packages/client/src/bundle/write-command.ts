// Writes the command of the package, without dependencies: `node dist/bundle/write-command.js`, before it is packed.
import { mkdir, writeFile } from 'node:fs/promises'
import { bundledCommand } from './bundle.ts'

const folder = new URL('../command/', import.meta.url)
await mkdir(folder, { recursive: true })
await writeFile(new URL('quipu.js', folder), await bundledCommand(), { mode: 0o755 })
