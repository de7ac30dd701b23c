import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isRunning } from '../cluster/own-folder.ts'

/** What a server says of itself in `postmaster.pid` while it runs. */
export type Postmaster = {
  readonly pid: number
  readonly port: number
  /** Empty where the server has no Unix socket. */
  readonly socketFolder: string
  /** Empty when the server does not listen on TCP. */
  readonly listenAddress: string
  /** PostgreSQL's word: starting, ready, stopping; empty in its first instants. */
  readonly status: string
}

/** @returns undefined when no server says that it runs on this cluster */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketFolder = '', listenAddress = '', , status = ''] = text
    .split('\n')
    .map((line) => line.trim())
  if (!pid || !(Number(pid) > 0)) return undefined
  return { pid: Number(pid), port: Number(port), socketFolder, listenAddress, status }
}

/**
 * Whether the process is a server on this cluster, and not a zombie or a stranger that was given
 * the number of a server that died, as happens whenever a container starts again.
 */
export function isServing(pid: number, cluster: string): boolean {
  if (!isRunning(pid)) return false
  return process.platform === 'win32' || commandLine(pid).includes(cluster)
}

/**
 * Lets PostgreSQL start over the `postmaster.pid` of a dead server whose number a stranger bears.
 *
 * PostgreSQL takes a file that names its parent for an old one. The rest of the file stays, since
 * it is by the shared memory named there that it sees whether a server is alive after all.
 */
export async function disownPostmasterFile(cluster: string, pid: number): Promise<void> {
  const file = path.join(cluster, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => '') // Gone, if the server just ended.
  const [first, ...rest] = text.split('\n')
  if (first === String(pid)) await writeFile(file, [process.pid, ...rest].join('\n'))
}

/** Empty for a process that is gone, also when nobody has taken note of its end. */
export function commandLine(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return '' // It ended in the meantime.
  }
}
