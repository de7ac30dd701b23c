import type { Deposit } from '@quipu/core'
import { auditEntries, eventsAbout } from '@quipu/contracts'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { depositMaker, type DepositOptions } from '../harness/deposits.fixture.ts'
import { sendRequest, type Json, type Reply } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each', { APPROVAL_LIMIT_USDT: '1000' })
let tenant: TestTenant
let make: (options?: Partial<DepositOptions>) => Promise<Deposit>

beforeEach(async () => {
  tenant = await api.tenant({ funds: 0n })
  await tenant.get('/v1/wallets')
  const makeDeposit = depositMaker(api.stores, api.clock.now)
  make = (options = {}) => {
    api.clock.step(1_000)
    return makeDeposit({ tenantId: tenant.id, value: 500_000n, ...options })
  }
})

const deposits = '/operator/v1/deposits'
const outcome = ({ status, code }: Reply) => [status, code]
const credit = (id: string, body: unknown = { reason: 'The sender is known.' }) =>
  api.operator('POST', `${deposits}/${id}/credit`, body)
const close = (id: string, body: unknown = { reason: 'Returned to the sender.' }) =>
  api.operator('POST', `${deposits}/${id}/close`, body)
const as = (token: string, method: string, path: string, body?: unknown) =>
  sendRequest(api.operatorUrl + path, method, { token, body })
const available = async (): Promise<string> => (await tenant.get('/v1/wallets')).json.available

async function eventsOf(id: string): Promise<Json[]> {
  const events = await eventsAbout(api.stores, tenant.id, id)
  return events.map(({ body }): Json => JSON.parse(new TextDecoder().decode(body)))
}

test('spec §3 — an operator credits a deposit in review, and deposit.credited follows', async () => {
  const { id } = await make()
  api.clock.step(60_000)
  const reply = await credit(id)
  expect(reply.status).toBe(200)
  expect(reply.json).toMatchObject({
    id,
    tenant_id: tenant.id,
    status: 'credited',
    review_code: null,
    credited_at: '2026-03-02T12:01:01.000Z',
    closed: null,
  })
  expect(await available()).toBe('0.500000')
  const events = await eventsOf(id)
  expect(events.map(({ type }) => type)).toEqual(['deposit.pending', 'deposit.in_review', 'deposit.credited'])
  expect(events.at(-1)).toMatchObject({
    event_version: 1,
    occurred_at: '2026-03-02T12:01:01.000Z',
    data: (await tenant.get(`/v1/deposits/${id}`)).json,
  })
  expect((await tenant.get('/v1/wallets/reconciliation')).json.balanced).toBe(true)
  expect((await auditEntries(api.stores.audit, { subject: id, limit: 10 }))[0]).toMatchObject({
    actor: 'olivia',
    action: 'deposit.credit',
    before: { status: 'in_review', review_code: 'AMOUNT_BELOW_MINIMUM' },
    after: { status: 'credited', amount: '0.500000', credited_reason: 'The sender is known.' },
  })
})

test('a review is closed with a reason; the tenant still sees in_review, with time and reason', async () => {
  const { id } = await make()
  const before = (await tenant.get(`/v1/deposits/${id}`)).json
  const reply = await close(id)
  expect(before).toMatchObject({ closed_at: null, close_reason: null })
  const { closed_at: _, close_reason: __, ...members } = before
  expect(reply.json).toEqual({
    ...members,
    tenant_id: tenant.id,
    closed: { at: '2026-03-02T12:00:01.000Z', actor: 'olivia', reason: 'Returned to the sender.' },
  })
  const after = (await tenant.get(`/v1/deposits/${id}`)).json
  expect(after).toEqual({ ...before, closed_at: '2026-03-02T12:00:01.000Z', close_reason: 'Returned to the sender.' })
  expect((await tenant.get('/v1/deposits')).json.data).toEqual([after])
  expect(JSON.stringify(after)).not.toContain('olivia')
  expect((await eventsOf(id)).slice(2)).toMatchObject([
    { type: 'deposit.closed', occurred_at: '2026-03-02T12:00:01.000Z', data: after },
  ])
  expect(await available()).toBe('0.000000')
  for (const again of [await close(id), await credit(id)])
    expect(outcome(again)).toEqual([409, 'DEPOSIT_ALREADY_RESOLVED'])
})

test('a return needs a second person and evidence, and its transaction returns one deposit', async () => {
  const [first, second] = [await make(), await make()]
  const body = {
    to_address: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA',
    tx_hash: '5e'.repeat(32),
    reason: 'Returned.',
    evidence: { note: 'Block explorer.', digest: 'ab'.repeat(32) },
  }
  const sendBack = (id: string, sent: unknown = body) => api.operator('POST', `${deposits}/${id}/return`, sent)
  const { evidence: _, ...without } = body
  expect(outcome(await sendBack(first.id, without))).toEqual([400, 'VALIDATION_FAILED'])
  const wrong = await sendBack(first.id, { ...body, to_address: 'T1', tx_hash: 'AB' })
  expect(wrong.json.error.details.map(({ field }: { field: string }) => field)).toEqual(['to_address', 'tx_hash'])
  const approve = async (proposal: Reply) => {
    expect(proposal.status).toBe(202)
    const path = `/operator/v1/proposals/${proposal.json.id}/approve`
    return (await as('operators', 'POST', path)).json
  }
  expect((await approve(await sendBack(first.id))).status).toBe('executed')
  expect((await tenant.get(`/v1/deposits/${first.id}`)).json).toMatchObject({
    status: 'in_review',
    close_reason: 'Returned.',
  })
  expect(await approve(await sendBack(second.id))).toMatchObject({
    status: 'failed',
    failure: 'TRANSACTION_ALREADY_RECORDED',
  })
  expect((await tenant.get(`/v1/deposits/${second.id}`)).json.closed_at).toBeNull()
  expect(outcome(await sendBack(first.id))).toEqual([409, 'DEPOSIT_ALREADY_RESOLVED'])
  expect(await available()).toBe('0.000000')
})
