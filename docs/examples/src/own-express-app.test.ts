import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Tenant, usdt } from '@quipu/core'
import { manageTenants } from '@quipu/core/operator'
import { adjustWallet, testOperatorTokens, operatorNamed } from '@quipu/contracts'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import { bootstrapOperatorToken, migrate } from '@quipu/postgres'
import { type QrNetworkSimulator, type Scenario, startQrNetwork } from '@quipu/simulators'
import { systemPorts } from '@quipu/core/system'
import type { Container } from 'inversify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STORES } from './own-container.ts'
import { openContainer, resumeDue, shopApp } from './own-express-app.ts'

/** How to close what is open, in the order of opening. Node 22 has no AsyncDisposableStack. */
const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const { ids, now } = systemPorts()
let network: QrNetworkSimulator
let container: Container
let shop: Tenant
let url: string

beforeAll(async () => {
  const database = await testDatabase({ templateName: 'quipu_examples', migrate: migrateWithOperators })
  closers.push(() => database.drop())
  const token = 'a token'
  network = await startQrNetwork({ token, callbackSecret: 'a secret', lateMs: 1 })
  closers.push(() => network.stop())
  const qrNetwork = { url: network.url, token }
  container = await openContainer({ databaseUrl: database.url, qrNetwork })
  closers.push(() => container.unbindAllAsync())
  shop = await openShop(container)
  const server = shopApp(container, shop).listen(0, '127.0.0.1')
  closers.push(async () => {
    server.close()
    await once(server, 'close')
  })
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

/** A tenant with 100 USDT. */
async function openShop(container: Container): Promise<Tenant> {
  const { tenants, ...stores } = container.get(STORES)
  const technicalContact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }
  const tenant = await manageTenants({ tenants, ...stores, ids, now }).create(operatorNamed('test'), {
    legalName: 'Pagos del Sur S.R.L.',
    technicalContact,
    pricing: {},
  })
  const funds = { id: ids.uuid(now()), tenantId: tenant.id, amount: usdt(100_000_000n) }
  await adjustWallet(stores, { ...funds, direction: 'in', reason: 'funds', actor: 'test' })
  return tenant
}

async function migrateWithOperators(url: string): Promise<void> {
  await migrate(url)
  for (const issued of testOperatorTokens()) await bootstrapOperatorToken(url, issued)
}

type Answer = { readonly status: number; readonly json: { id: string; status?: string } }

async function post(path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, json: (await response.json()) as Answer['json'] }
}

const billOf = (scenario: Scenario) => network.issueQr({ amount_mode: 'closed', amount: '100.00', scenario }).content

async function pay(bill: string, scenario: Scenario) {
  const { json: price } = await post(`/bills/${bill}/price`, { amount: '100.00' })
  return post(`/bills/${bill}/pay`, { quote_id: price.id, qr: billOf(scenario) })
}

test('a bill is quoted and paid once, however often it is sent', async () => {
  const { json: price } = await post('/bills/1/price', { amount: '100.00' })
  expect(price).toMatchObject({ source: { amount: '10.203353' }, target: { amount: '100.00' } })
  const body = { quote_id: price.id, qr: billOf('paid') }
  const answers = await Promise.all([1, 2, 3].map(() => post('/bills/1/pay', body)))
  const [first] = answers
  expect(first).toMatchObject({ status: 200, json: { status: 'completed' } })
  expect(new Set(answers.map(({ json }) => json.id))).toEqual(new Set([first?.json.id]))
  expect(network.ledger(first?.json.id).payments).toMatchObject([{ times_paid: 1 }])
  const wallet = await container.get(STORES).wallets.find(shop.id)
  expect(wallet?.available).toEqual(usdt(100_000_000n - 10_203_353n))
})

test('a refusal of the network ends a payout, a refusal of the core creates none', async () => {
  expect(await pay('2', 'refused')).toMatchObject({ status: 200, json: { status: 'failed' } })
  const body = { quote_id: crypto.randomUUID(), qr: billOf('paid') }
  const refused = { status: 409, json: { code: 'QUOTE_NOT_FOUND' } }
  expect(await post('/bills/3/pay', body)).toEqual(refused)
  expect(await post('/bills/3/price', { amount: '1e3' })).toMatchObject({ status: 400 })
  expect(await post('/bills/3/price', { amount: 100 })).toMatchObject({ status: 400 })
})

test('the worker settles a payment whose answer is late', async () => {
  const { json: payout } = await pay('4', 'late')
  expect(payout.status).toBe('processing')
  const { payouts } = container.get(STORES)
  await payouts.hint(payout.id)
  await expect
    .poll(async () => {
      await resumeDue(container)
      return (await payouts.get(shop.id, payout.id))?.status
    })
    .toBe('completed')
})

test('a payment answers 503 while the network is unreachable', async () => {
  const { json: price } = await post('/bills/5/price', { amount: '100.00' })
  const body = { quote_id: price.id, qr: billOf('paid') }
  await network.setFaults({ down: true })
  expect(await post('/bills/5/pay', body)).toEqual({ status: 503, json: { code: 'ASK_AGAIN' } })
  await network.clearFaults()
  expect(await post('/bills/5/pay', body)).toMatchObject({ json: { status: 'completed' } })
})
