import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import type { TestProject } from 'vitest/node'
import { bundleVariable, programs, sourceFile } from './program-file.fixture.ts'

const root = path.resolve(import.meta.dirname, '../../../../..')
const cache = path.join(root, 'node_modules/.cache/programs')

/**
 * Bundles the programs that tests start, once for a Vitest run, and again only when a source has changed.
 *
 * A program takes half a second of CPU to load 1,700 modules from their sources, and tests start hundreds of programs.
 */
export async function setup(project: Pick<TestProject, 'onTestsRerun'>): Promise<void> {
  const name = async () => void (process.env[bundleVariable] = await bundled())
  project.onTestsRerun(name)
  await name()
}

async function bundled(): Promise<string> {
  const folder = path.join(cache, digestOfSources())
  if (!existsSync(folder)) await writeOnce(folder)
  return folder
}

const sources = ['{packages,hosts}/*/src/**/*.{ts,tsx}', '{packages,hosts}/*/package.json', 'pnpm-lock.yaml']

function digestOfSources(): string {
  const hash = createHash('sha256').update(root) // Bundles contain it.
  for (const file of globSync(sources, { cwd: root }).toSorted())
    if (!file.endsWith('.test.ts')) hash.update(`${file}\0`).update(readFileSync(path.join(root, file)))
  return hash.digest('hex')
}

const dayMs = 86_400_000

/** Written beside and then renamed: another run may write the same. */
async function writeOnce(folder: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const half = await mkdtemp(`${folder}-`)
  await bundle(half)
  for (const name of await readdir(cache)) {
    const other = path.join(cache, name)
    const { mtimeMs } = await stat(other).catch(() => ({ mtimeMs: Infinity })) // Another run removes them too.
    if (mtimeMs < Date.now() - dayMs) await rm(other, { recursive: true, force: true })
  }
  await rename(half, folder).catch(async (error: unknown) => {
    if (!existsSync(folder)) throw error
    await rm(half, { recursive: true })
  })
}

/** Writes each program with all that it imports, in a few files. */
async function bundle(dir: string): Promise<void> {
  await using bundled = await rolldown({
    input: Object.fromEntries(Object.entries(programs).map(([name, source]) => [name, sourceFile(source)])),
    platform: 'node',
    tsconfig: false,
    treeshake: { moduleSideEffects: () => true },
    plugins: [asNode],
    resolve: { conditionNames: ['source', 'import', 'node'] },
  })
  await bundled.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
}

/** Loads what Node loads: `require` has its own conditions, and a module its own address. */
const asNode: Plugin = {
  name: 'as-node',
  resolveId: {
    order: 'pre',
    handler(source, importer, { kind }) {
      if (importer === undefined || isBuiltin(source)) return undefined
      const { resolve } = createRequire(importer)
      // Has a binary part.
      if (source === 'rolldown') return { id: pathToFileURL(resolve(source)).href, external: true }
      if (kind !== 'require-call') return undefined
      try {
        return resolve(source)
      } catch {
        return { id: source, external: true } // Optional, and not installed.
      }
    },
  },
  transform: (code, id) =>
    code.includes('import.meta.url')
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      : undefined,
}
