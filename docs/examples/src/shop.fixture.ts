import { adjustWallet, testOperatorTokens, operatorNamed } from '@quipu/contracts'
import { bob, rate, type Tenant, Unavailable, usdt } from '@quipu/core'
import type { SandboxScenario, WalletStore } from '@quipu/core/adapter'
import { manageTenants } from '@quipu/core/operator'
import { memoryQrNetwork, memoryStores } from '@quipu/memory'
import { systemPorts } from '@quipu/core/system'
import { encodeEvent } from '@quipu/wire'
import { expect } from 'vitest'

/** A shop with 100 USDT, its ports in memory, and the bills that it gets. */
export async function openShop() {
  const system = systemPorts()
  const { now, ids } = system
  const stores = memoryStores({ now, operatorTokens: testOperatorTokens() })
  const network = memoryQrNetwork({ now })
  const rates = { current: async () => ({ bid: rate(99_500n), source: 'fixed', observedAt: now() }) }
  const raiseAlert = () => undefined
  const ports = { ...stores, ...system, network, rates, encodeEvent, raiseAlert }
  const technicalContact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }
  const legal = { legalName: 'Pagos del Sur S.R.L.', technicalContact, pricing: {} }
  const shop = await manageTenants(ports).create(operatorNamed('test'), legal)
  const funds = { id: ids.uuid(now()), tenantId: shop.id, amount: usdt(100_000_000n) }
  await adjustWallet(stores, { ...funds, direction: 'in', reason: 'funds', actor: 'test' })

  const billOf = async (scenario: SandboxScenario): Promise<string> => {
    const bill = { amountMode: 'closed', amount: bob(100_00n), description: null } as const
    const { content } = await network.issue({ ...bill, scenario, merchantName: 'Kiosco' })
    return content
  }
  const cut = () => {
    network.readQr = () => Promise.reject(new Unavailable('qr_network', 'no answer'))
  }
  return { ports, wallets: stores.wallets, shop, billOf, cut }
}

type Answer = { readonly status: number; readonly json: { readonly id: string } }

/** A server of the shop: its wallets, the bills that it gets, and how its network goes down. */
export type Shop = {
  readonly shop: Tenant
  readonly billOf: (scenario: SandboxScenario) => Promise<string>
  readonly wallets: Pick<WalletStore, 'find'>
  readonly cut: () => unknown
}

/** Quotes and pays bills at a server of the shop, and asks for what it must refuse. */
export async function payBills(url: string, { wallets, shop, billOf, cut }: Shop): Promise<void> {
  const post = async (path: string, body: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, json: (await response.json()) as Answer['json'] }
  }
  const { json: price } = await post('/bills/1/price', { amount: '100.00' })
  expect(price).toMatchObject({ source: { amount: '10.203353' }, target: { amount: '100.00' } })
  const body = { quote_id: price.id, qr: await billOf('paid') }
  const answers = await Promise.all([1, 2, 3].map(() => post('/bills/1/pay', body)))
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, json: { status: 'completed' } })
  expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
  const wallet = await wallets.find(shop.id)
  expect(wallet?.available).toEqual(usdt(100_000_000n - 10_203_353n))

  expect(await post('/bills/2/price', { amount: '1e3' })).toMatchObject({ status: 400, json: { code: 'AMOUNT' } })
  expect(await post('/bills/2/price', {})).toMatchObject({ status: 400 })
  const unknown = { quote_id: crypto.randomUUID(), qr: await billOf('paid') }
  expect(await post('/bills/3/pay', unknown)).toEqual({ status: 409, json: { code: 'QUOTE_NOT_FOUND' } })
  const { json: next } = await post('/bills/4/price', { amount: '100.00' })
  const last = { quote_id: next.id, qr: await billOf('paid') }
  await cut()
  expect(await post('/bills/4/pay', last)).toEqual({ status: 503, json: { code: 'ASK_AGAIN' } })
}
