import { startReplicatedPostgres } from '@quipu/embedded-postgres'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../migration/migrate.ts'
import { confirmRestore, isRestored } from './restore.ts'

test('a promoted standby is not restored, and there is nothing to confirm', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-lineage-'))
  {
    const dataDir = path.join(folder, 'pair')
    await using pair = await startReplicatedPostgres({ dataDir, synchronous: true })
    await migrate(pair.primary.url)
    expect(await isRestored(pair.primary.url)).toBe(false)
    await pair.primary.kill()
    await pair.promote()
    expect(await isRestored(pair.standby.url)).toBe(false)
    expect(await confirmRestore(pair.standby.url, 'none', new Date())).toBe(false)
  }
  await rm(folder, { recursive: true, force: true })
})
