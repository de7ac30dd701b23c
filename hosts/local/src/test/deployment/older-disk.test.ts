/** @module-tag long */
import { createDatabase, openProxy, type PostgresServer, startPostgres } from '@quipu/embedded-postgres'
import { readGate } from '@quipu/postgres'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminWith } from '../harness/admin.fixture.ts'
import { openPayoutHarness, type PayoutHarness } from '../harness/payout-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { migrateWithOperators, operatorToken, type Order } from '../harness/tenant.fixture.ts'

const resources = new AsyncDisposableStack()
let root: string
let server: PostgresServer
let harness: PayoutHarness
let forgotten: Order

const start = async (): Promise<void> => {
  server = await startPostgres({ dataDir: path.join(root, 'data'), durability: 'none' })
}
const copy = async (from: string, to: string): Promise<void> => {
  await rm(path.join(root, to), { recursive: true, force: true })
  await cp(path.join(root, from), path.join(root, to), { recursive: true })
}
const timesPaid = (): number[] => harness.network.ledger().payments.map(({ times_paid }) => times_paid)

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'quipu-older-disk-'))
  resources.defer(() => rm(root, { recursive: true, force: true, maxRetries: 20 }))
  await start()
  resources.defer(() => server.stop())
  await createDatabase(server, 'quipu')
  const url = () => server.urlFor('quipu')
  await migrateWithOperators(url())
  const proxy = await openProxy(url)
  resources.defer(() => proxy.shut())
  harness = resources.use(await openPayoutHarness({ url: proxy.url, roleUrl: proxy.url }))
})
afterAll(() => resources.disposeAsync())

test('payments go on after the snapshot of a disk, with new processes', async () => {
  const first = await harness.startApi()
  expect(await first.pay(await harness.order(first))).toMatchObject({ status: 201 })
  await first.kill()
  await server.stop()
  await copy('data', 'snapshot')
  await start()
  const api = await harness.startApi()
  const worker = await harness.startWorker()
  forgotten = await harness.order(api)
  await until('the worker has compared the newest payments', async () => {
    const { json } = await api.get('/readyz')
    return (json as { payments: string }).payments === 'begin'
  })
  expect(await api.pay(forgotten)).toMatchObject({ status: 201, json: { status: 'completed' } })
  expect(timesPaid()).toEqual([1, 1])
  const { installation } = await readGate(server.urlFor('quipu'))
  for (const { reference } of harness.network.ledger().payments)
    expect(reference.endsWith(installation ?? '–')).toBe(true)
  await Promise.all([api.kill(), worker.kill()])
})

test('when it is put back under new processes, the forgotten order is not paid again', async () => {
  await server.stop()
  await copy('snapshot', 'data')
  await start()
  const api = await harness.startApi()
  const again = async () => {
    const { quote_id } = await harness.order(api)
    return api.pay({ ...forgotten, quote_id })
  }
  // Without a worker nothing is compared.
  expect(await again()).toMatchObject({ status: 503, json: { error: { code: 'OPERATION_UNCERTAIN' } } })
  await harness.startWorker()
  const admin = adminWith({ QUIPU_OPERATOR_URL: api.operatorUrl, QUIPU_OPERATOR_TOKEN: operatorToken })
  await until('the worker halts payments', async () => {
    const { output } = await admin.run('faults', 'list')
    return output.includes('PAYMENTS_HALTED') && output.includes('payment_forgotten')
  })
  expect(await again()).toMatchObject({ status: 503 })
  expect(timesPaid()).toEqual([1, 1])
})
