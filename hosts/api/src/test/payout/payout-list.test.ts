import { beforeAll, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('shared')
let tenant: TestTenant
const payouts: Json[] = []

const scenarios = ['paid', 'refused', 'no_liquidity', 'refused_qr', 'late'] as const

beforeAll(async () => {
  tenant = await api.tenant()
  for (let i = 0; i < 20; i++) {
    // Four payouts share each instant, so that ids order them.
    if (i % 4 === 0) api.clock.step(1_000)
    const scenario = scenarios[i % scenarios.length]
    const reply = await tenant.post('/v1/payouts', await tenant.order({}, { scenario }))
    payouts.push(reply.json)
  }
})

async function list(search: string, by = tenant): Promise<Json> {
  const reply = await by.get(`/v1/payouts?${search}`)
  expect(reply.status, search).toBe(200)
  return reply.json
}

const idsOf = (page: Json): string[] => page.data.map(({ id }: { id: string }) => id)

/** Every payout, newest first. */
const newestFirst = (): Json[] =>
  payouts.toSorted((a, b) =>
    a.created_at === b.created_at ? b.id.localeCompare(a.id) : b.created_at.localeCompare(a.created_at),
  )

async function pages(search: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ;) {
    const page = await list(`${search}${cursor && `&cursor=${cursor}`}`)
    ids.push(...idsOf(page))
    if (page.next_cursor === null) return ids
    cursor = page.next_cursor
  }
}

test('spec §4 — GET /payouts: newest first, each exactly as GET /payouts/{id} returns it', async () => {
  const page = await list('')
  expect(page).toEqual({ data: newestFirst(), next_cursor: null })
  for (const payout of page.data) {
    const one = await tenant.get(`/v1/payouts/${payout.id}`)
    expect(one.json).toEqual(payout)
  }
})

test('open=true lists the payouts in processing, page by page', async () => {
  const open = newestFirst().filter(({ status }) => status === 'processing')
  expect(open).toHaveLength(4)
  expect(await pages('open=true&limit=3')).toEqual(open.map(({ id }) => id))
  const { next_cursor } = await list('open=true&limit=3')
  expect((await tenant.get(`/v1/payouts?cursor=${next_cursor}`)).status).toBe(400)
})

test('spec §4, §8 — limit 1 to 100, default 50, next_cursor null on the last page', async () => {
  expect(idsOf(await list('limit=100'))).toHaveLength(20)
  const first = await list('limit=19')
  expect(first.data).toHaveLength(19)
  const last = await list(`limit=1&cursor=${first.next_cursor}`)
  expect([last.data.length, last.next_cursor]).toEqual([1, null])
})

test('spec §4 — type=qr is every payout, type=bank_transfer none', async () => {
  expect(idsOf(await list('type=qr'))).toHaveLength(20)
  expect(await list('type=bank_transfer')).toEqual({ data: [], next_cursor: null })
})

test('a cursor is valid for its tenant and filters only', async () => {
  const { next_cursor } = await list('limit=2&status=completed')
  const refused = async (search: string, by = tenant) => {
    const reply = await by.get(`/v1/payouts?${search}`)
    expect(reply.json.error.details).toEqual([{ field: 'cursor', message: expect.any(String) }])
  }
  await refused(`cursor=${next_cursor}`)
  await refused(`cursor=${next_cursor}&status=failed`)
  await refused(`cursor=${next_cursor}&status=completed&type=qr`)
  await refused(`cursor=${next_cursor.slice(0, -1)}&status=completed`)
  await refused(`cursor=${next_cursor}&status=completed`, await api.tenant())
})
