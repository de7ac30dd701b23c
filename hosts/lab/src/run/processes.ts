import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** The process ids of the children of a process; none where there is no `/proc`. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Whether a process of this id exists. */
export const exists = (pid: number): boolean => existsSync(`/proc/${pid}`)
