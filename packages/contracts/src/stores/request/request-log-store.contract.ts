import type { RequestQuery, RequestRecord } from '@quipu/core/operator'
import { describe, expect, test } from 'vitest'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { someInstant } from '../../fixtures/instants.ts'

/** The contract of a `RequestLogStore`. */
export function requestLogStoreContract(name: string, open: OpenHarness<'requests'>): void {
  describe(`request log in ${name}`, () => {
    const w = useWorld(open, 'each')
    const after = (seconds: number): Date => new Date(someInstant.getTime() + seconds * 1_000)

    function request(seconds: number, over: Partial<RequestRecord> = {}): RequestRecord {
      const { ids } = w
      const createdAt = after(seconds)
      return {
        id: ids.uuid(createdAt),
        tenantId: 'ten_1',
        keyId: 'key_1',
        requestId: 'the-callers-own',
        method: 'GET',
        path: '/v1/payouts',
        status: 200,
        code: null,
        address: '192.0.2.1',
        durationMs: 12.5,
        bodyDigest: null,
        answerDigest: 'ab'.repeat(32),
        createdAt,
        ...over,
      }
    }
    const listed = async (query: Partial<RequestQuery> = {}, tenantId = 'ten_1') =>
      (await w.requests.list(tenantId, { limit: 10, ...query })).items

    test('requests come back as they were recorded, newest first, and each once', async () => {
      const refused = { status: 400, code: 'VALIDATION_FAILED', bodyDigest: 'cd'.repeat(32), method: 'POST' }
      const [first, second, third] = [request(0), request(1, refused), request(2, { status: null, answerDigest: null })]
      await w.requests.record([third, first])
      await w.requests.record([first, second])
      await w.requests.record([])
      expect(await listed()).toEqual([third, second, first])
    })

    test('a tenant has its own requests alone', async () => {
      const own = request(0)
      await w.requests.record([own, request(0, { tenantId: 'ten_2' })])
      expect(await listed()).toEqual([own])
      expect(await listed({ path: own.path, keyId: own.keyId })).toEqual([own])
      expect(await listed({}, 'ten_3')).toEqual([])
    })

    test('filters by class of status, key, path and time, all at once', async () => {
      const rows = [
        request(0),
        request(1, { status: 404 }),
        request(2, { keyId: 'key_2' }),
        request(3, { path: '/v1/wallets', status: 503 }),
        request(4, { status: null }),
      ]
      await w.requests.record(rows)
      const places = async (query: Partial<RequestQuery>) =>
        (await listed(query)).map(({ id }) => rows.findIndex((row) => row.id === id))
      expect(await places({ statusClass: 2 })).toEqual([2, 0])
      expect(await places({ statusClass: 5 })).toEqual([3])
      expect(await places({ keyId: 'key_2' })).toEqual([2])
      expect(await places({ path: '/v1/wallets' })).toEqual([3])
      expect(await places({ from: after(1), to: after(3) })).toEqual([3, 2, 1])
      expect(await places({ from: after(1), path: '/v1/payouts', keyId: 'key_1', statusClass: 4 })).toEqual([1])
    })

    test.each([{}, { keyId: 'key_1' }])('pages of %j have every row once, also rows of one instant', async (filter) => {
      const rows = [0, 0, 0, 1, 1].map((seconds) => request(seconds))
      await w.requests.record(rows)
      const seen: string[] = []
      let next: RequestQuery['after'] | null
      do {
        const page = await w.requests.list('ten_1', { limit: 2, ...filter, ...(next && { after: next }) })
        seen.push(...page.items.map(({ id }) => id))
        next = page.next
      } while (next)
      expect(seen).toHaveLength(rows.length)
      expect(seen.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
    })
  })
}
