import type { Delivery } from '@quipu/core'
import type { AllDeliveriesQuery } from '@quipu/core/operator'
import { z } from 'zod'
import { idText } from '../json/answer.ts'
import { queryMembers, uuid } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { mapParsed, type Parsed, type Rule } from '../json/parsed.ts'
import { parseFilteredList } from '../list/filtered-list.ts'
import { type ListRequest, pageOf } from '../list/list.ts'
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

export const operatorDeliveryListQuery = queryMembers({
  tenant_id: id('ten').optional(),
  endpoint_id: id('we').optional(),
  event_id: uuid.meta({ examples: ['019aa1f4-54f0-7000-8000-00000000000b'] }).optional(),
  ...deliveryListQuery.shape,
})

const oneRequired = 'is required, or endpoint_id or event_id'

/** Reads the query of `GET /operator/v1/webhook-deliveries`: of a tenant, an endpoint or an event. */
export const parseOperatorDeliveryList = (search: URLSearchParams | string): Parsed<ListRequest<AllDeliveriesQuery>> =>
  mapParsed(
    parseFilteredList(operatorDeliveryListQuery, ['all_deliveries', 'operator'], search, isOfSomething),
    ({ filters: { status, eventId, ...more }, page, scope }) => ({
      query: {
        ...page,
        // The rule demands one of them.
        of: { ...more, ...(eventId !== undefined && { eventId: eventId.toLowerCase() }) } as AllDeliveriesQuery['of'],
        ...(status && { status }),
      },
      scope,
    }),
  )

const isOfSomething: Rule = ({ tenant_id, endpoint_id, event_id }) =>
  (tenant_id ?? endpoint_id ?? event_id) === undefined ? [{ field: 'tenant_id', message: oneRequired }] : []
