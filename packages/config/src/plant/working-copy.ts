import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A copy of a work tree, without `dist`, in which tests import the copied sources. */
export type WorkingCopy = Disposable & {
  readonly folder: string
  /** Applies a patch of the copy. @param patch  its path from the root @returns undoes it */
  apply(patch: string): Disposable
}

/** Copies what git tracks or would add below `root`. Dependencies from npm are links to those of `root`. */
export function copyWorkTree(root: string): WorkingCopy {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quipu-plant-')))
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: root, maxBuffer: 2 ** 26 },
  )
  const paths = listed.toString().split('\0')
  for (const path of paths.filter((each) => each !== '' && existsSync(join(root, each)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
  linkDependencies(root, folder)
  return {
    folder,
    apply: (patch) => {
      gitApply(folder, [patch])
      return { [Symbol.dispose]: () => gitApply(folder, ['--reverse', patch]) }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

/** The links of a package to others of the workspace are relative: copied, they lead to the copied sources. */
function linkDependencies(root: string, folder: string): void {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const parent of ['packages', 'hosts', 'docs']) {
    for (const name of existsSync(join(folder, parent)) ? readdirSync(join(folder, parent)) : []) {
      const installed = join(root, parent, name, 'node_modules')
      const target = join(folder, parent, name, 'node_modules')
      if (existsSync(installed))
        cpSync(installed, target, { recursive: true, verbatimSymlinks: true })
    }
  }
}

/** Applies a patch in a folder. @throws Error that says why the patch does not apply */
export function gitApply(folder: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync('git', ['apply', ...args], {
    cwd: folder,
    encoding: 'utf8',
    // A repository around the folder would hide its files from git.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) },
  })
  if (status === 0) return
  const patch = args.at(-1) ?? ''
  throw new Error(
    `${patch} does not apply any more; adapt it to the code: ${stderr.trim().replaceAll('\n', '; ')}`,
  )
}
