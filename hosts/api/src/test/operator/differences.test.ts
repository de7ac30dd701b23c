import { addressDifference, foundDifference } from '@quipu/contracts'
import { idSource } from '@quipu/core'
import type { FoundDifference } from '@quipu/core/operator'
import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { type Reply, sendRequest } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant
beforeEach(async () => {
  tenant = await api.tenant({ funds: 0n })
})

const differences = '/operator/v1/differences'
const ids = idSource(randomBytes)
const outcome = ({ status, code }: Reply) => [status, code]

const by =
  (token: string) =>
  (method: string, path: string, body?: unknown): Promise<Reply> =>
    sendRequest(api.operatorUrl + path, method, { token, body })
const [omar, victor] = [by('operators'), by('viewers')]
const olivia = (method: string, path: string, body?: unknown) => api.operator(method, path, body)

/** Records one of a tenant's top-up address, or one of no tenant. */
async function record(over: Partial<FoundDifference> = {}, of?: TestTenant): Promise<string> {
  const found = of
    ? await addressDifference({ ids, ...api.stores }, of.id, over)
    : foundDifference(ids, { subject: ids.next('po', api.clock.now()), ...over })
  await api.stores.differences.record([found], api.clock.now())
  api.clock.step(1)
  return found.id
}

/** An executed adjustment of this tenant. */
async function adjusted(of: TestTenant): Promise<string> {
  const body = { direction: 'in', amount: '5.00', reason: 'Fee charged twice.' }
  const proposed = await omar('POST', `/operator/v1/tenants/${of.id}/adjustments`, body)
  await olivia('POST', `/operator/v1/proposals/${proposed.json.id}/approve`)
  return proposed.json.id
}

const close = (as: typeof omar, id: string, body: object = { reason: 'Explained.' }) =>
  as('POST', `${differences}/${id}/close`, body)

test('a difference has its amounts and instants; an operator closes it once, with an audit entry', async () => {
  const id = await record({}, tenant)
  const { json } = await victor('GET', `${differences}/${id}`)
  expect(json).toEqual({
    id,
    check: 'chain',
    kind: 'short',
    status: 'open',
    tenant_id: tenant.id,
    subject: expect.stringMatching(/^T/),
    detail: 'paid 95.00 BOB instead of 100.00 BOB: -5.00 BOB off',
    expected: { currency: 'BOB', amount: '100.00' },
    found: { currency: 'BOB', amount: '95.00' },
    found_at: '2026-03-02T12:00:00.000Z',
    last_seen_at: '2026-03-02T12:00:00.000Z',
    gone_at: null,
    closed_by: null,
    closed_at: null,
    close_reason: null,
    adjustment_proposal_id: null,
  })
  const closed = await close(omar, id)
  expect(closed.json).toEqual({
    ...json,
    status: 'closed',
    closed_by: 'omar',
    close_reason: 'Explained.',
    closed_at: '2026-03-02T12:00:00.001Z',
  })
  expect((await close(omar, id)).json).toEqual(closed.json)
  expect((await victor('GET', `${differences}/${id}`)).json).toEqual(closed.json)
  expect(outcome(await close(olivia, id))).toEqual([409, 'DIFFERENCE_NOT_OPEN'])
  expect(outcome(await close(omar, id, { reason: 'Other.' }))).toEqual([409, 'DIFFERENCE_NOT_OPEN'])
  const audit = await api.stores.audit.list({ subject: id, limit: 9 })
  expect(audit).toMatchObject([{ actor: 'omar', action: 'difference.close', tenantId: tenant.id, subject: id }])
})

test('the proposal that corrected it must be executed, and of the same tenant', async () => {
  const id = await record({}, tenant)
  const other = await api.tenant({ funds: 0n })
  const adjustment = { direction: 'in', amount: '5.00', reason: 'Fee charged twice.' }
  const path = `/operator/v1/tenants/${tenant.id}/adjustments`
  const open: string = (await omar('POST', path, adjustment)).json.id
  const closeBy = (proposal: string, of = id) =>
    close(omar, of, { reason: 'Adjusted.', adjustment_proposal_id: proposal })
  const [foreign, own] = [await adjusted(other), await adjusted(tenant)]
  const none = 'prp_01K6HZ8M00000000000000000A'
  expect(outcome(await closeBy(none))).toEqual([404, 'PROPOSAL_NOT_FOUND'])
  expect(outcome(await closeBy(open))).toEqual([409, 'PROPOSAL_NOT_EXECUTED'])
  expect(outcome(await closeBy(foreign))).toEqual([409, 'PROPOSAL_OF_ANOTHER_TENANT'])
  const ofAll = await record()
  expect(outcome(await closeBy(own, ofAll))).toEqual([409, 'PROPOSAL_OF_ANOTHER_TENANT'])
  const closed = await closeBy(own)
  expect(closed.json).toMatchObject({ status: 'closed', adjustment_proposal_id: own })
  const [entry] = await api.stores.audit.list({ subject: id, limit: 1 })
  expect(entry?.after).toMatchObject({ reason: 'Adjusted.', proposal_id: own })
})
