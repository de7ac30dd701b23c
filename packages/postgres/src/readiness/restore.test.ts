import { openProxy, startReplicatedPostgres } from '@quipu/embedded-postgres'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../migration/migrate.ts'
import { postgresStores } from '../stores.ts'
import { confirmRestore, readGate } from './restore.ts'

test('payments go on at a promoted standby that has what a process has written', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-lineage-'))
  {
    const dataDir = path.join(folder, 'pair')
    await using pair = await startReplicatedPostgres({ dataDir, synchronous: true })
    await migrate(pair.primary.url)
    const proxy = await openProxy(pair.primary.url)
    const stores = postgresStores({ url: proxy.url })
    expect((await stores.ping()).gate).toMatchObject({ halt: null, unchecked: null })
    await pair.primary.kill()
    await pair.promote()
    // One that remembers nothing does not vouch for it.
    expect(await readGate(pair.standby.url)).toMatchObject({ halt: null, unchecked: {} })
    proxy.pointTo(pair.standby.url)
    expect((await stores.ping()).gate).toMatchObject({ halt: null, unchecked: null })
    expect(await confirmRestore(pair.standby.url, 'none', new Date())).toBe(false)
    await stores.close()
    await proxy.shut()
  }
  await rm(folder, { recursive: true, force: true })
})
