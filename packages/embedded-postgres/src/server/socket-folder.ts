import { access, chown, constants, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Layout } from '../cluster/cluster.ts'
import { StartError } from '../cluster/start-error.ts'

const prefix = 'quipu-pg-'
// The shorter of the systems' limits on a socket's path: 107 bytes on Linux, 103 on macOS.
const longestPath = 103

/**
 * Makes a private folder for a server's Unix socket.
 *
 * It lies in the temporary folder, since the data folder's path is often too long for a socket
 * and its file system may not take one.
 *
 * @throws StartError when no temporary folder is short enough and can be written
 */
export async function makeSocketFolder(owner: number | undefined): Promise<string> {
  const folder = await mkdtemp(path.join(await shortTemporaryFolder(), prefix))
  if (owner !== undefined) await chown(folder, owner, owner)
  return folder
}

/** Writes down where the running server's socket is, and removes what a crash left. */
export async function recordSocketFolder(layout: Layout, folder: string): Promise<void> {
  await removeRecordedSocketFolder(layout)
  await writeFile(layout.socketFolder, folder)
}

/** For a server that is gone. */
export async function removeRecordedSocketFolder(layout: Layout): Promise<void> {
  await removeSocketFolder(await readFile(layout.socketFolder, 'utf8').catch(() => ''))
}

/** Removes a folder that {@link makeSocketFolder} made, and no other. */
export async function removeSocketFolder(folder: string): Promise<void> {
  if (path.basename(folder).startsWith(prefix)) await rm(folder, { recursive: true, force: true })
}

async function shortTemporaryFolder(): Promise<string> {
  for (const folder of [tmpdir(), '/tmp']) {
    const socket = path.join(folder, `${prefix}XXXXXX`, '.s.PGSQL.65535')
    const writable = await access(folder, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    )
    if (writable && Buffer.byteLength(socket) <= longestPath) return folder
  }
  throw new StartError(
    `A Unix socket's path has at most ${longestPath} bytes, and ${tmpdir()} is too long or cannot ` +
      'be written, and so is /tmp: set TMPDIR to a short folder of yours.',
  )
}
