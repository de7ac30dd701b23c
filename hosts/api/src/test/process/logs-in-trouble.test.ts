import { afterEach, beforeEach, expect, test } from 'vitest'
import { postgresApi, type PostgresApi } from '../harness/postgres-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let server: PostgresApi
let tenant: TestTenant

beforeEach(async () => {
  server = await postgresApi()
  tenant = await server.tenant()
})
afterEach(() => server.stop())

const failed = () => server.lines.filter(({ status }) => status === 503)

test('during a database outage each failed request writes one line with the cause and without a stack', async () => {
  const order = await tenant.order()
  await server.cutDatabase()
  const before = server.lines.length
  const replies = await Promise.all([
    ...Array.from({ length: 20 }, () => tenant.get('/v1/payouts')),
    ...Array.from({ length: 20 }, () => tenant.post('/v1/payouts', order)),
  ])
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 503))
  expect(failed()).toHaveLength(replies.length)
  for (const line of failed())
    expect(line).toMatchObject({ cause: expect.stringContaining('store unavailable') as string })
  const written = server.lines.slice(before)
  const aboutRequests = written.filter((line) => 'request_id' in line)
  expect(aboutRequests).toHaveLength(replies.length)
  expect(JSON.stringify(written)).not.toContain('"stack"')
})

test('a database that confirms no write raises one alert, and its recovery is logged', async () => {
  const alerts = () => server.lines.filter(({ alert }) => alert === 'DATABASE_CANNOT_COMMIT')
  await server.cutDatabase()
  await expect.poll(() => alerts().length).toBe(1)
  await server.restoreDatabase()
  const again = 'the database confirms writes again'
  await expect.poll(() => server.lines.some(({ msg }) => String(msg).startsWith(again))).toBe(true)
  expect(alerts()).toHaveLength(1)
})
