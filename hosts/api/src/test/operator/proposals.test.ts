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
