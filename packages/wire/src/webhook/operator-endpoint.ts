import type { WebhookEndpoint } from '@quipu/core'
import type { EndpointOverview, EndpointOverviewQuery } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { oneOf, queryMembers, wordsOf } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { instantToJson } from '../json/instant.ts'
import type { Parsed } from '../json/parsed.ts'
import { parseList } from '../list/filtered-list.ts'
import { type ListRequest, pageOf, pageParameters } from '../list/list.ts'
import { endpointStateMembers, endpointStateToJson } from './endpoint-control.ts'

/** A webhook endpoint as operators see it. */
export const operatorEndpoint = z
  .object({
    ...endpointStateMembers,
    queued: z.int().min(0).meta({ description: 'Deliveries that are pending or held.' }),
    oldest_queued_at: time
      .nullable()
      .meta({ description: 'When the event of the oldest of them was recorded; null when there is none.' }),
    is_slow: z.boolean().meta({ description: 'Whether its last answer was an error or took long: others go first.' }),
    failing_since: time
      .nullable()
      .meta({
        description: 'The first failed attempt after the last one that succeeded. Null when that was the last one.',
      }),
  })
  .meta({ id: 'OperatorEndpoint' })
export type OperatorEndpointJson = z.output<typeof operatorEndpoint>

export const operatorEndpointToJson = ({
  endpoint,
  queued,
  oldestQueuedAt,
  isSlow,
  failingSince,
}: EndpointOverview): OperatorEndpointJson => ({
  ...endpointStateToJson(endpoint),
  queued,
  oldest_queued_at: oldestQueuedAt && instantToJson(oldestQueuedAt),
  is_slow: isSlow,
  failing_since: failingSince && instantToJson(failingSince),
})

export const operatorEndpointPage = pageOf(operatorEndpoint, 'OperatorEndpointPage')

const endpointStatuses = wordsOf<WebhookEndpoint['status']>({ active: true, paused: true })

export const operatorEndpointListQuery = queryMembers({
  tenant_id: id('ten').optional(),
  status: oneOf(endpointStatuses).optional(),
  ...pageParameters,
})

/** Reads the query of `GET /operator/v1/webhook-endpoints`. */
export const parseOperatorEndpointList = (
  search: URLSearchParams | string,
): Parsed<ListRequest<EndpointOverviewQuery>> => parseList(operatorEndpointListQuery, ['webhooks', 'operator'], search)
