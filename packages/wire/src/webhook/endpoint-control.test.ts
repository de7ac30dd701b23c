import { expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { endpoint } from './webhook-example.ts'
import { endpointState, endpointStateToJson, parseEndpointResumption } from './endpoint-control.ts'
import { operatorEndpointToJson } from './operator-endpoint.ts'
import { webhookToJson } from './webhook.ts'

test('operators see an endpoint with its tenant and who has paused it', () => {
  const operatorPause = { by: 'omar', at: new Date('2026-11-20T15:04:05.006Z'), reason: 'Asked.' }
  const { id, ...others } = webhookToJson({ ...endpoint, operatorPause })
  const json = endpointStateToJson({ ...endpoint, operatorPause })
  expect(JSON.stringify(json)).toBe(
    JSON.stringify({
      id,
      tenant_id: endpoint.tenantId,
      ...others,
      operator_pause: { by: 'omar', at: '2026-11-20T15:04:05.006Z', reason: 'Asked.' },
    }),
  )
  expect(endpointState.parse(json)).toEqual(json)
  const unpaused = endpointStateToJson({ ...endpoint, operatorPause: null })
  expect(unpaused.operator_pause).toBeNull()
  expect(endpointState.parse(unpaused)).toEqual(unpaused)
})

test('operators see what waits for an endpoint, and since when it fails', () => {
  const [oldestQueuedAt, failingSince] = [new Date('2026-11-20T15:00:00Z'), new Date('2026-11-20T16:00:00Z')]
  const overview = { endpoint, queued: 3, oldestQueuedAt, isSlow: true, failingSince }
  expect(operatorEndpointToJson(overview)).toEqual({
    ...endpointStateToJson(endpoint),
    queued: 3,
    oldest_queued_at: '2026-11-20T15:00:00.000Z',
    is_slow: true,
    failing_since: '2026-11-20T16:00:00.000Z',
  })
})

test('a resumption may have a reason, and no body at all', () => {
  expect(parseEndpointResumption(undefined)).toEqual({ ok: true, value: {} })
  expect(parseEndpointResumption({})).toEqual({ ok: true, value: {} })
  expect(parseEndpointResumption({ reason: 'Mended.' })).toEqual({ ok: true, value: { reason: 'Mended.' } })
  expect(issuesOf(parseEndpointResumption(null))).toEqual(['body must be a JSON object'])
})
