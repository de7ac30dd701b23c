import { expect, test } from 'vitest'
import { ageOf } from '../api/shown-row.ts'
import { instantOf } from '../api/instant.ts'
import { admin, apiServer } from './admin.fixture.ts'

const tenantId = 'ten_01KAGZ8M88000000000000000A'
const payout = {
  id: 'po_01KAGZ8M88000000000000000A',
  tenant_id: tenantId,
  type: 'qr',
  status: 'completed',
  target: { currency: 'BOB', amount: '12345.50' },
  qr: { amount_mode: 'closed', merchant: { name: 'Panadería Kantuta', bank_code: '1' } },
  open: { alerts: [{ code: 'PROCESSING_TOO_LONG', at: '2026-11-20T15:04:05.000Z' }] },
  created_at: '2026-11-20T15:04:05.000Z',
}
const page = { status: 200, body: { data: [payout], next_cursor: null } }
const now = new Date('2026-11-28T10:20:30.456Z')

test('at 100 characters payouts have amount, status, merchant, tenant and age', async () => {
  await using server = await apiServer(page)
  const { out } = await admin(['payouts', 'list'], { env: server.env, columns: 100 })
  const [header = '', row = ''] = out.split('\n')
  expect(header).toMatch(/^ID +TARGET +STATUS +QR\.MERCHANT\.NAME +TENANT_ID +AGE +TYPE$/)
  expect(row).toMatch(/12345\.50 BOB {2}completed {2}Panadería Kantuta +ten_…0000000A {2}\d+ d +qr$/)
})

test('a column that no row has is refused, and a list of objects is readable', async () => {
  await using server = await apiServer(page)
  const { env, received } = server
  const refused = await admin(['payouts', 'list', '--columns', 'id,foo,qr.bar'], { env })
  expect(refused.code).toBe(2)
  expect(refused.error).toMatch(/no row has foo, qr\.bar\. There are: id, target/)
  expect(received).toEqual([])
  const shown = await admin(['payouts', 'list', '--columns', 'age,open.alerts,qr.merchant.name'], { env })
  expect(shown.out).toMatch(/ d +PROCESSING_TOO_LONG {2}Panadería Kantuta\n$/)
})

test.each([
  ['2026-11-27', '2026-11-27T00:00:00.000Z', '2026-11-27T23:59:59.999Z'],
  ['yesterday', '2026-11-27T00:00:00.000Z', '2026-11-27T23:59:59.999Z'],
  ['today', '2026-11-28T00:00:00.000Z', '2026-11-28T23:59:59.999Z'],
  ['-1h', '2026-11-28T09:20:30.456Z', '2026-11-28T09:20:30.456Z'],
  ['-2d', '2026-11-26T10:20:30.456Z', '2026-11-26T10:20:30.456Z'],
  ['now', '2026-11-28T10:20:30.456Z', '2026-11-28T10:20:30.456Z'],
  ['2026-11-27T10:00:00-04:00', '2026-11-27T10:00:00-04:00', '2026-11-27T10:00:00-04:00'],
])('%s is an instant', (text, from, to) => {
  expect([instantOf(text, 'from', false, now), instantOf(text, 'to', true, now)]).toEqual([from, to])
})

test('a day that does not exist is refused, and the API gets instants', async () => {
  await using server = await apiServer(page)
  const { env, received } = server
  expect((await admin(['payouts', 'list', '--from', '2026-02-30'], { env })).error).toContain('2026-02-30 is no day')
  await admin(['payouts', 'list', '--from', '2026-11-27', '--to', '2026-11-27'], { env })
  const query = new URL(received[0]?.path ?? '', 'http://x').searchParams
  expect(Object.fromEntries(query)).toEqual({ from: '2026-11-27T00:00:00.000Z', to: '2026-11-27T23:59:59.999Z' })
})

test('ages have one unit', () => {
  const seconds = [0, 59, 60, 3_599, 3_600, 86_400, 999_999]
  const ages = seconds.map((each) => ageOf(new Date(now.getTime() - each * 1000).toISOString(), now.getTime()))
  expect(ages).toEqual(['0 s', '59 s', '1 min', '59 min', '1 h', '1 d', '11 d'])
})

test('on a terminal a suspension asks for the name of the tenant, unless --yes', async () => {
  const tenant = { status: 200, body: { id: tenantId, legal_name: 'Kantuta S.A.', status: 'suspended' } }
  await using server = await apiServer(tenant)
  const args = ['tenants', 'suspend', tenantId, '--reason', 'Order 12.']
  const asked: string[] = []
  const ended = async (answer: string, ...more: string[]) => {
    const ask = async (question: string) => {
      asked.push(question)
      return answer
    }
    return (await admin([...args, ...more], { env: server.env, ask })).code
  }
  const writes = () => server.received.filter(({ method }) => method === 'POST').length
  expect([await ended('kantuta'), writes()]).toEqual([1, 0])
  expect([await ended('Kantuta S.A.'), writes()]).toEqual([0, 1])
  expect(asked[1]).toContain('“Kantuta S.A.”')
  expect([await ended('', '--yes'), writes(), asked.length]).toEqual([0, 2, 2])
  expect((await admin(args, { env: server.env })).code).toBe(0)
})

test('a revocation of a key asks for the name of its tenant, of a token for its person', async () => {
  const found = { status: 200, body: { data: [{ id: 'key_1', tenant_id: tenantId }] } }
  await using keys = await apiServer(
    found,
    { status: 200, body: { legal_name: 'Kantuta S.A.' } },
    { status: 204, body: undefined },
  )
  const ask = async () => 'Kantuta S.A.'
  expect((await admin(['api-keys', 'revoke', 'key_1'], { env: keys.env, ask })).code).toBe(0)
  const tokens = { status: 200, body: { data: [{ id: 'opt_1', person: 'lucia' }], next_cursor: null } }
  await using people = await apiServer(tokens, { status: 200, body: {} })
  expect((await admin(['operator-tokens', 'revoke', 'opt_1'], { env: people.env, ask: async () => 'omar' })).code).toBe(
    1,
  )
  expect(people.received).toHaveLength(1)
})

test('a restore is confirmed on a terminal only by who types it', async () => {
  const args = ['restore', 'confirm', '--reason', 'booked']
  const refused = await admin(args, { ask: async () => 'yes' })
  expect(refused).toMatchObject({ code: 1, error: 'Nothing was changed.\n' })
  for (const given of [{ ask: async () => 'payments begin' }, {}])
    expect((await admin(args, given)).error).toContain('DATABASE_URL')
})
