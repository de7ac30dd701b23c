import { defaultFaucetLimits } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { ownWallet } from '../harness/chain.fixture.ts'
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
const outcome = ({ status, code, headers }: Reply) => [status, code, headers.get('retry-after')]
const fieldsOf = ({ json }: Reply): string[] => json.error.details.map(({ field }: { field: string }) => field)

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

test('spec §8 — a request too soon is a 429 that says when', async () => {
  expect((await ask()).json).toMatchObject({ remaining_today: '900.000000' })
  api.clock.step(defaultFaucetLimits.spacingSeconds * 1000 - 999)
  expect(outcome(await ask())).toEqual([429, 'FAUCET_TOO_SOON', '1'])
})
