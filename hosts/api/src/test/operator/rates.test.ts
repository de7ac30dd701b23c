import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { type Reply, sendRequest } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant
beforeEach(async () => {
  tenant = await api.tenant()
})

const rates = '/operator/v1/rates'
const reason = 'The sources are wrong.'
const by =
  (token: string) =>
  (method: string, path: string, body?: unknown): Promise<Reply> =>
    sendRequest(api.operatorUrl + path, method, { token, body })
const [omar, victor] = [by('operators'), by('viewers')]
const metrics = async (): Promise<string> => {
  const headers = { Authorization: 'Bearer viewers' }
  return (await fetch(`${api.operatorUrl}/metrics`, { headers })).text()
}
const newQuote = () => tenant.post('/v1/quotes', { target: { currency: 'BOB', amount: '100.00' } })

test('while quoting is paused a new quote gets 503, and one that exists is paid', async () => {
  const quote = (await newQuote()).json
  const paused = await omar('POST', `${rates}/pause`, { reason })
  const at = '2026-03-02T12:00:00.000Z'
  const quoting = { status: 'paused', changed_by: 'omar', changed_at: at, reason }
  expect([paused.status, paused.json]).toEqual([200, quoting])
  const refused = await newQuote()
  expect([refused.status, refused.code]).toEqual([503, 'RATE_UNAVAILABLE'])
  expect(await metrics()).toContain('quipu_quoting_paused 1\n')
  expect((await victor('GET', rates)).json).toMatchObject({ quoting, rate: { bid: '9.9500' } })

  api.clock.step(1_000)
  const again = await api.operator('POST', `${rates}/pause`, { reason: 'Another.' })
  expect(again.json).toEqual(quoting)
  const stored = await tenant.get(`/v1/quotes/${quote.id}`)
  expect(stored.json).toMatchObject({ status: 'open' })

  const resumed = await omar('POST', `${rates}/resume`)
  expect(resumed.json).toMatchObject({ status: 'open', changed_by: 'omar', reason: null })
  expect((await newQuote()).status).toBe(201)
  const log = (await api.operator('GET', '/operator/v1/audit-log?subject=quoting')).json.data
  expect(log.map(({ action, actor, after }: Reply['json']) => [action, actor, after])).toEqual([
    ['quoting.resume', 'omar', { status: 'open' }],
    ['quoting.pause', 'omar', { status: 'paused', reason }],
  ])
})
