import type { RequestRecord } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { parseRequestList, requestEntry, requestEntryToJson } from './request.ts'

const request: RequestRecord = {
  id: '019aa1f4-5108-7000-8000-00000000000b',
  tenantId: 'ten_1',
  keyId: 'key_01KAGZ8M88000000000000000D',
  requestId: 'mine',
  method: 'POST',
  path: '/v1/payouts',
  status: null,
  code: null,
  address: '::1',
  durationMs: 0.6,
  bodyDigest: 'ab',
  answerDigest: null,
  createdAt: new Date('2026-11-20T15:04:05.006Z'),
}

test('a request is shown without its tenant, in whole milliseconds', () => {
  const json = requestEntryToJson(request)
  expect(json).toEqual({
    id: request.id,
    request_id: 'mine',
    api_key_id: request.keyId,
    method: 'POST',
    path: '/v1/payouts',
    status: null,
    code: null,
    address: '::1',
    duration_ms: 1,
    body_sha256: 'ab',
    answer_sha256: null,
    created_at: '2026-11-20T15:04:05.006Z',
  })
  expect(requestEntry.parse(json)).toEqual(json)
})

test('the filters are read, and bind the cursor to them and the tenant', () => {
  const search = `status=4xx&api_key_id=${request.keyId}&path=%2Fv1%2Fpayouts&from=2026-11-20T15:04:05Z`
  const parsed = parseRequestList('ten_1', search)
  const query = { limit: 50, statusClass: 4, keyId: request.keyId, path: '/v1/payouts' }
  expect(parsed).toMatchObject({ ok: true, value: { query: { ...query, from: new Date('2026-11-20T15:04:05Z') } } })
  const scopes = [parsed, parseRequestList('ten_1', ''), parseRequestList('ten_2', '')].map((each) =>
    each.ok ? each.value.scope.digest : '',
  )
  expect(new Set(scopes).size).toBe(3)
})

test.each(['status=404', 'status=3xx', 'api_key_id=po_1', 'path=', 'method=GET'])(
  'the query %s is refused',
  (search) => {
    expect(parseRequestList('ten_1', search).ok).toBe(false)
  },
)
