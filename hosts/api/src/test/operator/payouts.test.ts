import { randomBytes } from 'node:crypto'
import { idSource } from '@quipu/core'
import { foundDifference } from '@quipu/contracts'
import { operatorOpenApi } from '@quipu/wire'
import { schemaFaults, type SchemaDocument } from '@quipu/wire/testing'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { settlement, wronglyPaid } from '../harness/hanging-payout.fixture.ts'
import { sendRequest, type Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
})

const payouts = '/operator/v1/payouts'
const read = (path: string) => sendRequest(api.operatorUrl + path, 'GET', { token: 'viewers' })

test('shows a payout with its whole history on one time line', async () => {
  await tenant.post('/v1/webhooks', { url: 'https://example.com/quipu' })
  const content = await tenant.qr()
  const { resolution_id } = (await tenant.post('/v1/payouts/qr/resolve', { content })).json
  const quote_id = await tenant.quote('100.00', { resolution_id })
  const order = await tenant.order({ quote_id, qr: { content } })
  const paid = (await tenant.post('/v1/payouts', order)).json
  await api.deliver()

  const { status, json } = await read(`${payouts}/${paid.id}`)
  expect(status).toBe(200)
  const document = operatorOpenApi() as unknown as SchemaDocument
  const schema = { $ref: '#/components/schemas/PayoutHistory' }
  expect(schemaFaults(schema, json, document)).toEqual([])
  expect(json.payout).toMatchObject({ ...paid, tenant_id: tenant.id, open: null })
  expect(json.quote).toMatchObject({ ...paid.quote, status: 'used', bid: '9.9500', rate_source: 'fixed' })
  expect(json.resolution.resolution_id).toBe(resolution_id)
  const { amount } = paid.source
  expect(json.ledger).toMatchObject([
    { type: 'hold', debit: 'available', credit: 'held', amount, held_after: amount },
    { type: 'capture', debit: 'held', credit: 'payouts', amount, held_after: '0.000000' },
  ])
  expect(json.deliveries).toMatchObject([{ status: 'delivered', attempts: [{ status_code: 200 }] }])
  expect(json.timeline.map(({ kind }: Json) => kind)).toEqual([
    'qr_resolved',
    'quoted',
    'requested',
    'posted',
    'posted',
    'ended',
    'event_recorded',
    'delivery_attempted',
    'delivery_ended',
  ])
  expect(json.timeline[3].summary).toBe(`hold of USDT ${amount}`)
})

test('a settlement by hand and a difference are on the time line, with who did what and why', async () => {
  const payout = await wronglyPaid(api, tenant)
  const at = `${payouts}/${payout.id}`
  const found = foundDifference(idSource(randomBytes), {
    kind: 'not_completed',
    tenantId: tenant.id,
    subject: payout.id,
    detail: 'paid 90',
  })
  await api.stores.differences.record([found], api.clock.now())
  await api.operator('POST', `${at}/query`)
  const proposed = (await api.operator('POST', `${at}/settle`, settlement)).json
  const approve = `${api.operatorUrl}/operator/v1/proposals/${proposed.id}/approve`
  expect((await sendRequest(approve, 'POST', { token: 'operators' })).status).toBe(200)
  const { json } = await read(at)
  expect(json.proposals).toMatchObject([{ id: proposed.id, status: 'executed' }])
  expect(json.differences).toMatchObject([{ id: found.id, detail: 'paid 90' }])
  const decisions = json.timeline.filter(({ kind }: Json) => /operator|difference/.test(kind))
  expect(decisions.map(({ summary }: Json) => summary)).toEqual(
    expect.arrayContaining([
      `${found.check} ${found.kind}: paid 90`,
      `proposal.open ${proposed.id}: ${settlement.reason}`,
      `proposal.approve ${proposed.id}`,
    ]),
  )
  expect(new Set(decisions.map(({ actor }: Json) => actor))).toEqual(new Set([null, 'olivia', 'omar']))
})
