import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectFilters, issuesOf, queryOf } from '../list/query.fixture.ts'
import { deliveryToJson } from './delivery.ts'
import { anyDelivery } from './webhook.fixture.ts'
import { operatorDeliveryPage, operatorDeliveryToJson, parseOperatorDeliveryList } from './operator-delivery.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'
const endpointId = 'we_01K6HZ8M00000000000000000A'
const eventId = '019aa1f4-54f0-7000-8000-00000000000b'

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
  const [byTenant, byEndpoint, byEvent] = [`tenant_id=${tenantId}`, `endpoint_id=${endpointId}`, `event_id=${eventId}`]
  const filters = {
    [byTenant]: { of: { tenantId } },
    [byEndpoint]: { of: { endpointId } },
    [byEvent]: { of: { eventId } },
    [`${byEvent}&status=held`]: { of: { eventId }, status: 'held' },
    [`${byEndpoint}&${byTenant}`]: { of: { endpointId, tenantId } },
    [`${byEvent}&${byTenant}`]: { of: { eventId, tenantId } },
    [`${byEvent}&${byEndpoint}`]: { of: { eventId, endpointId } },
    [`${byEvent}&${byEndpoint}&${byTenant}`]: { of: { eventId, endpointId, tenantId } },
  }
  expectFilters(parseOperatorDeliveryList, filters, `${eventId}_${endpointId.slice(3)}`)
  expect(queryOf(parseOperatorDeliveryList, `event_id=${eventId.toUpperCase()}`)).toMatchObject({ of: { eventId } })
  for (const search of ['', 'status=held'])
    expect(issuesOf(parseOperatorDeliveryList(search))).toEqual(['tenant_id is required, or endpoint_id or event_id'])
  expect(issuesOf(parseOperatorDeliveryList('status=sent&day=1'))).toHaveLength(3)
})
