import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { waysOfThisMachine } from '../cluster/account.ts'
import { ask, newDataDir, sharedDataDir, spawnOwner, start, until } from './launcher.fixture.ts'
import { isServing } from './postmaster-file.ts'

const dataDir = await sharedDataDir()

const ways = waysOfThisMachine()
const bound = ways.filter(({ prefix }) => prefix.includes('--pdeathsig'))
// The last one, which copies the binaries, runs in every folder.
const unbound = ways.findLast(({ prefix }) => !prefix.includes('--pdeathsig'))

test.each(bound)('the server ends with its killed owner by way of $name', async ({ name }) => {
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

test('a start right after the owner was killed waits until the old server is gone', async () => {
  const owner = spawnOwner(dataDir)
  await ask((await owner.ready()).url, "create table of_hasty as select 'committed' as word")

  await owner.kill()
  const next = await start({ dataDir, durability: 'full' })

  expect(await ask(next.url, 'select word from of_hasty')).toBe('committed')
})

test('a cluster whose making was cut short is made anew, and the rubbish is removed', async () => {
  const dataDir = await newDataDir()
  const owner = spawnOwner(dataDir)
  await until(async () => (await listing(dataDir)).some((name) => name.endsWith('PG_VERSION')))
  await owner.kill()
  expect(await readdir(dataDir)).toEqual([expect.stringContaining('18.half.')])

  const server = await start({ dataDir })

  expect(await ask(server.url, 'select 1')).toBe(1)
  expect(await readdir(dataDir)).toEqual(['18'])
})

test('what another living process is making is left alone', async () => {
  const dataDir = await newDataDir()
  const half = `18.half.${process.ppid}-00000000-abcdef`
  await mkdir(path.join(dataDir, half), { recursive: true })

  await start({ dataDir })

  expect((await readdir(dataDir)).toSorted()).toEqual(['18', half])
})

test('a server that outlived its owner is taken over, and stopped', async () => {
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

test("the process number of a dead server may since be a stranger's", async () => {
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

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))
