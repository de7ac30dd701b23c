// Packs every public package and checks the archives: `node package-check.ts`, at the root. pnpm packs, since only pnpm
// applies publishConfig.exports. publint and attw read the archives.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Command, run } from './command.ts'

const root = process.cwd()

/** In a script that pnpm runs, `pnpm` is on the path. Elsewhere npx provides it. */
const pnpm: Command = process.env['npm_config_user_agent']?.startsWith('pnpm/')
  ? ['pnpm']
  : ['npx', '-y', 'pnpm@12']

const publicFolders = globSync('packages/*/package.json')
  .filter((path) => !(JSON.parse(readFileSync(path, 'utf8')) as { private?: boolean }).private)
  .map((path) => dirname(path))

async function succeeds(command: Command): Promise<boolean> {
  const { code, output } = await run(command, root)
  if (code !== 0) console.log(`${command.join(' ')}\n${output}`)
  return code === 0
}

/** Files that no archive contains: tests, and what only tests import. */
const testCode = /[/.](?:test|fixture)\.(?:js|d\.ts)$|\/(?:test|vitest)-[^/]*\.(?:js|d\.ts)$/

async function holdsNoTestCode(archive: string): Promise<boolean> {
  const { code, output } = await run(['tar', '-tzf', archive], root)
  const found = output.split('\n').filter((path) => testCode.test(path))
  if (found.length > 0)
    console.log(
      `${archive} contains test code, which files of its package.json must exclude:\n${found.join('\n')}\n`,
    )
  return code === 0 && found.length === 0
}

const archives = mkdtempSync(join(tmpdir(), 'quipu-packages-'))
try {
  const only = publicFolders.map((folder) => `--filter=./${folder}`)
  const packed = await succeeds([...pnpm, '-r', ...only, 'pack', '--pack-destination', archives])
  const found = globSync('*.tgz', { cwd: archives }).map((archive) => join(archives, archive))
  let passed = packed && found.length > 0 && found.length === publicFolders.length
  for (const archive of found) {
    const results = await Promise.all([
      holdsNoTestCode(archive),
      succeeds(['publint', 'run', archive, '--strict']),
      succeeds(['attw', archive, '--profile=esm-only', '--no-emoji', '--format=ascii']),
    ])
    passed &&= !results.includes(false)
  }
  console.log(`${found.length} of ${publicFolders.length} public packages packed and checked`)
  if (!passed) process.exitCode = 1
} finally {
  rmSync(archives, { recursive: true })
}
