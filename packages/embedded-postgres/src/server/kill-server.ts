import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { commandLine } from './postmaster-file.ts'

const pollMilliseconds = 5

/**
 * Ends every process of a server by SIGKILL, like the loss of its machine, and waits until all have ended.
 *
 * @param pid of the postmaster, which gets SIGSTOP first, so that it neither forks nor cleans up
 */
export async function killServer(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  const all = [pid, ...childrenOf(pid)]
  for (const each of all) signalUnlessGone(each)
  while (all.some((each) => commandLine(each) !== '')) await delay(pollMilliseconds)
}

/** Removes the shared memory of a killed server, as its next start would. */
export async function removeSharedMemory(cluster: string): Promise<void> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [, id] = (text.split('\n')[6] ?? '').trim().split(/\s+/)
  if (id !== undefined) spawnSync('ipcrm', ['-m', id], { stdio: 'ignore' })
}

/** Ignores a process that has ended by itself. */
function signalUnlessGone(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (commandLine(pid) !== '') throw error
  }
}

function childrenOf(parent: number): number[] {
  return parents()
    .filter(([, ppid]) => ppid === parent)
    .map(([pid]) => pid)
}

/** The parent of every process. */
function parents(): [pid: number, ppid: number][] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')
    return lines.map((line) => {
      const [pid, ppid] = line.trim().split(/\s+/).map(Number)
      return [pid ?? 0, ppid ?? 0]
    })
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => [Number(pid), parentOf(pid)])
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name, in parentheses, can contain any character; state and parent follow it.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0 // it has ended meanwhile
  }
}
