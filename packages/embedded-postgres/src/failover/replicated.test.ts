import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../server/database.ts'
import { ask, newDataDir, sharedDataDir, until } from '../server/launcher.fixture.ts'
import { startPostgres } from '../server/server.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from './replicated.ts'

const waitsForStandby = `
  select exists (select from pg_stat_activity where wait_event = 'SyncRep')`

const template = await sharedDataDir()
beforeAll(async () => {
  const server = await startPostgres({ dataDir: template, durability: 'none' })
  await createDatabase(server, 'shop')
  await ask(server.urlFor('shop'), 'create table t (word text)')
  await server.stop()
})

async function startPair(synchronous: boolean): Promise<ReplicatedPostgres> {
  const pair = await startReplicatedPostgres({ dataDir: await newDataDir(), template, synchronous })
  onTestFinished(() => pair.stop())
  return pair
}

const insert = (url: string, word: string): Promise<unknown> =>
  ask(url, `insert into t values ('${word}') returning word`)

const words = (url: string): Promise<unknown> => ask(url, 'select array_agg(word order by word) from t')

test('a commit waits for its synchronous standby while replication stalls, and is lost with the primary', async () => {
  const { primary, standby, address, replication, promote } = await startPair(true)
  const url = address.urlFor('shop')
  replication.stall()
  const slow = insert(url, 'slow')
  await until(async () => (await ask(primary.url, waitsForStandby)) === true)
  replication.resume()
  expect(await slow).toBe('slow')
  await replication.untilCaughtUp()
  expect(await words(standby.urlFor('shop'))).toEqual(['slow'])

  replication.stall()
  const waiting = insert(url, 'lost').catch((error: unknown) => String(error))
  await until(async () => (await ask(primary.url, waitsForStandby)) === true)
  await primary.kill()
  replication.resume()
  expect(await waiting).toContain('terminated')
  await promote()
  address.pointTo(standby)

  expect(await words(url)).toEqual(['slow'])
  await insert(url, 'new')
  expect(await words(standby.urlFor('shop'))).toEqual(['new', 'slow'])
})

test('an asynchronous standby lags while replay is paused, and refuses writes', async () => {
  const { primary, standby, address, replay, replication } = await startPair(false)
  await replay.pause()
  await insert(primary.urlFor('shop'), 'ahead')
  address.pointTo(standby)

  expect(await words(address.urlFor('shop'))).toBeNull()
  await expect(insert(address.urlFor('shop'), 'refused')).rejects.toThrow('read-only')

  await replay.resume()
  await replication.untilCaughtUp()
  expect(await words(address.urlFor('shop'))).toEqual(['ahead'])
})

test('each server restarts after a kill and a crash, and keeps its local commits', async () => {
  const { primary, standby, address, replication } = await startPair(true)
  const url = address.urlFor('shop')
  await standby.kill()
  const waiting = insert(url, 'local').catch((error: unknown) => String(error))
  await until(async () => (await ask(primary.url, waitsForStandby)) === true)

  await primary.crash()

  expect(await waiting).toMatch(/terminat/)
  expect(await words(url)).toEqual(['local'])
  await primary.kill()
  await primary.start()
  await standby.start()
  await insert(url, 'replicated')
  await replication.untilCaughtUp()
  expect(await words(standby.urlFor('shop'))).toEqual(['local', 'replicated'])
})

test('stop removes the processes and folders of a pair', async () => {
  const dataDir = path.join(await newDataDir(), 'pair')
  await mkdir(path.dirname(dataDir))
  const pair = await startReplicatedPostgres({ dataDir, synchronous: true })
  await pair.primary.kill()

  await pair.stop()

  expect(await readdir(path.dirname(dataDir))).toEqual([])
  await expect(ask(pair.standby.url, 'select')).rejects.toThrow()
})
