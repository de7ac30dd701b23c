// The archives of the published packages. pnpm packs them, since only pnpm applies publishConfig.exports.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { type Command, type Outcome, run } from './command.ts'

/** In a script that pnpm runs, `pnpm` is on the path. Elsewhere npx provides it. */
export const pnpm: Command = process.env['npm_config_user_agent']?.startsWith('pnpm/')
  ? ['pnpm']
  : ['npx', '-y', 'pnpm@12']

/** The folders of the packages that are published, from the root. */
export const publicFolders = (root: string): readonly string[] =>
  globSync('packages/*/package.json', { cwd: root })
    .filter((path) => !(JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest).private)
    .map((path) => dirname(path))
    .toSorted()

type Manifest = { readonly private?: boolean }

/** Arguments of pnpm that select the packages in these folders. */
export const only = (folders: readonly string[]): readonly string[] => folders.map((folder) => `--filter=./${folder}`)

/**
 * Packs the packages in these folders of `root`, as they are compiled, into another folder. Without the comments that
 * name source maps, which no archive has: debuggers and bundlers warn of each.
 */
export function pack(root: string, folders: readonly string[], destination: string): Promise<Outcome> {
  for (const folder of folders)
    for (const path of globSync('dist/**/*.{js,d.ts}', { cwd: join(root, folder) })) {
      const file = join(root, folder, path)
      const text = readFileSync(file, 'utf8')
      const without = text.replace(mapComment, '')
      if (without !== text) writeFileSync(file, without)
    }
  return run([...pnpm, '-r', ...only(folders), 'pack', '--pack-destination', destination], root)
}

const mapComment = /^\/\/# sourceMappingURL=.*\n?/m

/** The paths of the archives in a folder. */
export const archivesIn = (folder: string): readonly string[] =>
  globSync('*.tgz', { cwd: folder })
    .toSorted()
    .map((archive) => join(folder, archive))

/** Files that no archive contains: tests, and what only tests import. */
const testCode = /[/.](?:test|fixture)\.(?:js|d\.ts)$|\/(?:test|vitest)-[^/]*\.(?:js|d\.ts)$/

/** The faults that make an archive unfit for the registry, in the words of publint, attw and this check. */
export async function archiveBreaches(root: string, archive: string): Promise<readonly string[]> {
  const found = await Promise.all([
    testCodeIn(root, archive),
    mapCommentsIn(root, archive),
    failureOf(root, ['publint', 'run', archive, '--strict']),
    failureOf(root, ['attw', archive, '--profile=esm-only', '--no-emoji', '--format=ascii']),
  ])
  return found.flat()
}

async function testCodeIn(root: string, archive: string): Promise<readonly string[]> {
  const { code, output } = await run(['tar', '-tzf', archive], root)
  if (code !== 0) return [`${archive} cannot be read: ${output}`]
  const found = output.split('\n').filter((path) => testCode.test(path))
  const advice = 'contains test code, which files of its package.json must exclude'
  return found.length > 0 ? [`${archive} ${advice}:\n${found.join('\n')}`] : []
}

async function mapCommentsIn(root: string, archive: string): Promise<readonly string[]> {
  const { output } = await run(['tar', '-xzOf', archive, '--wildcards', '*.js', '*.d.ts'], root)
  return mapComment.test(output) ? [`${archive} names source maps, which it does not have`] : []
}

async function failureOf(root: string, command: Command): Promise<readonly string[]> {
  const { code, output } = await run(command, root)
  return code === 0 ? [] : [`${command.join(' ')}\n${output}`]
}
