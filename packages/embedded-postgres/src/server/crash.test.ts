import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { launchMethods } from '../cluster/account.ts'
import { ask, newDataDir, sharedDataDir, spawnOwner, start, until } from './launcher.fixture.ts'
import { isServing } from './postmaster-file.ts'

const dataDir = await sharedDataDir()

const methods = launchMethods()
const bound = methods.filter(({ prefix }) => prefix.includes('--pdeathsig'))
// The last method copies the binaries, and so runs in every folder.
const unbound = methods.findLast(({ prefix }) => !prefix.includes('--pdeathsig'))

test.each(bound)('the server ends with its killed owner by method $name', async ({ name }) => {
  const owner = spawnOwner(dataDir, name)
  const ready = await owner.ready().catch(asError)
  if (ready instanceof Error) {
    process.stderr.write(`This machine does not allow ${name}: ${ready.message}\n`)
    expect(ready.message).toContain(`  ${name}: `)
    return
  }
  const { pid, url } = ready
  await ask(url, `create table of_${name} as select 'committed' as word`)

  await owner.kill()
  await until(() => !isServing(pid, dataDir))
  const next = await start({ dataDir, durability: 'full' })

  expect(next.reused).toBe(false)
  expect(await ask(next.url, `select word from of_${name}`)).toBe('committed')
})

test('a start right after the owner was killed waits until the old server has ended', async () => {
  const owner = spawnOwner(dataDir)
  await ask((await owner.ready()).url, "create table of_hasty as select 'committed' as word")

  await owner.kill()
  const next = await start({ dataDir, durability: 'full' })

  expect(await ask(next.url, 'select word from of_hasty')).toBe('committed')
})

test('a cluster whose creation was interrupted is created anew, and its remains are removed', async () => {
  const dataDir = await newDataDir()
  const owner = spawnOwner(dataDir)
  await until(async () => (await listing(dataDir)).some((name) => name.endsWith('PG_VERSION')))
  await owner.kill()
  expect(await readdir(dataDir)).toEqual([expect.stringContaining('18.half.')])

  const server = await start({ dataDir })

  expect(await ask(server.url, 'select 1')).toBe(1)
  expect(await readdir(dataDir)).toEqual(['18'])
})

test('a cluster that another running process creates is not removed', async () => {
  const dataDir = await newDataDir()
  const half = `18.half.${process.ppid}-00000000-abcdef`
  await mkdir(path.join(dataDir, half), { recursive: true })

  await start({ dataDir })

  expect((await readdir(dataDir)).toSorted()).toEqual(['18', half])
})

test('a server that outlived its owner is taken over, and can be stopped', async () => {
  const owner = spawnOwner(dataDir, unbound?.name)
  const left = await owner.ready()
  await ask(left.url, 'create table of_left as select 42 as n')
  await owner.kill()

  const server = await start({ dataDir })

  expect(server).toMatchObject({ reused: true, pid: left.pid })
  expect(await ask(server.url, 'select n from of_left')).toBe(42)
  await server.stop()
  expect(isServing(left.pid, dataDir)).toBe(false)
  expect((await start({ dataDir })).reused).toBe(false)
})

test('a start succeeds when another process has the id of the dead server', async () => {
  const file = path.join(dataDir, '18', 'cluster', 'postmaster.pid')
  const first = await start({ dataDir })
  const text = await readFile(file, 'utf8')
  await first.stop()
  await writeFile(file, text.replace(/^\d+/, String(process.ppid)))

  const second = await start({ dataDir })

  expect(second.reused).toBe(false)
  expect(await ask(second.url, 'select 1')).toBe(1)
})

async function listing(folder: string): Promise<string[]> {
  return readdir(folder, { recursive: true }).catch(() => [])
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
