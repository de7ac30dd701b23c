import { cancelling } from '@quipu/core'
import { expect, onTestFinished, test } from 'vitest'
import { hangingPayout } from '../harness/hanging-payout.fixture.ts'
import { testApi } from '../harness/api.fixture.ts'
import { type Reply, sendRequest } from '../harness/http-client.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'

const api = useTestApi('each')

const network = '/operator/v1/network'
const reason = 'The network has moved.'
const by =
  (token: string) =>
  (method: string, path: string, body?: unknown): Promise<Reply> =>
    sendRequest(api.operatorUrl + path, method, { token, body })
const [omar, victor] = [by('operators'), by('viewers')]

test('another network than the database’s resolves, pays and asks nothing until an admin confirms it', async () => {
  const tenant = await api.tenant()
  await api.stores.networks.meet('https://before.example')
  const resolve = { content: 'a QR' }
  expect(await tenant.post('/v1/payouts/qr/resolve', resolve)).toMatchObject({
    status: 503,
    json: { error: { code: 'NETWORK_UNAVAILABLE' } },
  })
  expect((await victor('GET', '/operator/v1/faults')).json.data).toMatchObject([
    { code: 'NETWORK_CHANGED', subject: 'memory' },
  ])
  const { status, json } = await victor('GET', network)
  expect(status).toBe(200)
  expect(json).toMatchObject({
    identity: 'https://before.example',
    confirmed_by: null,
    reason: null,
    halts: [{ identity: 'memory', payout_id: null }],
    configured: { identity: 'memory', capabilities: { unpaid_proof: 'cancel', unpaid_after_seconds: null } },
  })

  const confirmation = { identity: 'memory', reason }
  expect((await omar('POST', `${network}/confirm`, confirmation)).json.error.code).toBe('ROLE_REQUIRED')
  expect(await api.operator('POST', `${network}/confirm`, confirmation)).toMatchObject({
    status: 200,
    json: { identity: 'memory', reason, halts: [] },
  })
  api.clock.step(5_000)
  expect(await tenant.post('/v1/payouts/qr/resolve', resolve)).toMatchObject({
    status: 422,
    json: { error: { code: 'QR_REFUSED' } },
  })
  expect((await victor('GET', '/operator/v1/faults')).json.data).toEqual([])
  const [entry] = (await api.operator('GET', '/operator/v1/audit-log?subject=network')).json.data
  expect(entry).toMatchObject({
    action: 'network.confirm',
    before: { identity: 'https://before.example' },
    after: { identity: 'memory', reason },
  })
})

test('a network that cannot cancel refuses to; the payout in doubt has the text for its support', async () => {
  const capabilities = { ...cancelling, unpaidProof: { by: 'people' } } as const
  const without = await testApi({}, undefined, undefined, capabilities)
  onTestFinished(() => without.stop())
  const { json } = await without.operator('GET', network)
  expect(json.configured).toMatchObject({ identity: 'memory', capabilities: { unpaid_proof: 'people' } })

  const { id } = await hangingPayout(without, await without.tenant(), 'sending')
  expect(await without.operator('POST', `/operator/v1/payouts/${id}/cancel`)).toMatchObject({
    status: 409,
    json: { error: { code: 'NETWORK_CANNOT_CANCEL' } },
  })
  const history = (await without.operator('GET', `/operator/v1/payouts/${id}`)).json
  expect(history.payout.status).toBe('processing')
  expect(history.network_case.es).toContain(`Nuestro id de transacción: ${id}\n`)
  expect(history.network_case.es).toMatch(/: orden de pago: sin respuesta válida \(/)
})
