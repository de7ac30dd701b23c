import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { type Reply, sendRequest } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each', { APPROVAL_LIMIT_USDT: '1000000' })
let tenant: TestTenant
beforeEach(async () => {
  tenant = await api.tenant()
})

const outcome = ({ status, code }: Reply) => [status, code]
const reason = 'The bank returned the payment.'
const refund = (id: string, body: unknown = { reason }) =>
  sendRequest(`${api.operatorUrl}/operator/v1/payouts/${id}/refund`, 'POST', { token: 'operators', body })
const paid = async () => (await tenant.post('/v1/payouts', await tenant.order())).json
const approve = (id: string) => api.operator('POST', `/operator/v1/proposals/${id}/approve`)

test('two people refund a completed payout, once; the tenant gets its price, a row and an event', async () => {
  const payout = await paid()
  const before = (await tenant.get('/v1/wallets')).json
  const proposed = await refund(payout.id)
  expect(proposed.status).toBe(202)
  expect(proposed.json).toMatchObject({
    action: 'adjust_wallet',
    subject: tenant.id,
    status: 'open',
    reason,
    details: { direction: 'in', amount: payout.source.amount, payout_id: payout.id },
  })
  expect(outcome(await refund(payout.id))).toEqual([409, 'PAYOUT_ALREADY_REFUNDED'])
  expect((await approve(proposed.json.id)).json.status).toBe('executed')
  expect(outcome(await refund(payout.id))).toEqual([409, 'PAYOUT_ALREADY_REFUNDED'])

  const after = (await tenant.get('/v1/wallets')).json
  const micro = (amount: string) => BigInt(amount.replace('.', ''))
  expect(micro(after.available) - micro(before.available)).toBe(micro(payout.source.amount))
  const [row] = (await tenant.get('/v1/wallets/transactions')).json.data
  expect(row).toMatchObject({
    direction: 'in',
    type: 'adjustment',
    amount: payout.source.amount,
    payout_id: payout.id,
    transaction_id: payout.transaction_id,
  })
  const [event] = (await tenant.get('/v1/events?type=payout.refunded')).json.data
  expect(event).toEqual({
    id: event.id,
    type: 'payout.refunded',
    event_version: 1,
    occurred_at: row.created_at,
    recorded_at: row.created_at,
    data: (await tenant.get(`/v1/payouts/${payout.id}`)).json,
  })
  expect(event.data.status).toBe('completed')
})
