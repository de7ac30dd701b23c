import { type ApiKeyScope, usdt } from '@quipu/core'
import type { Adjustment } from '@quipu/core/adapter'
import { sendRequest, type RequestOptions, type Reply } from './http-client.fixture.ts'

/** A tenant with a key, and the requests that it makes. */
export type TestTenant = {
  readonly id: string
  readonly key: string
  readonly keyId: string
  get(path: string, given?: RequestOptions): Promise<Reply>
  post(path: string, body: unknown, given?: RequestOptions): Promise<Reply>
  patch(path: string, body: unknown): Promise<Reply>
  remove(path: string): Promise<Reply>
  /** The content of a fresh QR. */
  qr(request?: object): Promise<string>
  /** The id of a fresh quote. */
  quote(amount?: string, more?: object): Promise<string>
  /** The body of a payout at a fresh quote for a fresh QR, both of BOB 100.00. */
  order(over?: object, qr?: object): Promise<Order>
}

export type Order = {
  readonly transaction_id: string
  readonly type: 'qr'
  readonly quote_id: string
  readonly qr: { readonly content: string }
}

/** A tenant with a key, made the way that an operator makes one. */
export async function onboard(
  operator: (method: string, path: string, body?: unknown) => Promise<Reply>,
  pricing: object,
  keyScopes: readonly ApiKeyScope[],
): Promise<{ id: string; key: string; keyId: string }> {
  const created = await operator('POST', '/operator/v1/tenants', {
    legal_name: 'Ejemplo S.R.L.',
    technical_contact: { name: 'Ana Quispe', email: 'ana@example.com' },
    ...pricing,
  })
  const { id } = created.json as { id: string }
  const path = `/operator/v1/tenants/${id}/api-keys`
  const issued = await operator('POST', path, { name: 'backend', scopes: keyScopes })
  const { key, id: keyId } = issued.json as { key: string; id: string }
  return { id, key, keyId }
}

/** Money for a tenant to pay with, in micro-USDT. */
export const fundsOf = (tenantId: string, minor: bigint): Adjustment => ({
  id: `adj-${tenantId}`,
  tenantId,
  direction: 'in',
  amount: usdt(minor),
  reason: 'for the test',
  actor: 'test',
})

let orders = 0

/** The requests of a tenant. */
export function tenantOf(
  url: string,
  { id, key, keyId }: Pick<TestTenant, 'id' | 'key' | 'keyId'>,
): TestTenant {
  const post: TestTenant['post'] = (path, body, given) =>
    sendRequest(url + path, 'POST', { key, body, ...given })
  const qr: TestTenant['qr'] = async (request = {}) => {
    const closed = { amount_mode: 'closed', amount: '100.00' }
    const reply = await post('/v1/sandbox/qr-codes', { ...closed, ...request })
    return (reply.json as { content: string }).content
  }
  const quote: TestTenant['quote'] = async (amount = '100.00', more = {}) => {
    const target = { currency: 'BOB', amount }
    const reply = await post('/v1/quotes', { target, ...more })
    return (reply.json as { id: string }).id
  }
  return {
    id,
    key,
    keyId,
    get: (path, given) => sendRequest(url + path, 'GET', { key, ...given }),
    post,
    patch: (path, body) => sendRequest(url + path, 'PATCH', { key, body }),
    remove: (path) => sendRequest(url + path, 'DELETE', { key }),
    qr,
    quote,
    order: async (over = {}, wanted = {}) => ({
      transaction_id: `order-${++orders}`,
      type: 'qr',
      quote_id: await quote(),
      qr: { content: await qr(wanted) },
      ...over,
    }),
  }
}
