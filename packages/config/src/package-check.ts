// Packs every public package and checks the archives: `node package-check.ts`, at the root.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { archiveBreaches, archivesIn, pack, publicFolders } from './archives.ts'

const root = process.cwd()
const folders = publicFolders(root)
const destination = mkdtempSync(join(tmpdir(), 'quipu-packages-'))
try {
  const packed = await pack(root, folders, destination)
  if (packed.code !== 0) console.log(packed.output)
  const archives = archivesIn(destination)
  let passed = packed.code === 0 && archives.length > 0 && archives.length === folders.length
  for (const archive of archives) {
    const breaches = await archiveBreaches(root, archive)
    for (const breach of breaches) console.log(`${breach}\n`)
    passed &&= breaches.length === 0
  }
  console.log(`${archives.length} of ${folders.length} public packages packed and checked`)
  if (!passed) process.exitCode = 1
} finally {
  rmSync(destination, { recursive: true })
}
