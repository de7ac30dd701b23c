import type { EndpointOverview } from '@quipu/core/operator'
import { anyInstant } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byWord, expectFilters } from '../list/query.fixture.ts'
import { endpointStateToJson } from './endpoint-control.ts'
import {
  operatorEndpoint,
  operatorEndpointPage,
  operatorEndpointToJson,
  parseOperatorEndpointList,
} from './operator-endpoint.ts'
import { anyEndpoint } from './webhook.fixture.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'

const anyEndpointOverview: fc.Arbitrary<EndpointOverview> = fc.record({
  endpoint: anyEndpoint.map((endpoint) => ({ ...endpoint, operatorPause: null })),
  queued: fc.nat(),
  oldestQueuedAt: fc.option(anyInstant),
  isSlow: fc.boolean(),
  failingSince: fc.option(anyInstant),
})

test('an endpoint shows what waits for it, whether it is slow, and since when it fails', () => {
  fc.assert(
    fc.property(anyEndpointOverview, (overview) => {
      const json = operatorEndpointToJson(overview)
      expect(json).toEqual({
        ...endpointStateToJson(overview.endpoint),
        queued: overview.queued,
        oldest_queued_at: overview.oldestQueuedAt?.toISOString() ?? null,
        is_slow: overview.isSlow,
        failing_since: overview.failingSince?.toISOString() ?? null,
      })
      const page = { data: [json], next_cursor: null }
      expect(operatorEndpointPage.parse(page)).toEqual(page)
      expect(operatorEndpoint.safeParse({ ...json, queued: -1 }).success).toBe(false)
      expect(operatorEndpoint.safeParse({ ...json, queued: 0 }).success).toBe(true)
    }),
  )
})

test('the list of endpoints takes a tenant and a status, and binds its cursors to them', () => {
  const filters = { '': {}, [`tenant_id=${tenantId}`]: { tenantId }, ...byWord('status', ['active', 'paused']) }
  expectFilters(parseOperatorEndpointList, filters, 'we_01K6HZ8M00000000000000000A')
})
