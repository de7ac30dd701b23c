import { access, chown, constants, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Layout } from '../cluster/cluster.ts'
import { StartError } from '../cluster/start-error.ts'

const prefix = 'quipu-pg-'
// The lower of two limits on a socket's path: 107 bytes on Linux, 103 on macOS.
const longestPath = 103

/**
 * Creates a private folder for a server's Unix socket.
 *
 * In the temporary folder, as the data folder's path is often too long for a socket, and its file system may
 * not support one.
 *
 * @throws StartError when no temporary folder is short enough and writable
 */
export async function makeSocketFolder(owner: number | undefined): Promise<string> {
  const folder = await mkdtemp(path.join(await shortTemporaryFolder(), prefix))
  if (owner !== undefined) await chown(folder, owner, owner)
  return folder
}

/** Records the socket's folder of the running server, and removes the one that a crash left. */
export async function recordSocketFolder(layout: Layout, folder: string): Promise<void> {
  await removeRecordedSocketFolder(layout)
  await writeFile(layout.socketFolder, folder)
}

/** Removes the recorded socket's folder of a server that has ended. */
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
