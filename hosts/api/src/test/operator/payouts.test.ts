import { randomBytes } from 'node:crypto'
import { idSource } from '@quipu/core'
import { foundDifference } from '@quipu/contracts'
import { ownerClaim } from '@quipu/core/adapter'
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
const idsOf = async (query: string): Promise<string[]> =>
  (await read(`${payouts}${query}`)).json.data.map(({ id }: Json) => id)
const pay = async (of: TestTenant = tenant, scenario?: string): Promise<Json> =>
  (await of.post('/v1/payouts', await of.order({}, scenario ? { scenario } : {}))).json

test('a viewer lists the payouts of all tenants, page by page', async () => {
  const other = await api.tenant()
  const made = []
  for (const payer of [tenant, other, tenant]) {
    api.clock.step(1_000)
    made.unshift((await pay(payer)).id)
  }
  expect(await idsOf('')).toEqual(made)
  expect(await idsOf(`?tenant_id=${other.id}`)).toEqual([made[1]])
  const first = (await read(`${payouts}?limit=2`)).json
  expect(first.data.map(({ id }: Json) => id)).toEqual(made.slice(0, 2))
  expect(first.data[1]).toMatchObject({ tenant_id: other.id, status: 'completed', open: null })
  const rest = (await read(`${payouts}?limit=2&cursor=${first.next_cursor}`)).json
  expect(rest.data.map(({ id }: Json) => id)).toEqual(made.slice(2))
  expect(rest.next_cursor).toBeNull()
})

test('finds payouts that hang, by their age and by their alerts', async () => {
  const late = await pay(tenant, 'late')
  expect(late.status).toBe('processing')
  expect(await idsOf('?status=processing&older_than_seconds=600')).toEqual([])
  api.clock.step(600_000)
  const fresh = await pay(tenant, 'late')
  expect(await idsOf('?status=processing')).toEqual([fresh.id, late.id])
  expect(await idsOf('?status=processing&older_than_seconds=600')).toEqual([late.id])
  expect(await idsOf('?attention=true')).toEqual([])
  const payout = await api.stores.payouts.get(tenant.id, late.id)
  if (payout?.status !== 'processing') throw new Error('the payout is in processing')
  const raised = { NEEDS_OPERATOR: 'the network does not know it' }
  const call = {
    id: 'nwc_01K6HZ8M00000000000000000A',
    kind: 'status',
    ...({ queriedBy: 'worker', actor: null } as const),
    createdAt: api.clock.now(),
    durationMs: 40,
    answer: 'not_seen',
    detail: null,
  } as const
  const given = { dueInSeconds: 60, raised, calls: [call] }
  await api.stores.payouts.yieldClaim(ownerClaim(payout), given)
  const { data } = (await read(`${payouts}?attention=true`)).json
  expect(data).toMatchObject([
    { id: late.id, open: { alerts: [{ code: 'NEEDS_OPERATOR', detail: 'the network does not know it' }] } },
  ])
  const { timeline } = (await read(`${payouts}/${late.id}`)).json
  expect(timeline.at(-1)).toMatchObject({
    kind: 'network_called',
    id: call.id,
    summary: 'status by worker: not_seen after 40 ms',
  })
})

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
