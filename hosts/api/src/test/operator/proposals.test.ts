import { beforeEach, expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { type Reply, sendRequest } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant
beforeEach(async () => {
  tenant = await api.tenant({ funds: 0n })
})

const proposals = '/operator/v1/proposals'
const outcome = ({ status, code }: Reply) => [status, code]
const available = async (): Promise<string> => (await tenant.get('/v1/wallets')).json.available
const balanced = async (): Promise<boolean> => (await tenant.get('/v1/wallets/reconciliation')).json.balanced

/** Olivia is an admin, Omar an operator, Victor a viewer. */
const olivia = (method: string, path: string, body?: unknown) => api.operator(method, path, body)
const by =
  (token: string) =>
  (method: string, path: string, body?: unknown): Promise<Reply> =>
    sendRequest(api.operatorUrl + path, method, { token, body })
const [omar, victor] = [by('operators'), by('viewers')]

const credit = { direction: 'in', amount: '5.00', reason: 'Fee charged twice.' }
const adjust = (as: typeof omar, body: object = credit) =>
  as('POST', `/operator/v1/tenants/${tenant.id}/adjustments`, body)
const step = (as: typeof omar, id: string, name: 'approve' | 'withdraw' | 'execute') =>
  as('POST', `${proposals}/${id}/${name}`)
const auditOf = async (): Promise<readonly (readonly [string | null, string])[]> => {
  const rows = await api.stores.audit.list({ tenantId: tenant.id, limit: 100 })
  return rows.map(({ actor, action }) => [actor, action] as const)
}

test('the same adjustment with the same Idempotency-Key is one, also within the approval limit', async () => {
  const lenient = await testApi({ APPROVAL_LIMIT_USDT: '5' })
  const other = await lenient.tenant({ funds: 0n })
  const path = `/operator/v1/tenants/${other.id}/adjustments`
  const send = (body: object, key: string) =>
    sendRequest(lenient.operatorUrl + path, 'POST', { token: 'operators', body, headers: { 'Idempotency-Key': key } })
  const replies = await Promise.all([1, 2, 3].map(() => send(credit, 'lost answer')))
  expect(replies.map(({ status, json }) => [status, json.status])).toEqual(replies.map(() => [200, 'executed']))
  expect(new Set(replies.map(({ json }) => json.id)).size).toBe(1)
  const replayed = replies.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true')
  expect(replayed).toHaveLength(2)
  expect((await other.get('/v1/wallets')).json.available).toBe('5.000000')
  const changed = await send({ ...credit, amount: '4.00' }, 'lost answer')
  expect(outcome(changed)).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
  const empty = await send(credit, '')
  expect([empty.status, empty.json.error.details[0].field]).toEqual([400, 'Idempotency-Key'])
  await send(credit, 'another')
  expect((await other.get('/v1/wallets')).json.available).toBe('10.000000')
  await lenient.stop()
})

test('one operator proposes an adjustment, another one approves it, and the money moves once', async () => {
  const evidence = { note: 'Statement of 20 November.', digest: 'a'.repeat(64) }
  const proposed = await adjust(omar, { ...credit, evidence })
  expect(proposed.status).toBe(202)
  expect(proposed.json).toMatchObject({
    tenant_id: tenant.id,
    action: 'adjust_wallet',
    subject: tenant.id,
    evidence,
    details: { direction: 'in', amount: '5.000000' },
    status: 'open',
    proposed_by: 'omar',
    reason: 'Fee charged twice.',
    approved_by: null,
    created_at: '2026-03-02T12:00:00.000Z',
    expires_at: '2026-03-05T12:00:00.000Z',
  })
  const { id } = proposed.json
  expect(await available()).toBe('0.000000')
  const approved = await step(olivia, id, 'approve')
  expect(approved.json).toMatchObject({ status: 'executed', approved_by: 'olivia', failure: null })
  expect(await available()).toBe('5.000000')
  for (const name of ['approve', 'execute'] as const) expect((await step(olivia, id, name)).json).toEqual(approved.json)
  expect((await victor('GET', `${proposals}/${id}`)).json).toEqual(approved.json)
  expect(outcome(await step(olivia, id, 'withdraw'))).toEqual([409, 'PROPOSAL_NOT_OPEN'])
  expect(await available()).toBe('5.000000')
  expect(await balanced()).toBe(true)
  expect((await auditOf()).slice(0, 3)).toEqual([
    ['omar', 'wallet.adjust'],
    ['olivia', 'proposal.approve'],
    ['omar', 'proposal.open'],
  ])
})

test('an own approval is refused with 403 and an audit row, for an admin as well', async () => {
  for (const [as, actor] of [
    [omar, 'omar'],
    [olivia, 'olivia'],
  ] as const) {
    const { id } = (await adjust(as)).json
    expect(outcome(await step(as, id, 'approve'))).toEqual([403, 'OWN_PROPOSAL'])
    expect(outcome(await step(as, id, 'execute'))).toEqual([409, 'PROPOSAL_NOT_APPROVED'])
    await expect
      .poll(async () => (await api.stores.audit.list({ subject: id, limit: 1 }))[0])
      .toMatchObject({
        actor,
        action: 'operator.refuse',
        tenantId: tenant.id,
        after: { method: 'POST', path: `${proposals}/${id}/approve` },
      })
  }
  expect(await available()).toBe('0.000000')
})

test('who could approve a proposal rejects it with a reason, which is final and recorded', async () => {
  const { id } = (await adjust(omar)).json
  const reject = (as: typeof omar, body: object = { reason: 'The evidence is of another day.' }) =>
    as('POST', `${proposals}/${id}/reject`, body)
  expect(outcome(await reject(victor))).toEqual([403, 'ROLE_REQUIRED'])
  expect(outcome(await reject(omar))).toEqual([403, 'OWN_PROPOSAL'])
  expect(outcome(await reject(olivia, {}))).toEqual([400, 'VALIDATION_FAILED'])
  const rejected = await reject(olivia)
  expect(rejected.json).toMatchObject({
    status: 'rejected',
    rejected_by: 'olivia',
    reject_reason: 'The evidence is of another day.',
  })
  for (const name of ['approve', 'withdraw'] as const)
    expect(outcome(await step(olivia, id, name))).toEqual([409, 'PROPOSAL_NOT_OPEN'])
  expect(outcome(await reject(olivia))).toEqual([409, 'PROPOSAL_NOT_OPEN'])
  expect((await omar('GET', `${proposals}/${id}`)).json).toEqual(rejected.json)
  expect((await auditOf())[0]).toEqual(['olivia', 'proposal.reject'])
  expect(await available()).toBe('0.000000')
})

test('list and proposal show the tenant’s name, and the present value beside the new one', async () => {
  const { id } = (await adjust(omar, { ...credit, direction: 'out' })).json
  const path = `/operator/v1/tenants/${tenant.id}`
  const { legal_name: name } = (await olivia('GET', path)).json
  const shown = { tenant_name: name, present: { available: '0.000000' } }
  expect((await victor('GET', `${proposals}/${id}`)).json).toMatchObject(shown)
  expect((await victor('GET', proposals)).json.data).toMatchObject([
    { id, ...shown, summary: 'amount 5.000000, direction out, available 0.000000' },
  ])
})

test('the start of payouts and a case of screening are shown beside what they end', async () => {
  await olivia('POST', '/operator/v1/payouts/stop', { reason: 'The network pays twice.' })
  const list = { list: 'own', version: '1', reason: 'stolen' }
  const hit = { kind: 'merchant', outcome: 'listed', subject: 'acme', name: 'Acme', hits: 1 } as const
  const caseId = 'scr_01K6HZ8M00000000000000000A'
  await api.stores.screeningCases.hit(caseId, { ...hit, ...list, tenantId: tenant.id, reference: null })
  const body = { reason: 'Another person.', evidence: { note: 'Their passport.', digest: '0'.repeat(64) } }
  const started = await omar('POST', '/operator/v1/payouts/start', body)
  const decided = await omar('POST', `/operator/v1/screening-cases/${caseId}/decide`, { ...body, decision: 'cleared' })
  expect(started.json.present).toEqual({ stopped_at: expect.any(String), because: 'The network pays twice.' })
  expect(decided.json).toMatchObject({
    present: { decision: 'open' },
    summary: expect.stringMatching(/^decision open → cleared/),
  })
})
