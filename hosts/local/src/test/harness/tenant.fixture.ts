import { apiKeyScopes, usdt } from '@quipu/core'
import { adjustWallet, operatorToken as tokenOf, testOperatorTokens } from '@quipu/contracts'
import { sha256 } from '@quipu/core/adapter'
import { bootstrapOperatorToken, migrate, postgresStores } from '@quipu/postgres'
import type { Scenario } from '@quipu/simulators'
import { askJson, type JsonReply } from '../../ask-json.ts'

export const funds = 1_000_000_000n
export const operatorToken = 'the-token-of-the-operator'
/** Token of another person, who approves. */
export const approverToken = 'the-token-of-the-approver'

/** Migrates a database, and issues `operatorToken` and the tokens of the fixtures. */
export async function migrateWithOperators(url: string): Promise<void> {
  await migrate(url)
  const own = tokenOf('olivia', 'admin', sha256(operatorToken))
  const approver = tokenOf('otto', 'operator', sha256(approverToken))
  for (const issued of [own, approver, ...testOperatorTokens()]) await bootstrapOperatorToken(url, issued)
}

/** The body of a payment. */
export type Order = {
  readonly transaction_id: string
  readonly type: 'qr'
  readonly quote_id: string
  readonly qr: { readonly content: string }
}

/** The members of a payout that tests read. */
export type Payout = { readonly id: string; readonly status: string; readonly error: { readonly code: string } | null }

/** A tenant's calls of one API. */
export type Tenant = {
  pay(order: Order): Promise<JsonReply>
  get(path: string): Promise<JsonReply>
  ask(method: string, path: string, body?: unknown): Promise<JsonReply>
  askFaucet(request: { readonly key: string; readonly body: object }): Promise<JsonReply>
  /** Creates an order with a new quote of BOB 100.00 and no resolution. */
  order(content: string): Promise<Order>
}

let orders = 0

export function tenantAt(url: string, apiKey: string): Tenant {
  const headers = { 'x-api-key': apiKey }
  return {
    pay: (body) => askJson(url, { method: 'POST', path: '/v1/payouts', headers, body }),
    get: (path) => askJson(url, { method: 'GET', path, headers }),
    ask: (method, path, body) => askJson(url, { method, path, headers, body }),
    askFaucet: ({ key, body }) => {
      const keyed = { ...headers, 'idempotency-key': key }
      return askJson(url, { method: 'POST', path: '/v1/sandbox/faucet', headers: keyed, body })
    },
    async order(content) {
      const number = ++orders
      const body = { target: { currency: 'BOB', amount: '100.00' } }
      const quote = await askJson(url, { method: 'POST', path: '/v1/quotes', headers, body })
      const { id } = quote.json as { id: string }
      return { transaction_id: `order-${number}`, type: 'qr', quote_id: id, qr: { content } }
    },
  }
}

export const closedQr = (scenario: Scenario) => ({ amount_mode: 'closed', amount: '100.00', scenario }) as const

/** Creates a tenant through the operator API. @returns its API key */
export async function onboardTenant(operatorUrl: string): Promise<string> {
  return (await newTenant(operatorUrl)).key
}

async function newTenant(operatorUrl: string) {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const post = async (path: string, body: unknown) => {
    const request = { method: 'POST', path: `/operator/v1${path}`, headers, body }
    return (await askJson(operatorUrl, request)).json as { id: string; key: string }
  }
  const technical_contact = { name: 'Ana Quispe', email: 'ana@example.com' }
  const { id } = await post('/tenants', { legal_name: 'Ejemplo', technical_contact })
  const { key } = await post(`/tenants/${id}/api-keys`, { name: 'test', scopes: apiKeyScopes })
  return { id, key }
}

/** Creates a tenant with a balance of `funds`. @returns its API key */
export async function onboard(operatorUrl: string, databaseUrl: string): Promise<string> {
  const { id: tenantId, key } = await newTenant(operatorUrl)
  const { wallets, proposals, close } = postgresStores({ url: databaseUrl })
  const amount = usdt(funds)
  const adjustment = { direction: 'in', amount, reason: 'test', actor: 'test' } as const
  await adjustWallet({ wallets, proposals }, { id: `funds of ${tenantId}`, tenantId, ...adjustment })
  await close()
  return key
}
