import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

/** A small file system in memory, which can be filled. */
export type Disk = AsyncDisposable & { readonly folder: string; fill(): Promise<void>; free(): Promise<void> }

/** Only root may mount a file system. */
export const canMount = (): boolean => process.platform === 'linux' && process.getuid?.() === 0

const run = promisify(execFile)
/** For two database servers with their logs. */
const size = '700m'
const chunk = Buffer.alloc(1024 * 1024)

/** @param folder  created, and removed when disposed */
export async function mountDisk(folder: string): Promise<Disk> {
  await mkdir(folder)
  await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', folder])
  const filler = path.join(folder, 'filler')
  return {
    folder,
    async fill() {
      await using file = await open(filler, 'w')
      for (const bytes of [chunk, chunk.subarray(0, 4096)])
        while (await file.write(bytes).then(({ bytesWritten }) => bytesWritten > 0, isFull));
    },
    free: () => rm(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      await run('umount', ['-l', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** @returns false when the disk is full */
function isFull(error: unknown): boolean {
  if ((error as { readonly code?: string }).code === 'ENOSPC') return false
  throw error
}
