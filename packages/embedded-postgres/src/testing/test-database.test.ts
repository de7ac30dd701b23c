import { stat } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { ask, sharedDataDir, start, until } from '../server/launcher.fixture.ts'
import { askForUrl, copyTemplate } from './test-database.ts'
import { setup } from './vitest-global-setup.ts'

const dataDir = await sharedDataDir()

test('databases of tests are independent copies of one template', async () => {
  const { url } = await start({ dataDir })
  const migrate = vi.fn(async (draft: string) => void (await ask(draft, 'create table t (n int)')))
  const options = { templateName: 'Orders v1', migrate }

  const databases = await Promise.all([1, 2, 3].map(() => copyTemplate(url, options)))
  await Promise.all(databases.map(({ url }, n) => ask(url, `insert into t values (${n})`)))

  const seen = await Promise.all(databases.map(({ url }) => ask(url, 'select array_agg(n) from t')))
  expect(seen).toEqual([[0], [1], [2]])
  expect(migrate).toHaveBeenCalledOnce()
})

test('a test database is dropped also while it has connections', async () => {
  const { url } = await start({ dataDir })
  const migrate = async () => {}
  const database = await copyTemplate(url, { templateName: 'empty', migrate })
  const waiting = ask(database.url, 'select pg_sleep(600)').catch((error: unknown) => String(error))
  const busy = "select exists (select from pg_stat_activity where query = 'select pg_sleep(600)')"
  await until(async () => (await ask(url, busy)) === true)

  await database.drop()

  expect(await waiting).toMatch(/terminat/)
  await expect(ask(database.url, 'select 1')).rejects.toThrow('does not exist')
})

test('a failed migration leaves no template', async () => {
  const { url } = await start({ dataDir })
  const migrate = vi
    .fn<(draft: string) => Promise<void>>()
    .mockImplementationOnce((draft) => ask(draft, 'create table half ()').then(fail))
    .mockImplementationOnce(async (draft) => void (await ask(draft, 'create table whole ()')))
  const options = { templateName: 'retried', migrate }

  await expect(copyTemplate(url, options)).rejects.toThrow('the migration failed')
  const database = await copyTemplate(url, options)

  expect(await ask(database.url, "select string_agg(relname, ' ') from pg_stat_user_tables")).toBe('whole')
})

test('a run starts one server on first use, and removes it at its end', async () => {
  let port = 0
  let rerun: () => Promise<void> | void = () => {}
  const teardown = await setup({
    provide: (_, value) => void (port = value),
    onTestsRerun: (listener) => void (rerun = () => listener([])),
  })

  const [first, again] = await Promise.all([askForUrl(port), askForUrl(port)])
  expect(again).toBe(first)
  const folder = String(await ask(first, 'show data_directory'))
  expect(await ask(first, 'show max_connections')).toBe('300')

  await rerun()
  await expect(stat(folder)).rejects.toThrow('ENOENT')
  const second = await askForUrl(port)
  expect(second).not.toBe(first)
  const secondFolder = String(await ask(second, 'show data_directory'))

  await teardown()
  await expect(stat(secondFolder)).rejects.toThrow('ENOENT')
  await expect(askForUrl(port)).rejects.toThrow('ECONNREFUSED')
})

test('a run without databases starts no server', async () => {
  const provided: number[] = []
  const teardown = await setup({ provide: (_, port) => void provided.push(port), onTestsRerun: () => {} })

  await expect(teardown()).resolves.toBeUndefined()
  expect(provided).toEqual([expect.any(Number)])
})

function fail(): never {
  throw new Error('the migration failed')
}
