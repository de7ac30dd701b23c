import { expect, test } from 'vitest'
import { admin, apiServer } from '../test/admin.fixture.ts'

const [bakery, shop] = [
  { id: 'ten_01K6HZ8M00000000000000000A', legal_name: 'Panadería El Sol' },
  { id: 'ten_01K6HZ8M00000000000000000B', legal_name: 'Panadería El Sol Naciente' },
]
const page = (...data: readonly object[]) => ({ status: 200, body: { data, next_cursor: null } })

test.each([
  ['payouts list --tenant-id panaderia', '/operator/v1/payouts?tenant_id='],
  ['tenants get panaderia', '/operator/v1/tenants/'],
])('%s looks the tenant up by its name', async (line, path) => {
  await using server = await apiServer(page(bakery), page())
  const { code } = await admin(line.split(' '), { env: server.env })
  expect(code).toBe(0)
  expect(server.received.map((request) => request.path)).toEqual([
    '/operator/v1/tenants?text=panaderia&limit=100',
    `${path}${bakery.id}`,
  ])
})

test('the whole name comes before a part of others; a name that fits several, or none, is refused', async () => {
  await using exact = await apiServer(page(shop, bakery), page())
  expect((await admin(['payouts', 'list', '--tenant-id', bakery.legal_name], { env: exact.env })).code).toBe(0)
  expect(exact.received[1]?.path).toContain(bakery.id)
  await using several = await apiServer(page(shop, bakery))
  const unsure = await admin(['payouts', 'list', '--tenant-id', 'sol'], { env: several.env })
  expect(unsure).toMatchObject({ code: 2, error: expect.stringContaining(`${shop.id}  ${shop.legal_name}`) })
  await using none = await apiServer(page())
  const missing = await admin(['payouts', 'list', '--tenant-id', 'sol'], { env: none.env })
  expect(missing).toMatchObject({ code: 2, error: expect.stringContaining('No tenant has') })
})

test('what changes something takes no name', async () => {
  await using server = await apiServer({ status: 404, body: { error: { code: 'TENANT_NOT_FOUND', message: '' } } })
  await admin(['tenants', 'suspend', 'panaderia', '--reason', 'x'], { env: server.env })
  expect(server.received.map(({ path }) => path)).toEqual(['/operator/v1/tenants/panaderia/suspend'])
})
