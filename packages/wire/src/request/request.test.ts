import type { RequestRecord } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { requestEntry, requestEntryToJson } from './request.ts'

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
