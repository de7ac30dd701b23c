import type { Deposit } from '@quipu/core'
import { beforeAll, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { depositMaker, type DepositOptions } from '../harness/deposits.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('shared')
let tenant: TestTenant
const made: Deposit[] = []

const deposits: readonly Omit<DepositOptions, 'tenantId'>[] = [
  { value: 25_000_000n },
  { value: 500_000n },
  { value: 7_000_000n, seenIn: 'head' },
  { value: 1_000_000n },
  { value: 2n ** 256n - 1n },
  { value: 9_000_000n, facts: { isGone: true } },
]

beforeAll(async () => {
  tenant = await api.tenant({ funds: 0n })
  const otherTenant = await api.tenant({ funds: 0n })
  await Promise.all([tenant.get('/v1/wallets'), otherTenant.get('/v1/wallets')])
  const make = depositMaker(api.stores, api.clock.now)
  for (const [i, options] of deposits.entries()) {
    // Two deposits share each instant, so that ids order them.
    if (i % 2 === 0) api.clock.step(1_000)
    made.push(await make({ tenantId: tenant.id, ...options }))
  }
  await make({ tenantId: otherTenant.id, value: 3_000_000n })
})

async function list(search: string): Promise<Json> {
  const reply = await tenant.get(`/v1/deposits?${search}`)
  expect(reply.status, search).toBe(200)
  return reply.json
}

const idsOf = (page: Json): string[] => page.data.map(({ id }: { id: string }) => id)
const newestFirst = (of: readonly Deposit[] = made): string[] =>
  of
    .map(({ id }) => id)
    .toSorted()
    .toReversed()

test('GET /v1/deposits: newest first, each exactly as GET /v1/deposits/{id} returns it', async () => {
  const page = await list('')
  expect(idsOf(page)).toEqual(newestFirst())
  expect(page.next_cursor).toBeNull()
  for (const deposit of page.data) expect((await tenant.get(`/v1/deposits/${deposit.id}`)).json).toEqual(deposit)
})

test.each([
  [0, 'credited', '25.000000', null, '2026-03-02T12:00:01.000Z'],
  [1, 'in_review', '0.500000', 'AMOUNT_BELOW_MINIMUM', null],
  [2, 'pending', '7.000000', null, null],
  [3, 'credited', '1.000000', null, '2026-03-02T12:00:02.000Z'],
  [
    4,
    'in_review',
    '115792089237316195423570985008687907853269984665640564039457584007913129.639935',
    'AMOUNT_ABOVE_AUTO_LIMIT',
    null,
  ],
  [5, 'in_review', '9.000000', 'TRANSFER_DROPPED', null],
] as const)(
  'spec §2, §3 — deposit %i is %s of %s: review_code %s, credited_at %s',
  async (i, status, amount, review_code, credited_at) => {
    const { json } = await tenant.get(`/v1/deposits/${made[i]?.id}`)
    expect(json).toMatchObject({ status, amount, review_code, credited_at })
  },
)

test('only credited deposits are in the wallet', async () => {
  const { json } = await tenant.get('/v1/wallets')
  expect(json).toMatchObject({ available: '26.000000', held: '0.000000', total: '26.000000' })
})

test.each(['pending', 'credited', 'in_review'] as const)('status=%s', async (status) => {
  const expected = newestFirst(made.filter((deposit) => deposit.status === status))
  expect(idsOf(await list(`status=${status}`))).toEqual(expected)
})
