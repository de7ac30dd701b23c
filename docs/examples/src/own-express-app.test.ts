import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { bob, type Tenant, usdt } from '@quipu/core'
import type { SandboxScenario } from '@quipu/core/adapter'
import { manageTenants } from '@quipu/core/operator'
import { adjustWallet, testOperatorTokens, operatorNamed } from '@quipu/contracts'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import { bootstrapOperatorToken, migrate } from '@quipu/postgres'
import { type QrNetworkSimulator, startQrNetwork } from '@quipu/simulators'
import { systemPorts } from '@quipu/core/system'
import type { Container } from 'inversify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CREATE_PAYOUT, CREATE_QUOTE, STORES } from './own-container.ts'
import { openContainer, resumeDue, shopApp } from './own-express-app.ts'
import { payBills } from './shop.fixture.ts'

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

const billOf = (scenario: SandboxScenario) =>
  Promise.resolve(network.issueQr({ amount_mode: 'closed', amount: '100.00', scenario }).content)

test('an Express app over PostgreSQL pays a QR once, and refuses what it must', async () => {
  const { wallets } = container.get(STORES)
  await payBills(url, { wallets, shop, billOf, cut: () => network.setFaults({ down: true }) })
  await network.clearFaults()
})

test('the worker settles a payment whose answer is late', async () => {
  const { payouts } = container.get(STORES)
  const [create, quote] = [container.get(CREATE_PAYOUT), container.get(CREATE_QUOTE)]
  const quoted = await quote(shop, { target: bob(100_00n), resolutionId: null })
  if (quoted.type === 'refused') throw new Error(quoted.code)
  const order = { transactionId: 'late', quoteId: quoted.quote.id, content: await billOf('late') }
  const paid = await create(shop, { ...order, description: null, fingerprint: 'late' })
  if (paid.type === 'refused') throw new Error(paid.code)
  const { payout } = paid
  expect(payout.status).toBe('processing')
  await payouts.hint(payout.id)
  await expect
    .poll(async () => {
      await resumeDue(container)
      return (await payouts.get(shop.id, payout.id))?.status
    })
    .toBe('completed')
})
