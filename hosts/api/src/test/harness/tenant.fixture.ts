import { type ApiKeyScope, usdt } from '@quipu/core'
import type { Adjustment } from '@quipu/core/operator'
import { sendRequest, type RequestOptions, type Reply } from './http-client.fixture.ts'

/** A tenant with a key, and its requests. */
export type TestTenant = {
  readonly id: string
  readonly key: string
  readonly keyId: string
  get(path: string, options?: RequestOptions): Promise<Reply>
  post(path: string, body: unknown, options?: RequestOptions): Promise<Reply>
  patch(path: string, body: unknown): Promise<Reply>
  remove(path: string): Promise<Reply>
  /** The content of a fresh QR. */
  qr(request?: object): Promise<string>
  /** The id of a fresh quote. */
  quote(amount?: string, more?: object): Promise<string>
  /** The body of a payout with a fresh quote and a fresh QR of BOB 100.00. */
  order(over?: object, qr?: object): Promise<Order>
}

export type Order = {
  readonly transaction_id: string
  readonly type: 'qr'
  readonly quote_id: string
  readonly qr: { readonly content: string }
}

type IssuedKey = { key: string; id: string; proposal_id: string | null }

/** Creates a tenant with a key through the operator listener. */
export async function onboard(
  operator: (method: string, path: string, body?: unknown) => Promise<Reply>,
  pricing: object,
  keyScopes: readonly ApiKeyScope[],
  approve: (path: string) => Promise<Reply>,
): Promise<{ id: string; key: string; keyId: string }> {
  const created = await operator('POST', '/operator/v1/tenants', {
    legal_name: 'Ejemplo S.R.L.',
    technical_contact: { name: 'Ana Quispe', email: 'ana@example.com' },
    ...pricing,
  })
  const { id } = created.json as { id: string }
  const path = `/operator/v1/tenants/${id}/api-keys`
  const request = { name: 'backend', scopes: keyScopes, reason: 'They go live.' }
  const issued = await operator('POST', path, request)
  const { key, id: keyId, proposal_id: proposal } = issued.json as IssuedKey
  if (proposal !== null) await approve(`/operator/v1/proposals/${proposal}/approve`)
  return { id, key, keyId }
}

/** An adjustment that funds a tenant. @param minor  micro-USDT */
export const fundsOf = (tenantId: string, minor: bigint): Adjustment => ({
  id: tenantId.replace('ten_', 'prp_'),
  tenantId,
  direction: 'in',
  amount: usdt(minor),
  reason: 'for the test',
  actor: 'test',
})

let orders = 0

export function tenantOf(url: string, { id, key, keyId }: Pick<TestTenant, 'id' | 'key' | 'keyId'>): TestTenant {
  const post: TestTenant['post'] = (path, body, options) => sendRequest(url + path, 'POST', { key, body, ...options })
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
    get: (path, options) => sendRequest(url + path, 'GET', { key, ...options }),
    post,
    patch: (path, body) => sendRequest(url + path, 'PATCH', { key, body }),
    remove: (path) => sendRequest(url + path, 'DELETE', { key }),
    qr,
    quote,
    order: async (over = {}, qrRequest = {}) => ({
      transaction_id: `order-${++orders}`,
      type: 'qr',
      quote_id: await quote(),
      qr: { content: await qr(qrRequest) },
      ...over,
    }),
  }
}
