// Makes a commit the previous version, against which the upgrade tests run: `pnpm previous-version [commit]`, at the
// root. Writes a bundle and the migrations of the commit, and the checksums of the migrations.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { changedMigrations, checksumsFile, checksumsOf } from './migration-checksums.ts'

const entry = 'packages/postgres/src/upgrade/program.fixture.ts'
const target = 'packages/postgres/previous-version'
const checksums = `packages/postgres/migrations/${checksumsFile}`
/** As deep below the target as `src/migration` below its package, so that it finds its migrations. */
const program = 'build/program/program.mjs'

const root = process.cwd()
const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' })

/** The packages of a commit, each with the dependencies that are installed now. */
function checkOut(commit: string): string {
  const folder = path.join(root, 'node_modules/.cache/previous-version')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const archive = path.join(folder, 'packages.tar')
  git('archive', '--format=tar', `--output=${archive}`, commit, 'packages')
  execFileSync('tar', ['-xf', archive, '-C', folder])
  for (const name of readdirSync(path.join(folder, 'packages'))) {
    const dependencies = path.join(root, 'packages', name, 'node_modules')
    if (existsSync(dependencies))
      symlinkSync(dependencies, path.join(folder, 'packages', name, 'node_modules'), 'junction')
  }
  return folder
}

/** Resolves this repository's packages to the sources of the commit, by the condition `source`. */
const sourcesIn = (folder: string): Plugin => ({
  name: 'sources-of-the-commit',
  resolveId(id) {
    const [, name, entryPoint] = /^@quipu\/([\w-]+)(\/.+)?$/.exec(id) ?? []
    if (name === undefined) return null
    const home = path.join(folder, 'packages', name)
    type Manifest = { readonly exports: Record<string, { readonly source: string }> }
    const manifest = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as Manifest
    const found = manifest.exports[`.${entryPoint ?? ''}`]
    if (found === undefined) throw new Error(`${id} is not exported in ${home}`)
    return path.join(home, found.source)
  },
})

/** Bundles the entry and what it imports of this repository. */
async function bundle(folder: string, file: string, banner: string): Promise<void> {
  const built = await rolldown({
    cwd: folder, // Its comments name files from there.
    input: `./${entry}`,
    platform: 'node',
    external: [/^node:/, 'pg', 'vitest', 'fast-check'],
    plugins: [sourcesIn(folder)],
  })
  await built.write({ file, format: 'esm', banner })
  await built.close()
}

const commit = git('rev-parse', '--verify', `${process.argv[2] ?? 'HEAD'}^{commit}`).trim()
const about = git('log', '-1', '--format=%cs, %s', commit).trim()
const folder = checkOut(commit)
if (!existsSync(path.join(folder, entry))) throw new Error(`${entry} is not in ${commit}`)
const written = path.join(folder, 'previous-version')
await bundle(
  folder,
  path.join(written, program),
  `// Generated from commit ${commit}\n// (${about})\n` +
    `// by \`pnpm previous-version\`: ${entry} and all that it imports of this repository.\n`,
)
const migrations = path.join(folder, 'packages/postgres/migrations')
const current = checksumsOf(migrations)
refuseFrozenChanges()
cpSync(migrations, path.join(written, 'migrations'), {
  recursive: true,
  filter: (source) => !source.endsWith(checksumsFile),
})
// Replaces the old version only once all of the new one is written.
rmSync(path.join(root, target), { recursive: true, force: true })
cpSync(written, path.join(root, target), { recursive: true })
writeFileSync(path.join(root, checksums), current)
rmSync(folder, { recursive: true })
console.log(`${target} is the version of ${commit}, and ${checksums} has its migrations`)

/** From the first release on, only new migrations may be added to the checksums. */
function refuseFrozenChanges(): void {
  const manifest = readFileSync(path.join(root, 'packages/postgres/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  if (version === '0.0.0' || !existsSync(path.join(root, checksums))) return
  const recorded = readFileSync(path.join(root, checksums), 'utf8')
  const changed = changedMigrations(recorded, current, version)
  if (changed.length > 0) throw new Error(changed.join('\n'))
}
