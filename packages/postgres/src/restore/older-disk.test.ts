import { isOfInstallation } from '@quipu/core/adapter'
import { builders } from '@quipu/contracts'
import { Unavailable, usdt } from '@quipu/core'
import { openProxy, type PostgresServer, type Proxy, startPostgres } from '@quipu/embedded-postgres'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { confirmRestore, readGate } from '../readiness/restore.ts'
import { type PostgresStores, postgresStores } from '../stores.ts'
import { migrateForTests } from '../test/stores.fixture.ts'

let folder: string
let server: PostgresServer
let proxy: Proxy

const [dataDir, snapshotDir] = ['data', 'snapshot']
const at = (name: string): string => path.join(folder, name)
const start = async (settings: Readonly<Record<string, string>> = {}): Promise<void> => {
  server = await startPostgres({ dataDir: at(dataDir), durability: 'none', settings })
}
/** Copies the folder of the stopped server: the snapshot of a disk. */
async function snapshot(): Promise<void> {
  await server.stop()
  await rm(at(snapshotDir), { recursive: true, force: true })
  await cp(at(dataDir), at(snapshotDir), { recursive: true })
  await start()
}
async function putBack(): Promise<void> {
  await server.stop()
  await rm(at(dataDir), { recursive: true })
  await cp(at(snapshotDir), at(dataDir), { recursive: true })
  await start()
}
async function restart(): Promise<void> {
  await server.stop()
  await start()
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quipu-older-disk-'))
  await start()
  await migrateForTests(server.url)
  proxy = await openProxy(() => server.url)
})
afterAll(async () => {
  await proxy.shut()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => confirmRestore(server.url, 'a new test', new Date()))

/** The stores of a process, with what it needs to order a payout. */
function openProcess() {
  const stores: PostgresStores = postgresStores({ url: proxy.url, connectTimeoutMs: 5_000 })
  onTestFinished(() => stores.close())
  const made = builders(stores, (size) => randomBytes(size))
  return {
    stores,
    pay: async (tenantId?: string) => {
      const payer = tenantId ?? (await made.newWallet(usdt(100n)))
      const createdAt = new Date()
      await made.newPayout(await made.newQuote(payer, { source: usdt(1n), lifeSeconds: 300 }), { createdAt })
      return payer
    },
  }
}

const reason = async () => (await readGate(server.url)).halt?.reason
const halted = expect.objectContaining({ message: expect.stringContaining('payments are halted') as string }) as Error

test('a process that has paid since a snapshot halts payments when it is put back, before it pays again', async () => {
  const { pay, stores } = openProcess()
  const payer = await pay()
  await snapshot()
  await pay(payer) // The only payment that is forgotten.
  await putBack()
  await expect(pay(payer)).rejects.toThrow(Unavailable)
  await expect(pay(payer)).rejects.toThrow(halted)
  expect(await reason()).toBe('went_back')
  // A confirmation ends the halt for a process that remembers more, too.
  await confirmRestore(server.url, 'booked', new Date())
  expect((await stores.ping()).gate.halt).toBeNull()
  await pay(payer)
})

test('a process that only looks on halts payments, too', async () => {
  const [payingOne, onlooker] = [openProcess(), openProcess()]
  await payingOne.stores.ping()
  await snapshot()
  const payer = await payingOne.pay()
  for (let n = 0; n < 20; n++) await payingOne.pay(payer)
  await onlooker.stores.ping()
  await payingOne.stores.close()
  await putBack()
  const { gate } = await onlooker.stores.ping()
  expect(gate.halt?.reason).toBe('went_back')
})

test('a disk of before a restore was confirmed is noticed by a process that saw the confirmation', async () => {
  const { pay, stores } = openProcess()
  await stores.ping()
  await snapshot()
  await confirmRestore(server.url, 'once more', new Date())
  await pay()
  await putBack()
  const { gate } = await stores.ping()
  expect(gate.halt?.reason).toBe('went_back')
})

test('after a restart of the same disk a process that remembers it goes on at once', async () => {
  const { pay, stores } = openProcess()
  const payer = await pay()
  await restart()
  await pay(payer)
  expect(await stores.restores.gate()).toMatchObject({ halt: null, unchecked: null })
})

test('a process that remembers nothing pays only after the newest payments were compared', async () => {
  const before = openProcess()
  const payer = await before.pay()
  await before.stores.close()
  await restart()
  const { pay, stores } = openProcess()
  await expect(pay(payer)).rejects.toThrow(halted)
  // Its writes on this start do not vouch for it.
  await stores.ping()
  await stores.ping()
  await expect(pay(payer)).rejects.toThrow(halted)
  const { unchecked } = await stores.restores.gate()
  if (unchecked === null) throw new Error('the server was accepted')
  const { items } = await stores.payouts.list(payer, { limit: 1 })
  expect(unchecked.comparedFrom).toEqual(items[0]?.createdAt)
  expect(await stores.restores.accept({ ...unchecked, start: '2026-01-01T00:00:00Z' })).toBe(false)
  await expect(pay(payer)).rejects.toThrow(halted)
  expect(await stores.restores.accept(unchecked)).toBe(true)
  await pay(payer)
})

test('one that remembers the log of long ago, or of before a confirmation, does not vouch for a server', async () => {
  const { stores } = openProcess()
  await stores.ping()
  await restart()
  const observe = `select server_start is null as is_accepted
    from quipu.observe_log('0/1', (select confirmations from quipu.lineage) - $2, null, null, $1)`
  const client = openProcess().stores
  expect((await client.restores.gate()).unchecked).not.toBeNull()
  expect(await sql(observe, [60_000, 0])).toEqual([{ is_accepted: false }])
  expect(await sql(observe, [0, 1])).toEqual([{ is_accepted: false }])
  expect(await sql(observe, [59_999, 0])).toEqual([{ is_accepted: true }])
})

test('a process that has written the newest position of the log halts nothing', async () => {
  const observe = `select halted_at from quipu.observe_log(pg_current_wal_insert_lsn(),
    (select confirmations from quipu.lineage), null, null, 0)`
  expect(await sql(observe, [])).toEqual([{ halted_at: null }])
})

async function sql(text: string, values: unknown[]): Promise<unknown[]> {
  const { asRole } = await import('../test/as-role.fixture.ts')
  return asRole(server.url, (run) => run(text, values))
}

test('the ids of an installation’s payouts have its characters, which a restore keeps', async () => {
  const { stores } = openProcess()
  await stores.ping()
  const installation = stores.installation() ?? ''
  expect(isOfInstallation(`po_${'0'.repeat(22)}${installation}`, installation)).toBe(true)
  await snapshot()
  await putBack()
  expect((await readGate(server.url)).installation).toBe(installation)
})
