import { rate } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import type { Json, Reply } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant
let webhook: string
beforeEach(async () => {
  tenant = await api.tenant()
  webhook = `/v1/webhooks/${(await tenant.post('/v1/webhooks', { url: 'https://example.com/quipu' })).json.id}`
})

const target = (amount: string) => ({ target: { currency: 'BOB', amount } })
const since = { since: '2026-03-01T00:00:00Z' }

async function delivery(): Promise<string> {
  await tenant.post('/v1/payouts', await tenant.order())
  return `${webhook}/deliveries/${(await tenant.get(`${webhook}/deliveries`)).json.data[0].id}`
}

async function whilePaused(send: () => Promise<Reply>): Promise<Reply> {
  const path = webhook.replace('/v1/webhooks', '/operator/v1/webhook-endpoints')
  await api.operator('POST', `${path}/pause`, { reason: 'Its host asks us to stop.' })
  return send()
}

test.each<[what: string, send: () => Promise<Reply>, status: number, code: string, fields?: readonly string[]]>([
  [
    'a quote of an open QR without a target',
    async () => {
      const content = await tenant.qr({ amount_mode: 'open', amount: undefined })
      const { resolution_id } = (await tenant.post('/v1/payouts/qr/resolve', { content })).json
      return tenant.post('/v1/quotes', { resolution_id })
    },
    400,
    'VALIDATION_FAILED',
    ['target'],
  ],
  [
    'a price above the largest amount',
    () => {
      api.rates.current = async () => ({ bid: rate(2n), source: 'test', observedAt: api.clock.now() })
      return tenant.post('/v1/quotes', target('999999999999.99'))
    },
    400,
    'VALIDATION_FAILED',
    ['target.amount'],
  ],
  [
    'a balance of the future',
    () => tenant.get('/v1/wallets?at=2026-03-02T12:00:00.001Z'),
    400,
    'VALIDATION_FAILED',
    ['at'],
  ],
  [
    'a balance of before the wallet',
    () => tenant.get('/v1/wallets?at=2026-03-02T11:59:59Z'),
    400,
    'VALIDATION_FAILED',
    ['at'],
  ],
  ['a day of before the tenant', () => tenant.get('/v1/statements/2026-03-01'), 404, 'STATEMENT_NOT_FOUND'],
  ['the same day as CSV', () => tenant.get('/v1/statements/2026-03-01?format=csv'), 404, 'STATEMENT_NOT_FOUND'],
  [
    'a URL that is not allowed',
    () => {
      api.webhooks.checkUrl = async () => 'must not lead to a private or reserved address'
      return tenant.patch(webhook, { url: 'https://10.0.0.1/' })
    },
    400,
    'VALIDATION_FAILED',
    ['url'],
  ],
  [
    'a reactivation while an operator pauses',
    () => whilePaused(() => tenant.post(`${webhook}/reactivate`, {})),
    409,
    'WEBHOOK_PAUSED_BY_OPERATOR',
  ],
  [
    'a replay while an operator pauses',
    () => whilePaused(() => tenant.post(`${webhook}/replay`, since)),
    409,
    'WEBHOOK_PAUSED_BY_OPERATOR',
  ],
  [
    'a resend while an operator pauses',
    async () => {
      const at = await delivery()
      await api.deliver()
      return whilePaused(() => tenant.post(`${at}/resend`, {}))
    },
    409,
    'WEBHOOK_PAUSED_BY_OPERATOR',
  ],
  [
    'a resend of a pending delivery',
    async () => tenant.post(`${await delivery()}/resend`, {}),
    409,
    'DELIVERY_PENDING',
  ],
  [
    'a delivery of another endpoint',
    async () => {
      const other = (await tenant.post('/v1/webhooks', { url: 'https://example.com/other' })).json.id
      return tenant.get((await delivery()).replace(/we_\w+/, other))
    },
    404,
    'DELIVERY_NOT_FOUND',
  ],
  [
    'a sixth valid secret',
    async () => {
      for (let valid = 1; valid < 5; valid++) await tenant.post(`${webhook}/rotate-secret`, { grace_seconds: 60 })
      return tenant.post(`${webhook}/rotate-secret`, { grace_seconds: 60 })
    },
    409,
    'TOO_MANY_SECRETS',
  ],
  [
    'a revocation of the only key',
    () => tenant.post(`/v1/api-keys/${tenant.keyId}/revoke`, undefined),
    409,
    'API_KEY_IS_LAST',
  ],
  [
    'a rotation of a key with more scopes',
    async () => {
      const { key, id } = await api.tenant({ scopes: ['keys:write'] })
      const paying = { name: 'tills', scopes: ['payouts:write'] }
      const made = await api.operator('POST', `/operator/v1/tenants/${id}/api-keys`, paying)
      return api.request('POST', `/v1/api-keys/${made.json.id}/rotate`, { key, body: { overlap_seconds: 0 } })
    },
    403,
    'SCOPE_REQUIRED',
  ],
])('%s is refused', async (_, send, status, code, fields = []) => {
  const reply = await send()
  expect([reply.status, reply.code]).toEqual([status, code])
  expect((reply.json.error.details ?? []).map(({ field }: Json) => field)).toEqual(fields)
})
