import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type DataLock, type LockedOut, lockData } from './data-lock.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'quipu-lock-'))
  return () => rm(dataDir, { recursive: true })
})

/** Locks from another process, which then runs the script `then`. */
function lockElsewhere(then: string): DataLock | LockedOut {
  const module = new URL('data-lock.ts', import.meta.url).href
  const script = `
    import { lockData } from ${JSON.stringify(module)}
    console.log(JSON.stringify(lockData(${JSON.stringify(dataDir)})))
    ${then}`
  const options = { encoding: 'utf8', killSignal: 'SIGKILL' } as const
  try {
    return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], options))
  } catch (error) {
    return JSON.parse((error as { stdout: string }).stdout)
  }
}

test('a lock excludes other processes and gives them the pid of its owner', () => {
  const lock = lockData(dataDir)

  expect(lockElsewhere('')).toEqual({ ownerPid: process.pid })
  expect(lockData(dataDir)).toEqual({ ownerPid: process.pid })
  if ('stop' in lock) lock.stop()
  expect(lockElsewhere('')).toEqual({})
})

test('the lock of a killed process is released', () => {
  expect(lockElsewhere("process.kill(process.pid, 'SIGKILL')")).toEqual({})

  const lock = lockData(dataDir)
  expect(lock).toHaveProperty('stop')
  if ('stop' in lock) lock.stop()
})
