import { beforeEach, expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { otherWallet, ownWallet } from '../harness/chain.fixture.ts'
import type { Reply } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant({ funds: 0n })
})

const path = '/v1/sandbox/faucet'
const body = { chain: 'tron', address: ownWallet, amount: '100.00' }
let keys = 0

const ask = (over: object = {}, key: string | undefined = `attempt-${++keys}`, by = tenant) =>
  by.post(path, { ...body, ...over }, { headers: { 'Idempotency-Key': key } })
const outcome = ({ status, code }: Reply) => [status, code]
const fieldsOf = ({ json }: Reply): string[] => json.error.details.map(({ field }: { field: string }) => field)

test('spec §2 Faucet record — 201 with exactly these members', async () => {
  const reply = await ask()
  expect(reply.status).toBe(201)
  expect(Object.keys(reply.json)).toEqual([
    'id',
    'status',
    'chain',
    'address',
    'amount',
    'tx_hash',
    'created_at',
    'remaining_today',
    'replayed',
  ])
  expect(reply.json).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    status: 'submitted',
    chain: 'tron',
    address: ownWallet,
    amount: '100.000000',
    tx_hash: api.faucet.sent[0]?.txHash,
    created_at: '2026-03-02T12:00:00.000Z',
    remaining_today: '900.000000',
    replayed: false,
  })
})

test('the same key with the members in another order is the same request, with another body a 409', async () => {
  const first = await ask({}, 'once')
  const { chain, address, amount } = body
  const headers = { 'Idempotency-Key': 'once' }
  const again = await tenant.post(path, { amount, address, chain }, { headers })
  expect(again.json).toEqual({ ...first.json, replayed: true })
  for (const over of [{ amount: '100' }, { address: otherWallet }, { amount: '5000' }])
    expect(outcome(await ask(over, 'once'))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
  expect(api.faucet.sent).toHaveLength(1)
})

test('spec §4 — the header Idempotency-Key is required: 400 names it', async () => {
  const reply = await tenant.post(path, body)
  expect([reply.status, fieldsOf(reply)]).toEqual([400, ['Idempotency-Key']])
  expect(fieldsOf(await ask({}, ''))).toEqual(['Idempotency-Key'])
})

test.each([
  ['255 characters', '~'.repeat(255)],
  ['12,000 characters', '~'.repeat(12_000)],
  ['words', 'attempt 1 of 2'],
  ['a list', 'a, b'],
  ['letters beyond ASCII', 'Íñigo'],
])('spec §4 — any string is a key: %s', async (_, key) => {
  const first = await ask({}, key)
  expect(first.status).toBe(201)
  expect((await ask({}, key)).json).toEqual({ ...first.json, replayed: true })
})

test('spec §8 — 60 seconds between requests: sooner is a 429 that says when', async () => {
  await ask()
  api.clock.step(59_001)
  const soon = await ask()
  expect([...outcome(soon), soon.headers.get('retry-after')]).toEqual([429, 'FAUCET_TOO_SOON', '1'])
  api.clock.step(999)
  expect((await ask()).status).toBe(201)
})

test('without tokens or fees: 503 FAUCET_EMPTY, and the request does not count', async () => {
  api.faucet.hasTokens = false
  const empty = await ask({}, 'later')
  expect([...outcome(empty), empty.headers.get('retry-after')]).toEqual([503, 'FAUCET_EMPTY', '60'])
  api.faucet.hasTokens = true
  expect((await ask({}, 'later')).json).toMatchObject({ replayed: false, remaining_today: '900.000000' })
})

test('GET /v1/sandbox/faucet/{id} shows the send’s current state', async () => {
  const { id, remaining_today: _, replayed: __, ...shown } = (await ask()).json
  const at = `${path}/${id}`
  const read = await tenant.get(at)
  expect([read.status, read.json]).toEqual([200, { id, ...shown }])
  expect((await tenant.get(`${path}/${id.toUpperCase()}`)).json).toEqual(read.json)
  for (const status of ['confirmed', 'failed'] as const) {
    api.clock.step(60_000)
    const sent = (await ask({}, status)).json
    api.clock.step(15_000)
    for (const { claim, send } of await api.stores.faucet.claimDue(10, 60))
      if (send.id === sent.id) await api.stores.faucet.settle(claim, status)
    expect((await tenant.get(`${path}/${sent.id}`)).json).toMatchObject({ id: sent.id, status })
    expect((await ask({}, status)).json).toMatchObject({ status: 'submitted', replayed: true })
  }
})

test('production has no faucet, nor has a sandbox without a chain', async () => {
  for (const closed of [await testApi({ ENVIRONMENT: 'production' }), await testApi({}, {})]) {
    const by = await closed.tenant()
    expect(outcome(await ask({}, undefined, by))).toEqual([404, 'NOT_FOUND'])
    await closed.stop()
  }
})
