import { createHmac } from 'node:crypto'
import { Unavailable } from '@quipu/core'
import { callbackToleranceSeconds } from '@quipu/qr-network'
import { beforeEach, expect, test } from 'vitest'
import { callbackSecret } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'

const api = useTestApi('each')
let hinted: string[]

beforeEach(async () => {
  hinted = []
  api.stores.payouts.hint = async (id) => void hinted.push(id)
})

const reference = 'po_01K6HZ8M00000000000000000A'
const hint = JSON.stringify({ event_id: '1', reference, outcome: 'paid', occurred_at: 'now' })

function signed(body: string, ageSeconds = 0, secret = callbackSecret): Record<string, string> {
  const t = Math.floor(api.clock.now().getTime() / 1000) - ageSeconds
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  return { 'X-Network-Signature': `t=${t},v1=${v1}` }
}

const send = (raw: string, headers: Record<string, string>) =>
  api.request('POST', '/network/callbacks', { raw, headers })

test('a signed callback makes the payout due: 204', async () => {
  const reply = await send(hint, signed(hint))
  expect([reply.status, reply.json]).toEqual([204, undefined])
  expect(hinted).toEqual([reference])
})

test('the signature covers the raw bytes of any content type', async () => {
  const spaced = `  ${hint} `
  const headers = { ...signed(spaced), 'Content-Type': 'text/plain' }
  expect((await send(spaced, headers)).status).toBe(204)
})

test.each([
  ['without a signature', () => ({})],
  ['signed by another', () => signed(hint, 0, 'another secret')],
  ['of other bytes', () => signed(`${hint} `)],
  [`older than ${callbackToleranceSeconds} s`, () => signed(hint, callbackToleranceSeconds + 1)],
  ['from the future', () => signed(hint, -callbackToleranceSeconds - 1)],
])('a callback %s: 401, and no payout becomes due', async (_, headers) => {
  const reply = await send(hint, headers())
  expect([reply.status, reply.code]).toEqual([401, 'AUTHENTICATION_FAILED'])
  expect(hinted).toEqual([])
})

test('a callback during a store outage is dropped: 204', async () => {
  api.stores.payouts.hint = async () => {
    throw new Unavailable('store', 'gone')
  }
  expect((await send(hint, signed(hint))).status).toBe(204)
  await api.settled()
  expect(api.lines()).toContainEqual(expect.objectContaining({ level: 'error' }))
})

test('a callback above 64 KiB is a 413', async () => {
  expect((await send('x'.repeat(65_537), {})).status).toBe(413)
})

test('a callback about an ended payout queries the network once, and a contradiction is one difference', async () => {
  const tenant = await api.tenant()
  const { json } = await tenant.post('/v1/payouts', await tenant.order())
  expect(json.status).toBe('completed')
  const asked: string[] = []
  api.network.status = async (of) => {
    asked.push(of)
    return { type: 'refused_payment' }
  }
  const body = JSON.stringify({ reference: json.id, outcome: 'refused_payment' })
  const differences = async () => (await api.stores.differences.list({ limit: 9 })).items
  for (let times = 0; times < 5; times++) {
    expect((await send(body, signed(body))).status).toBe(204)
    await api.settled()
  }
  expect(asked).toEqual([json.id])
  expect(await differences()).toMatchObject([
    { check: 'network', kind: 'contradicts', subject: json.id, detail: 'completed, then refused_payment' },
  ])
  const [{ change } = { change: 0n }] = await differences()
  api.clock.step(61_000)
  await send(body, signed(body))
  await api.settled()
  expect(asked).toEqual([json.id, json.id])
  expect(await api.stores.differences.listChanged(change, new Date(), 9)).toEqual([])
  expect((await tenant.get(`/v1/payouts/${json.id}`)).json.status).toBe('completed')
})
