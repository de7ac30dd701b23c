import { beforeEach, expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { faucetAddress, otherWallet, ownWallet, zeroAddress } from '../harness/chain.fixture.ts'
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

test('spec §4 — a retry with the same key replays the first answer and sends nothing', async () => {
  const first = await ask({}, 'once')
  api.clock.step(3_600_000)
  const [claimed] = await api.stores.faucet.claimDue(1, 60)
  if (claimed) await api.stores.faucet.settle(claimed.claim, 'confirmed')
  const again = await ask({}, 'once')
  expect([again.status, again.json]).toEqual([201, { ...first.json, replayed: true }])
  expect(api.faucet.sent).toHaveLength(1)
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

test('spec §8 — 100.00 per request: one micro-USDT more is a 422', async () => {
  expect(outcome(await ask({ amount: '100.000001' }, 'large'))).toEqual([422, 'FAUCET_AMOUNT_TOO_LARGE'])
  expect((await ask({ amount: '100.000000' }, 'large')).status).toBe(201)
})

test('spec §4 — never to a top-up address of any tenant, retired ones too', async () => {
  const other = await api.tenant()
  const addressOf = async (by: TestTenant): Promise<string> =>
    (await by.get('/v1/wallets')).json.top_up_addresses[0].address
  const [mine, retired] = [await addressOf(tenant), await addressOf(other)]
  await api.operator('POST', `/operator/v1/tenants/${other.id}/top-up-addresses/rotate`)
  const theirs = await addressOf(other)
  for (const address of [mine, theirs, retired])
    expect(outcome(await ask({ address }))).toEqual([422, 'TOP_UP_ADDRESS_NOT_ALLOWED'])
  expect(api.faucet.sent).toEqual([])
})

test('the zero address and the faucet’s own wallet are refused by the name of the field', async () => {
  for (const address of [zeroAddress, faucetAddress]) {
    const refused = await ask({ address })
    expect(outcome(refused)).toEqual([422, 'RECIPIENT_NOT_ALLOWED'])
    expect(refused.json.error.message).toContain('`address`')
  }
  expect(api.faucet.sent).toEqual([])
})

test('spec §8 — 60 seconds between requests: sooner is a 429 that says when', async () => {
  await ask()
  api.clock.step(59_001)
  const soon = await ask()
  expect([...outcome(soon), soon.headers.get('retry-after')]).toEqual([429, 'FAUCET_TOO_SOON', '1'])
  api.clock.step(999)
  expect((await ask()).status).toBe(201)
})

test('spec §8 — a daily total shared by all tenants', async () => {
  const small = await testApi({ FAUCET_SHARED_LIMIT: '150' })
  const [one, another] = [await small.tenant(), await small.tenant()]
  expect((await ask({}, undefined, one)).status).toBe(201)
  expect(outcome(await ask({ address: otherWallet }, undefined, another))).toEqual([429, 'FAUCET_LIMIT_EXCEEDED'])
  expect((await ask({ address: otherWallet, amount: '50' }, undefined, another)).status).toBe(201)
  await small.stop()
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
