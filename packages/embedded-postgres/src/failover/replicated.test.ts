import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../server/database.ts'
import { ask, newDataDir, start, until } from '../server/launcher.fixture.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from './replicated.ts'

const waitsForStandby = `
  select exists (select from pg_stat_activity where wait_event = 'SyncRep')`

async function startPair(synchronous: boolean): Promise<ReplicatedPostgres> {
  const template = await newDataDir()
  const server = await start({ dataDir: template })
  await createDatabase(server, 'shop')
  await ask(server.urlFor('shop'), 'create table t (word text)')
  await server.stop()
  const pair = await startReplicatedPostgres({ dataDir: await newDataDir(), template, synchronous })
  onTestFinished(() => pair.stop())
  return pair
}

const insert = (url: string, word: string): Promise<unknown> =>
  ask(url, `insert into t values ('${word}') returning word`)

const words = (url: string): Promise<unknown> => ask(url, 'select array_agg(word order by word) from t')

test('a commit that waits for its synchronous standby is lost with the primary', async () => {
  const { primary, standby, address, replication, promote } = await startPair(true)
  const url = address.urlFor('shop')
  await insert(url, 'kept')

  replication.stall()
  const waiting = insert(url, 'lost').catch((error: unknown) => String(error))
  await until(async () => (await ask(primary.url, waitsForStandby)) === true)
  await primary.kill()
  replication.resume()
  expect(await waiting).toContain('terminated')
  await promote()
  address.pointTo(standby)

  expect(await words(url)).toEqual(['kept'])
  await insert(url, 'new')
  expect(await words(standby.urlFor('shop'))).toEqual(['kept', 'new'])
})

test('a stalled synchronous commit returns when replication resumes', async () => {
  const { primary, standby, replication } = await startPair(true)
  replication.stall()
  const waiting = insert(primary.urlFor('shop'), 'slow')
  await until(async () => (await ask(primary.url, waitsForStandby)) === true)

  replication.resume()

  expect(await waiting).toBe('slow')
  await replication.untilCaughtUp()
  expect(await words(standby.urlFor('shop'))).toEqual(['slow'])
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

test('connections through the address stall with it, and end when it is cut', async () => {
  const { primary, address } = await startPair(false)
  const client = new pg.Client(address.urlFor('shop'))
  const ended = new Promise((resolve) => client.on('error', resolve))
  await client.connect()
  address.stall()
  let isAnswered = false
  const answer = client.query('select 1').finally(() => (isAnswered = true))
  const later = ask(address.urlFor('shop'), 'select 2')
  expect(await ask(primary.url, 'select 3')).toBe(3)
  expect(isAnswered).toBe(false)

  address.resume()
  expect((await answer).rowCount).toBe(1)
  expect(await later).toBe(2)
  address.cut()
  await ended
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
