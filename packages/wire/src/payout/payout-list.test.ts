import { describe, expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { encodeCursor } from '../list/cursor.ts'
import { parsePayoutList } from './payout-list.ts'

const tenant = 'ten_1'
const position = { createdAt: new Date('2026-11-20T15:04:05.006Z'), id: 'po_01KAGZ8M88000000000000000A' }

const refusal = (search: string | URLSearchParams) => issuesOf(parsePayoutList(tenant, search))

function read(search: string | URLSearchParams, tenantId = tenant) {
  const parsed = parsePayoutList(tenantId, search)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return parsed.value
}

const expectRefused = (search: string, ...issues: string[]): void => expect(refusal(search)).toEqual(issues)

test('spec §4: without parameters it is the first 50 payouts', () => {
  expect(read('')).toEqual({ query: { limit: 50 }, scope: { list: 'payouts', digest: expect.any(String) } })
})

test('spec §4: all parameters together', () => {
  const search = new URLSearchParams({
    transaction_id: 'order:1',
    type: 'qr',
    status: 'failed',
    from: '2026-11-20T00:00:00-04:00',
    to: '2026-11-21T00:00:00-04:00',
    limit: '7',
  })
  expect(read(search)).toEqual({
    query: {
      limit: 7,
      transactionId: 'order:1',
      status: 'failed',
      from: new Date('2026-11-20T04:00:00.000Z'),
      to: new Date('2026-11-21T04:00:00.000Z'),
    },
    type: 'qr',
    scope: { list: 'payouts', digest: expect.any(String) },
  })
})

test('filters by the tenant’s own texts, and binds the cursor to them', () => {
  const { query, scope } = read('description=Caf%C3%A9&metadata[order]=1&metadata%5Ba.b%5D=')
  expect(query).toEqual({ limit: 50, description: 'Café', metadata: { order: '1', 'a.b': '' } })
  expect(read('description=Caf%C3%A9&metadata[order]=2&metadata[a.b]=').scope).not.toEqual(scope)
  const name = 'must be named with 1 to 40 characters from A-Z a-z 0-9 . _ : -, the first a letter or digit'
  expectRefused('metadata[]=1', `metadata."" ${name}`)
  expectRefused('metadata[a]=1&metadata[a]=2', 'metadata[a] must be given once')
  expectRefused('metadata=1', 'metadata must be a JSON object of strings')
  expect(refusal('status[a]=1')).toEqual([expect.stringMatching(/^status\[a\] is not allowed/)])
})

test('spec §4: status is one of the four that end a payout; processing is no filter', () => {
  for (const status of ['completed', 'failed', 'rejected', 'cancelled'])
    expect(read(`status=${status}`).query.status).toBe(status)
  for (const status of ['processing', 'Completed', 'canceled'])
    expectRefused(`status=${status}`, 'status must be completed, failed, rejected or cancelled')
})

test('open=true lists what is still in processing, without a status', () => {
  expect(read('open=true').query).toMatchObject({ isOpen: true })
  for (const open of ['false', '1', 'True']) expectRefused(`open=${open}`, 'open must be true')
  expectRefused('open=true&status=failed', 'status must be left out with open')
})

describe('spec §4: from and to', () => {
  const rule = 'must be an ISO 8601 instant with a zone, such as 2026-11-20T15:04:05.000Z'

  test('an unencoded plus is a space, so the zone is missing, and the message says how to send it', () => {
    for (const zone of ['04:00', '0400', '04'])
      expectRefused(`from=2026-11-20T00:00:00+${zone}`, `from ${rule}; + is sent as %2B in a URL`)
  })
})

describe('spec §4: cursor', () => {
  const rule = 'cursor must be the next_cursor of the same list with the same filters'
  const next = (search: string, tenantId = tenant): string => encodeCursor(position, read(search, tenantId).scope)

  test('is refused from another tenant', () => {
    expectRefused(`cursor=${next('', 'ten_2')}`, rule)
  })
})
