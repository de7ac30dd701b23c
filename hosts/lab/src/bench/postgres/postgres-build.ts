import { execFileSync } from 'node:child_process'
import { accessSync } from 'node:fs'
import path from 'node:path'
import { type Binaries, binariesIn } from '@quipu/embedded-postgres'
import type pg from 'pg'
import { OptionError } from '../../run/options.ts'

export type PostgresBuild = {
  /** The result of `version()`, which names the compiler. */
  readonly version: string
  /** The flags of the C compiler. */
  readonly cflags: string
  /** The folder of its programs, or `npm`. */
  readonly from: string
}

/**
 * The PostgreSQL programs in a folder; undefined for those from npm.
 *
 * @throws OptionError when a program is missing, or is of another version
 */
export function chosenBinaries(bin: string | undefined): Binaries | undefined {
  if (bin === undefined) return undefined
  const binaries = binariesIn(path.dirname(path.resolve(bin)))
  const needed = 'the folder `bin` of a PostgreSQL 18, with postgres, initdb and pg_ctl'
  for (const program of [binaries.postgres, binaries.initdb, binaries.pgCtl]) {
    try {
      accessSync(program)
    } catch (cause) {
      throw new OptionError(`--postgres-bin must be ${needed}; ${program} is missing.`, { cause })
    }
  }
  const version = execFileSync(binaries.postgres, ['--version'], { encoding: 'utf8' }).trim()
  if (!/ 18\b/.test(version)) {
    throw new OptionError(`--postgres-bin must be ${needed}; ${binaries.postgres} is ${version}.`)
  }
  return binaries
}

export async function postgresBuild(db: pg.Client, binaries: Binaries | undefined): Promise<PostgresBuild> {
  const { rows } = await db.query<{ version: string; cflags: string | null }>(
    `select version(), (select setting from pg_config where name = 'CFLAGS') as cflags`,
  )
  const { version = '', cflags } = rows[0] ?? {}
  const from = binaries === undefined ? 'npm' : path.dirname(binaries.postgres)
  return { version, cflags: cflags ?? 'unknown', from }
}
