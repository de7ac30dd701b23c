import { afterEach, beforeEach, expect, test } from 'vitest'
import { postgresApi, type PostgresApi } from '../harness/postgres-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let world: PostgresApi
let tenant: TestTenant

beforeEach(async () => {
  world = await postgresApi()
  tenant = await world.tenant()
})
afterEach(() => world.stop())

const failed = () => world.lines.filter(({ status }) => status === 503)

test('during a database outage a failed request writes one line, with the cause and no stack', async () => {
  const order = await tenant.order()
  world.database.cut()
  const before = world.lines.length
  const replies = await Promise.all([
    ...Array.from({ length: 20 }, () => tenant.get('/v1/payouts')),
    ...Array.from({ length: 20 }, () => tenant.post('/v1/payouts', order)),
  ])
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 503))
  expect(failed()).toHaveLength(replies.length)
  for (const line of failed())
    expect(line).toMatchObject({ cause: expect.stringContaining('store unavailable') as string })
  const written = world.lines.slice(before)
  const aboutRequests = written.filter((line) => 'request_id' in line)
  expect(aboutRequests).toHaveLength(replies.length)
  expect(JSON.stringify(written)).not.toContain('"stack"')
})

test('the database confirms no write: one alert, and a line when it does again', async () => {
  const alerts = () => world.lines.filter(({ alert }) => alert === 'DATABASE_CANNOT_COMMIT')
  world.database.cut()
  await expect.poll(() => alerts().length, { timeout: 30_000 }).toBe(1)
  world.database.restore()
  const again = 'the database confirms writes again'
  await expect
    .poll(() => world.lines.some(({ msg }) => String(msg).startsWith(again)), { timeout: 30_000 })
    .toBe(true)
  expect(alerts()).toHaveLength(1)
})
