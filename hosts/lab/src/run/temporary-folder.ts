import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A new folder, which is removed when disposed. Root runs PostgreSQL as another user, who may read it. */
export async function temporaryFolder(name: string): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), `quipu-${name}-`))
  await chmod(folder, 0o755)
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 20 }) }
}
