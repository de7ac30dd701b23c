import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { launchMethods } from './account.ts'
import { copyBinaries, findBinaries } from './binaries.ts'
import { ask, newDataDir, sharedDataDir, spawnOwner, start } from '../server/launcher.fixture.ts'
import { StartError } from './start-error.ts'

const root = process.getuid?.() === 0
const nobody = 65534
const sharedDir = await sharedDataDir()

// All methods use one folder, so that each also starts on what another has left.
test.each(launchMethods())('PostgreSQL runs by method $name, or the error says why not', async (method) => {
  const started = start({ dataDir: sharedDir }, [method])
  const refusal = await started.catch((error: unknown) => error)
  if (refusal instanceof StartError) {
    process.stderr.write(`This machine does not allow ${method.name}: ${refusal.message}\n`)
    expect(refusal.message).toContain(`  ${method.name}: `)
    return
  }
  const { url } = await started
  await ask(url, 'create table if not exists visit (method text)')
  await ask(url, `insert into visit values ('${method.name}')`)

  expect(await ask(url, `select count(*) from visit where method = '${method.name}'`)).toBe('1')
})

test('a parent folder that only its owner may enter does not prevent the start, or the error names it', async () => {
  const dataDir = await newDataDir()
  await chmod(path.dirname(dataDir), 0o700)
  const started = await start({ dataDir }).catch((error: unknown) => error)

  if (started instanceof StartError) {
    // Root without unshare and setpriv.
    process.stderr.write(`${started.message}\n`)
    expect(started.message).toContain(`can't cd to ${dataDir}`)
  } else {
    expect(started).toMatchObject({ reused: false, dataDir })
  }
})

test('a method that cannot enter the data folder is refused with its error', async () => {
  const dataDir = await newDataDir()
  await chmod(path.dirname(dataDir), 0o700)
  const alone = { name: 'alone', uid: root ? nobody : undefined, prefix: [], identity: {} }
  const methods = [
    root ? { ...alone, identity: { uid: nobody, gid: nobody } } : { ...alone, prefix: ['/nowhere/setpriv'] },
  ]

  const refused = start({ dataDir }, methods)

  await expect(refused).rejects.toThrow(StartError)
  await expect(refused).rejects.toThrow(`PostgreSQL cannot run in ${dataDir}`)
  await expect(refused).rejects.toThrow(root ? "can't cd to" : 'ENOENT')
})

test('the binaries are copied once, completely, for an account that cannot read them', async () => {
  const dataDir = await newDataDir()
  const copying = launchMethods().at(-1)
  const server = await start({ dataDir }, copying && [{ ...copying, copies: true }])

  expect(await ask(server.url, 'select 1')).toBe(1)
  expect((await readdir(dataDir)).toSorted()).toEqual(['18', 'binaries'])
})

test.each(launchMethods())(
  'by method $name PostgreSQL runs from binaries that only the caller may read, or the error says why not',
  async (method) => {
    const closed = path.join(path.dirname(await newDataDir()), 'closed')
    await mkdir(closed, { mode: 0o700 })
    const binaries = await copyBinaries(findBinaries(), path.join(closed, 'binaries'))

    const started = await start({ dataDir: sharedDir }, [method], binaries).catch((error: unknown) => error)

    if (started instanceof StartError) expect(started.message).toContain(`  ${method.name}: `)
    else expect(started).toMatchObject({ reused: false, dataDir: sharedDir })
  },
)

test('an ordinary user can start it in a folder that only they can enter', async () => {
  const dataDir = await newDataDir()
  await chmod(path.dirname(dataDir), 0o700)
  const uid = root ? nobody : undefined
  if (uid !== undefined) await chown(path.dirname(dataDir), uid, uid)

  const owner = spawnOwner(dataDir, undefined, uid)
  const { pid, url } = await owner.ready()

  expect(await ask(url, 'select version()')).toMatch(/^PostgreSQL 18\./)
  if (process.platform === 'linux') {
    expect((await stat(`/proc/${pid}`)).uid).toBe(uid ?? process.getuid?.())
  }
})

test("the error for another user's data names the owner", async () => {
  if (!root) {
    process.stderr.write('Only root can make a folder of another user: run this as root.\n')
    expect(process.getuid?.()).not.toBe(0)
    return
  }
  const dataDir = await newDataDir()
  await (await start({ dataDir })).stop()

  const refused = spawnOwner(dataDir, undefined, nobody).ready()

  await expect(refused).rejects.toThrow(`${dataDir}/18 belongs to user 0: run this as that user`)
})
