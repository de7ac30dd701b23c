import { withConnection } from '../connection/connection.ts'
import { beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()
let tenantId: string
beforeAll(async () => {
  tenantId = (await harness.newTenant()).id
})

const call = (sql: string, secrets: unknown) =>
  withConnection(harness.stores.processUrl, (client) => client.query(`select quipu.${sql}`, [JSON.stringify(secrets)]))
const register = (id: string) =>
  `register_endpoint('${tenantId}', '${id}', 'x', null, null, 'active', 0, null, $1, now(), now(), 99)`

const secret = { ciphertext: 'x', last_four: 'abcd', created_at: '2026-04-01T00:00:00.000Z', expires_at: null }

test.each(
  [
    null,
    'x',
    {},
    [null],
    ['x'],
    [{}],
    [[secret]],
    [secret, {}],
    [{ ...secret, ciphertext: 7 }],
    [{ ...secret, last_four: null }],
    [{ ...secret, created_at: null }],
    [{ ...secret, created_at: '2026-13-01T00:00:00.000Z' }],
    [{ ...secret, expires_at: 'infinity' }],
  ].map((secrets) => ({ secrets })),
)('the processes’ role stores no secrets that no store can read: $secrets', async ({ secrets }) => {
  await expect(call(register('we_1'), secrets)).rejects.toThrow('webhook_endpoint_secrets_check')
  await call(register('we_2'), [secret])
  await expect(call(`replace_secrets('${tenantId}', 'we_2', $1, now())`, secrets)).rejects.toThrow(
    'webhook_endpoint_secrets_check',
  )
  const { items } = await harness.stores.webhooks.list(tenantId, { limit: 9 })
  expect(items.map(({ id }) => id)).toEqual(['we_2'])
})
