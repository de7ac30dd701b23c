import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectBoundCursors, issuesOf, queryOf } from '../list/query.fixture.ts'
import { deliveryToJson } from './delivery.ts'
import { anyDelivery } from './webhook.fixture.ts'
import { operatorDeliveryPage, operatorDeliveryToJson, parseOperatorDeliveryList } from './operator-delivery.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'
const endpointId = 'we_01K6HZ8M00000000000000000A'
const eventId = '019aa1f4-54f0-7000-8000-00000000000b'
const list = (search: string) => queryOf(parseOperatorDeliveryList, search)

test('an operator sees a delivery as its tenant does, with the tenant after the id', () => {
  fc.assert(
    fc.property(anyDelivery, (delivery) => {
      const json = operatorDeliveryToJson(delivery)
      const { id, ...others } = deliveryToJson(delivery)
      expect(json).toEqual({ id, tenant_id: delivery.tenantId, ...others })
      expect(Object.keys(json).slice(0, 2)).toEqual(['id', 'tenant_id'])
      const page = { data: [json], next_cursor: null }
      expect(operatorDeliveryPage.parse(page)).toEqual(page)
    }),
  )
})

test('the list is of a tenant, an endpoint or an event, or of what is in all that are named', () => {
  expect(list(`tenant_id=${tenantId}`)).toEqual({ limit: 50, of: { tenantId } })
  expect(list(`endpoint_id=${endpointId}`)).toEqual({ limit: 50, of: { endpointId } })
  expect(list(`event_id=${eventId}`)).toEqual({ limit: 50, of: { eventId } })
  expect(list(`endpoint_id=${endpointId}&tenant_id=${tenantId}`).of).toEqual({ endpointId, tenantId })
  expect(list(`event_id=${eventId}&tenant_id=${tenantId}`).of).toEqual({ eventId, tenantId })
  expect(list(`event_id=${eventId}&endpoint_id=${endpointId}`).of).toEqual({ eventId, endpointId })
  expect(list(`event_id=${eventId}&endpoint_id=${endpointId}&tenant_id=${tenantId}`).of).toEqual({
    eventId,
    endpointId,
    tenantId,
  })
  for (const search of ['', 'status=held'])
    expect(issuesOf(parseOperatorDeliveryList(search))).toEqual(['tenant_id is required, or endpoint_id or event_id'])
})

test('the list takes a status, and the id of an event in upper case too', () => {
  expect(list(`event_id=${eventId.toUpperCase()}&status=held`)).toEqual({ limit: 50, of: { eventId }, status: 'held' })
  expect(issuesOf(parseOperatorDeliveryList('status=sent'))).toHaveLength(2)
  expect(issuesOf(parseOperatorDeliveryList('day=1'))).toEqual([
    'day is not allowed in the query; allowed are tenant_id, endpoint_id, event_id, status, limit, cursor',
    'tenant_id is required, or endpoint_id or event_id',
  ])
})

test('a cursor is bound to the filters', () => {
  const searches = [
    `tenant_id=${tenantId}`,
    `endpoint_id=${endpointId}`,
    `event_id=${eventId}`,
    `event_id=${eventId}&status=held`,
    `event_id=${eventId}&tenant_id=${tenantId}`,
  ]
  expectBoundCursors(parseOperatorDeliveryList, searches, `${eventId}_${endpointId.slice(3)}`)
})
