import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isRunning } from '../cluster/own-folder.ts'

/** The content of `postmaster.pid`, which a running server writes. */
export type Postmaster = {
  readonly pid: number
  readonly port: number
  /** Empty when the server has no Unix socket. */
  readonly socketFolder: string
  /** Empty when the server does not listen on TCP. */
  readonly listenAddress: string
  /** PostgreSQL's status: starting, ready or stopping; empty at the very start. */
  readonly status: string
}

/** @returns undefined when the cluster has no `postmaster.pid` */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketFolder = '', listenAddress = '', , status = ''] = text
    .split('\n')
    .map((line) => line.trim())
  if (!pid || !(Number(pid) > 0)) return undefined
  return { pid: Number(pid), port: Number(port), socketFolder, listenAddress, status }
}

/**
 * Whether the process is a server on this cluster. False for a zombie, and for another process that got the
 * id of a dead server, as is common after the restart of a container.
 */
export function isServing(pid: number, cluster: string): boolean {
  if (!isRunning(pid)) return false
  return process.platform === 'win32' || commandLine(pid).includes(cluster)
}

/**
 * Lets PostgreSQL start although the `postmaster.pid` of a dead server has the id of another, running process.
 *
 * Replaces the id by this process's, as PostgreSQL ignores a file that names its parent. Keeps the rest: by the shared
 * memory that it names, PostgreSQL checks whether a server still runs.
 */
export async function disownPostmasterFile(cluster: string, pid: number): Promise<void> {
  const file = path.join(cluster, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => '') // missing if the server has just ended
  const [first, ...rest] = text.split('\n')
  if (first === String(pid)) await writeFile(file, [process.pid, ...rest].join('\n'))
}

/** The command line of a process; empty if it has ended, also while it is a zombie. */
export function commandLine(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return '' // it has ended meanwhile
  }
}
