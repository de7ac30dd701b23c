// Runs the tests of the published packages with the first version of each range that they accept, and reads their types
// with the first TypeScript: `node test-lowest.ts [vitest arguments]`, at the root. It copies the current commit and installs from the registry.
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { firstVersions } from './ranges.ts'

const folder = mkdtempSync(join(tmpdir(), 'quipu-lowest-'))
const settings = join(folder, 'pnpm-workspace.yaml')

function run(program: string, ...args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`)
}

type Manifest = { readonly dependencies: Readonly<Record<string, string>> }

/** The README of the client and the guide for embedders name this compiler. */
const compilerFlags =
  '--noEmit --strict --skipLibCheck --module nodenext --target es2022 --lib es2023,esnext.disposable,dom --types node'

const isPublic = (manifest: string): boolean =>
  !(JSON.parse(readFileSync(join(folder, manifest), 'utf8')) as { private?: boolean }).private

try {
  execFileSync('git', ['clone', '--quiet', '--shared', '.', folder])
  const text = readFileSync(settings, 'utf8')
  const versions = firstVersions(text)
  const lowest = Array.from(versions).reduce(
    (all, [name, version]) => all.replaceAll(rangeOrVersion(name), `$1${version}`),
    text,
  )
  writeFileSync(settings, lowest)
  run('npx', '-y', 'pnpm@12', 'install', '--no-frozen-lockfile')
  const published = globSync('packages/*/package.json', { cwd: folder }).filter(isPublic)
  const folders = published.map((path) => dirname(path))
  run('node_modules/.bin/tsc', '-b', ...folders)
  const examples = join(folder, 'docs/examples')
  const { dependencies } = JSON.parse(readFileSync(join(examples, 'package.json'), 'utf8')) as Manifest
  const names = Object.keys(dependencies).filter((name) => name.startsWith('@quipu/'))
  const program = names.map((name, index) => `import * as p${index} from '${name}'\nconsole.log(p${index})\n`)
  writeFileSync(join(examples, 'src', 'types.ts'), program.join(''))
  run('npx', '-y', '-p', 'typescript@5.7', 'tsc', ...compilerFlags.split(' '), join(examples, 'src', 'types.ts'))
  run('node_modules/.bin/node', 'packages/config/src/run-tests.ts', ...folders, ...process.argv.slice(2))
} finally {
  rmSync(folder, { recursive: true })
}

/** The lines of this package in the catalogs. */
function rangeOrVersion(name: string): RegExp {
  return new RegExp(`^( +'${name.replaceAll('.', '[.]')}': ).+$`, 'gm')
}
