import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const pollMs = 500

/**
 * Resolves when the npx above this process has ended. Never resolves elsewhere than on Linux, or without an npx above.
 *
 * A signal sent to npx alone reaches neither pnpm nor this process, which would keep running.
 */
export async function npxExit(): Promise<'npx ended'> {
  const npx = process.platform === 'linux' ? findNpx(process.ppid) : undefined
  if (npx === undefined) return new Promise(() => {})
  while (startTimeOf(npx.pid) === npx.startTime) await pause(pollMs, undefined, { ref: false })
  return 'npx ended'
}

function findNpx(from: number): { pid: number; startTime: string | undefined } | undefined {
  for (let pid = from; pid > 1; pid = parentOf(pid)) {
    if (read(pid, 'cmdline').startsWith('npm exec ')) return { pid, startTime: startTimeOf(pid) }
  }
  return undefined
}

const parentOf = (pid: number): number => Number(statOf(pid)[1] ?? 0)

/** In clock ticks since boot. Distinguishes a process from a later one with the same pid. */
const startTimeOf = (pid: number): string | undefined => statOf(pid)[19]

/** The fields of `/proc/<pid>/stat` after the command name, which may contain spaces and `)`. */
const statOf = (pid: number): string[] =>
  read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // The process has ended.
  }
}
