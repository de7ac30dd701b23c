import type { Delivery } from '@quipu/core'
import type { AllDeliveriesQuery } from '@quipu/core/operator'
import { z } from 'zod'
import { idText } from '../json/answer.ts'
import { members, uuid } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { mapParsed, type Parsed, type Rule } from '../json/parsed.ts'
import { cursorScope } from '../list/cursor.ts'
import { type ListRequest, pageOf, readPage } from '../list/list.ts'
import { parseQuery } from '../json/query.ts'
import { delivery, deliveryListQuery, deliveryToJson } from './delivery.ts'

const { id: deliveryId, ...others } = delivery.shape

/** A delivery as operators see it. */
export const operatorDelivery = z
  .object({ id: deliveryId, tenant_id: idText('ten'), ...others })
  .meta({ id: 'OperatorDelivery' })
export type OperatorDeliveryJson = z.output<typeof operatorDelivery>

export function operatorDeliveryToJson(given: Delivery): OperatorDeliveryJson {
  const { id, ...others } = deliveryToJson(given)
  return { id, tenant_id: given.tenantId, ...others }
}

export const operatorDeliveryPage = pageOf(operatorDelivery, 'OperatorDeliveryPage')

/** The query of `GET /operator/v1/webhook-deliveries`. */
export const operatorDeliveryListQuery = members(
  {
    tenant_id: id('ten').optional(),
    endpoint_id: id('we').optional(),
    event_id: uuid.meta({ examples: ['019aa1f4-54f0-7000-8000-00000000000b'] }).optional(),
    ...deliveryListQuery.shape,
  },
  'in the query',
)

const oneRequired = 'is required, or endpoint_id or event_id'

/** Reads the query of `GET /operator/v1/webhook-deliveries`: of a tenant, an endpoint or an event. */
export function parseOperatorDeliveryList(search: URLSearchParams | string): Parsed<ListRequest<AllDeliveriesQuery>> {
  const parsed = parseQuery(operatorDeliveryListQuery, search, isOfSomething)
  if (!parsed.ok) return parsed
  const { limit, cursor, ...filters } = parsed.value
  const { tenant_id: tenantId, endpoint_id: endpointId, status } = filters
  const eventId = filters.event_id?.toLowerCase()
  const more = { ...(tenantId && { tenantId }), ...(endpointId && { endpointId }) }
  const of = eventId !== undefined ? { eventId, ...more } : ofEndpoints(tenantId, endpointId)
  const scope = cursorScope('all_deliveries', 'operator', filters as Record<string, string>)
  return mapParsed(readPage({ limit, cursor }, scope), (page) => ({
    query: { ...page, of, ...(status && { status }) },
    scope,
  }))
}

const isOfSomething: Rule = ({ tenant_id, endpoint_id, event_id }) =>
  (tenant_id ?? endpoint_id ?? event_id) === undefined ? [{ field: 'tenant_id', message: oneRequired }] : []

function ofEndpoints(tenantId: string | undefined, endpointId: string | undefined): AllDeliveriesQuery['of'] {
  if (endpointId !== undefined) return { endpointId, ...(tenantId && { tenantId }) }
  return { tenantId: tenantId ?? '' }
}
