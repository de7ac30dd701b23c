import { tronAddressFormat } from '@quipu/tron'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { ownWallet, testTopUps } from '../harness/chain.fixture.ts'
import { depositMaker } from '../harness/deposits.fixture.ts'
import { hangingPayout, settlement, wronglyPaid } from '../harness/hanging-payout.fixture.ts'
import { type Json, type Reply, sendRequest } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'

const api = useTestApi('each', { APPROVAL_LIMIT_USDT: '1000' })
let tenant: TestTenant
beforeEach(async () => {
  tenant = await api.tenant()
  await tenant.get('/v1/wallets')
})

const olivia = (path: string, body?: unknown): Promise<Reply> => api.operator('POST', `/operator/v1${path}`, body)
const omar = (path: string, body?: unknown): Promise<Reply> =>
  sendRequest(`${api.operatorUrl}/operator/v1${path}`, 'POST', { token: 'operators', body })

const reason = { reason: 'It was looked into.' }
const unknown = 'dep_01K6HZ8M00000000000000000A'
const review = async (value = 500_000n): Promise<string> =>
  (await depositMaker(api.stores, api.clock.now)({ tenantId: tenant.id, value })).id

/** Sends it twice. @returns the second answer */
async function again(path: string, body?: unknown, by = olivia): Promise<Reply> {
  expect((await olivia(path, body)).status).toBeLessThan(300)
  return by(path, body)
}

test.each<[what: string, send: () => Promise<Reply>, status: number, code: string, fields?: readonly string[]]>([
  [
    'a case that another person has',
    async () => again(`/cases/${await review()}/take`, undefined, omar),
    409,
    'CASE_TAKEN',
  ],
  [
    'a review that was credited',
    async () => again(`/deposits/${await review()}/credit`, reason),
    409,
    'DEPOSIT_ALREADY_RESOLVED',
  ],
  [
    'a deposit that no ledger can hold',
    async () => olivia(`/deposits/${await review(2n ** 255n)}/credit`, reason),
    422,
    'DEPOSIT_NOT_CREDITABLE',
  ],
  [
    'a closure of a review that there is not',
    async () => olivia(`/tenants/${tenant.id}/deposits/close`, { deposit_ids: [await review(), unknown], ...reason }),
    409,
    'DEPOSITS_NOT_OPEN',
    ['deposit_ids.1'],
  ],
  ['a second rotation', () => again(`/tenants/${tenant.id}/top-up-addresses/rotate`), 404, 'TOP_UP_ADDRESS_NOT_FOUND'],
  [
    'a settlement of a payout that was not queried',
    async () => omar(`/payouts/${(await wronglyPaid(api, tenant)).id}/settle`, settlement),
    409,
    'PAYOUT_STATUS_NOT_QUERIED',
  ],
  [
    'a refund above the price',
    async () => {
      const { id } = (await tenant.post('/v1/payouts', await tenant.order())).json
      return olivia(`/payouts/${id}/refund`, { ...reason, amount: '1000.00' })
    },
    409,
    'PAYOUT_NOT_REFUNDABLE',
  ],
  [
    'a cancellation while a worker has the payout',
    async () => {
      const { id } = await hangingPayout(api, tenant, 'sending')
      await api.stores.payouts.hint(id)
      await api.stores.payouts.claimDue(1, 15)
      return omar(`/payouts/${id}/cancel`)
    },
    409,
    'PAYOUT_LEASED',
  ],
  [
    'a withdrawal of another person’s proposal',
    async () => {
      const { id } = (await olivia(`/deposits/${await review(2n ** 255n)}/close`, reason)).json
      return omar(`/proposals/${id}/withdraw`)
    },
    403,
    'ROLE_REQUIRED',
  ],
  [
    'a resend of a pending delivery',
    async () => {
      const { id } = (await tenant.post('/v1/webhooks', { url: 'https://example.com/quipu' })).json
      await tenant.post('/v1/payouts', await tenant.order())
      const [delivery] = (await tenant.get(`/v1/webhooks/${id}/deliveries`)).json.data
      return olivia(`/webhook-endpoints/${id}/deliveries/${delivery.id}/resend`)
    },
    409,
    'DELIVERY_PENDING',
  ],
  [
    'a key that has expired',
    () =>
      olivia(`/tenants/${tenant.id}/api-keys`, {
        name: 'x',
        scopes: ['wallet:read'],
        expires_at: '2026-03-02T12:00:00Z',
      }),
    400,
    'VALIDATION_FAILED',
    ['expires_at'],
  ],
  [
    'a rotation of a revoked key',
    async () => {
      await api.operator('DELETE', `/operator/v1/api-keys/${tenant.keyId}`)
      return olivia(`/api-keys/${tenant.keyId}/rotate`)
    },
    409,
    'API_KEY_NOT_ACTIVE',
  ],
])('%s is refused', async (_, send, status, code, fields = []) => {
  const reply = await send()
  expect([reply.status, reply.code]).toEqual([status, code])
  expect((reply.json.error.details ?? []).map(({ field }: Json) => field)).toEqual(fields)
})

test('a return whose transaction is in no solid block is not proposed', async () => {
  const [head, nothing] = [async () => ({ number: 1, id: '00', at: api.clock.now() }), async () => undefined]
  const chainReader = { chain: 'tron' as const, head, block: nothing, blockOf: nothing }
  const onChain = await testApi({}, { topUps: testTopUps, addressFormat: tronAddressFormat, chainReader })
  onTestFinished(() => onChain.stop())
  const { id: tenantId, get } = await onChain.tenant()
  await get('/v1/wallets')
  const { id } = await depositMaker(onChain.stores, onChain.clock.now)({ tenantId, value: 500_000n })
  const body = { to_address: ownWallet, tx_hash: 'cd'.repeat(32), ...reason, evidence: settlement.evidence }
  const reply = await onChain.operator('POST', `/operator/v1/deposits/${id}/return`, body)
  const message = expect.stringMatching(/^is in no solid block/)
  expect([reply.status, reply.json.error.details]).toEqual([400, [{ field: 'tx_hash', message }]])
})
