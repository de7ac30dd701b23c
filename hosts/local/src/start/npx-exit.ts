import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const lookEveryMs = 500

/**
 * Resolves when npx, which this process runs below, is gone.
 *
 * A signal to npx alone reaches neither pnpm nor us, and everything would run on unseen. Only on
 * Linux, and only when run by `npx pnpm`: otherwise never.
 */
export async function parentsGone(): Promise<'npx ended'> {
  const npx = process.platform === 'linux' ? findNpx(process.ppid) : undefined
  if (npx === undefined) return new Promise(() => {})
  while (startOf(npx.pid) === npx.startedAt) await pause(lookEveryMs, undefined, { ref: false })
  return 'npx ended'
}

function findNpx(from: number): { pid: number; startedAt: string | undefined } | undefined {
  for (let pid = from; pid > 1; pid = parentOf(pid)) {
    if (read(pid, 'cmdline').startsWith('npm exec ')) return { pid, startedAt: startOf(pid) }
  }
  return undefined
}

const parentOf = (pid: number): number => Number(statOf(pid)[1] ?? 0)

/** In clock ticks since the machine started: tells a process from a later one of its number. */
const startOf = (pid: number): string | undefined => statOf(pid)[19]

/** What follows the name, which may hold anything, in parentheses. */
const statOf = (pid: number): string[] =>
  read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // It is gone.
  }
}
