import { beforeEach, expect, test } from 'vitest'
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
const omar = by('operators')

const credit = { direction: 'in', amount: '5.00', reason: 'Fee charged twice.' }
const adjust = (as: typeof omar, body: object = credit) =>
  as('POST', `/operator/v1/tenants/${tenant.id}/adjustments`, body)
const step = (as: typeof omar, id: string, name: 'approve' | 'withdraw' | 'execute') =>
  as('POST', `${proposals}/${id}/${name}`)

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
