import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The file beside the migrations, in the format of `sha256sum`, which `sha256sum --check` reads as well. */
export const checksumsFile = 'checksums.txt'

/** One line for each migration of a folder. */
export function checksumsOf(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const lines = names.toSorted().map((name) => {
    const digest = createHash('sha256').update(readFileSync(path.join(folder, name)))
    return `${digest.digest('hex')}  ${name}\n`
  })
  return lines.join('')
}

/** The first release whose databases are kept: migrations that it contains never change. */
const firstRelease = '0.1.0'

/**
 * The migrations that a list of checksums names and that have changed or are missing, each with what to do.
 *
 * @param recorded the checksums that were written last
 * @param current `checksumsOf` the migrations
 * @param version of the package, "0.0.0" until the first release is prepared
 */
export function changedMigrations(recorded: string, current: string, version: string): string[] {
  const lines = new Set(current.split('\n'))
  const advice =
    version === '0.0.0'
      ? `Migrations are frozen from ${firstRelease} on. Until then commit the change, run ` +
        '`npx -y pnpm@12 previous-version`, which writes the checksums too, and commit again.'
      : `Migrations are frozen since ${firstRelease}: restore the file, and add a new migration.`
  return recorded
    .split('\n')
    .filter((line) => line !== '' && !lines.has(line))
    .map((line) => `${line.split('  ')[1]} has changed. ${advice}`)
}
