import { expect, test } from 'vitest'
import { pageLimit } from '../list/list.ts'
import { issuesOf } from '../list/query.fixture.ts'
import { parsePayoutList } from './payout-list.ts'

const refusal = (search: string) => issuesOf(parsePayoutList('ten_1', search))

function read(search: string) {
  const parsed = parsePayoutList('ten_1', search)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return parsed.value
}

const expectRefused = (search: string, ...issues: string[]): void => expect(refusal(search)).toEqual(issues)

test('spec §4: a type leaves the query as it is, as payouts have one type', () => {
  expect(read('type=qr')).toEqual({ ...read(''), type: 'qr', scope: expect.anything() })
})

test('filters by the tenant’s own texts, and binds the cursor to them', () => {
  const { query, scope } = read('description=Caf%C3%A9&metadata[order]=1&metadata%5Ba.b%5D=')
  expect(query).toEqual({ limit: pageLimit.default, description: 'Café', metadata: { order: '1', 'a.b': '' } })
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

test('open is true, without a status', () => {
  for (const open of ['false', '1', 'True']) expectRefused(`open=${open}`, 'open must be true')
  expectRefused('open=true&status=failed', 'status must be left out with open')
})

test('spec §4: an unencoded plus is a space, so the zone is missing, and the message says how to send it', () => {
  const rule = 'must be an ISO 8601 instant with a zone, such as 2026-11-20T15:04:05.000Z'
  for (const zone of ['04:00', '0400', '04'])
    expectRefused(`from=2026-11-20T00:00:00+${zone}`, `from ${rule}; + is sent as %2B in a URL`)
})
