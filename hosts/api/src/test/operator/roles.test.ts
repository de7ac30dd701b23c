import { operatorOpenApi } from '@quipu/wire'
import { sha256 } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { base64Token } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { type Json, type Reply, sendRequest } from '../harness/http-client.fixture.ts'

const api = useTestApi('each')

const send = (token: string, method: string, path: string, body?: unknown): Promise<Reply> =>
  sendRequest(api.operatorUrl + path, method, { token, body })
const outcome = ({ status, code }: Reply) => [status, code]

const tokens = { viewer: 'viewers', auditor: 'auditors', operator: 'operators' } as const
const secret = 'a-new-token'
const newToken = { label: 'laptop', reason: 'Joined.', hash: sha256(secret), expires_at: '2026-06-01T00:00:00.000Z' }

const auditing = [
  'get /operator/v1/audit-log',
  'get /operator/v1/audit-log/verification',
  'get /operator/v1/operator-tokens',
]
const forAdmins = [
  'patch /operator/v1/api-keys/{id}',
  'post /operator/v1/network/confirm',
  'post /operator/v1/operator-tokens',
  'post /operator/v1/people/{person}/second-factor/remove',
  'post /operator/v1/sweep/batches',
  'post /operator/v1/tenants/{id}/erase-contact',
]
/** Its reply is what is signed. */
const unsigned = 'get /operator/v1/sweep/batches/{id}/unsigned'
/** Operations of every role: a look-up, and those for one's own token, session and second factor. */
const forAll = [
  'post /operator/v1/found-secrets',
  'post /operator/v1/operator-tokens/{id}/revoke',
  'post /operator/v1/second-factor',
  'post /operator/v1/second-factor/confirm',
  'post /operator/v1/sessions/{id}/end',
]

/** Whether the role may never send the operation. */
function isRefused(role: keyof typeof tokens, operation: string): boolean {
  if (role === 'operator') return auditing.includes(operation) || forAdmins.includes(operation)
  if (operation === unsigned) return true
  if (operation.startsWith('get ')) return role === 'viewer' && auditing.includes(operation)
  return !forAll.includes(operation)
}

const operations = Object.entries(
  operatorOpenApi().paths as Readonly<Record<string, Readonly<Record<string, Json>>>>,
).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))

test.each(['viewer', 'auditor', 'operator'] as const)(
  'every operation that the role %s may not send is refused with an audit entry, and no other',
  async (role) => {
    const refused: string[] = []
    for (const operation of operations) {
      const [method = '', path = ''] = operation.split(' ')
      const reply = await send(tokens[role], method.toUpperCase(), path.replaceAll('{id}', 'x'))
      if (reply.code === 'ROLE_REQUIRED') refused.push(operation)
    }
    expect(refused).toEqual(operations.filter((operation) => isRefused(role, operation)))
    const entries = await api.stores.audit.list({ action: 'operator.refuse', limit: 100 })
    expect(entries).toHaveLength(refused.length)
  },
)

test('every operation names an unknown parameter or member', async () => {
  const silent: string[] = []
  for (const operation of operations) {
    const [verb = '', path = ''] = operation.split(' ')
    const [method, at] = [verb.toUpperCase(), path.replaceAll(/[{]\w+[}]/g, 'x')]
    const isRead = method === 'GET' || method === 'DELETE'
    const reply = await api.operator(method, isRead ? `${at}?no_such=1` : at, isRead ? undefined : { no_such: 1 })
    const details: readonly Json[] = reply.json?.error?.details ?? []
    if (reply.status !== 400 || !details.some(({ field }) => field === 'no_such')) silent.push(operation)
  }
  expect(silent).toEqual([])
})

test('a second token of a person does not approve the proposal of the first one', async () => {
  const { id } = await api.tenant()
  const issue = { ...newToken, person: 'olivia', role: 'admin' }
  const issued = await api.operator('POST', '/operator/v1/operator-tokens', issue)
  expect(issued.status).toBe(202)
  const approval = `/operator/v1/proposals/${issued.json.id}/approve`
  expect(outcome(await send(secret, 'POST', approval))).toEqual([401, 'AUTHENTICATION_FAILED'])
  expect(outcome(await send('operators', 'POST', approval))).toEqual([403, 'ROLE_REQUIRED'])
  expect((await send(base64Token, 'POST', approval)).json.status).toBe('executed')
  const adjustment = { direction: 'in', amount: '5.00', reason: 'Fee charged twice.' }
  const path = `/operator/v1/tenants/${id}/adjustments`
  const own = await api.operator('POST', path, adjustment)
  const approve = `/operator/v1/proposals/${own.json.id}/approve`
  expect(outcome(await send(secret, 'POST', approve))).toEqual([403, 'OWN_PROPOSAL'])
})

test('a revoked token is refused at the next request', async () => {
  const issued = await api.operator('POST', '/operator/v1/operator-tokens', {
    ...newToken,
    person: 'victor',
    role: 'viewer',
  })
  const read = () => send(secret, 'GET', '/operator/v1/me')
  expect(await read()).toMatchObject({ status: 200, json: { person: 'victor' } })
  await api.operator('POST', `/operator/v1/operator-tokens/${issued.json.id}/revoke`)
  expect(outcome(await read())).toEqual([401, 'AUTHENTICATION_FAILED'])
})
