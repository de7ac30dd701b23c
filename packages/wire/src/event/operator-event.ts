import { tenantEventTypes } from '@quipu/core'
import type { EventRecord } from '@quipu/core/adapter'
import type { AllEventsQuery } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time, uuidText } from '../json/answer.ts'
import { oneOf, queryMembers, text } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { rowToJson } from '../json/row-to-json.ts'
import type { Parsed } from '../json/parsed.ts'
import { eventText } from './event-list.ts'
import { parseList, periodOf } from '../list/filtered-list.ts'
import { type ListRequest, pageOf } from '../list/list.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import { event } from './event-example.ts'

const summary = {
  id: uuidText,
  tenant_id: idText('ten'),
  type: z.union([z.enum(tenantEventTypes), z.string()]),
  subject_id: z.string().meta({ description: 'The id of its payout, deposit or wallet.' }),
  occurred_at: time,
  recorded_at: time,
}

/** An event in a list of all tenants. */
export const operatorEvent = z.object(summary).meta({ id: 'OperatorEvent' })
export type OperatorEventJson = z.output<typeof operatorEvent>

/** The types that the list is filtered by: all of today. */
export type EventTypeFilter = NonNullable<AllEventsQuery['type']>

export const operatorEventToJson = (record: EventRecord): OperatorEventJson => rowToJson(operatorEvent, record, {})

const operatorEventPage = pageOf(operatorEvent, 'OperatorEventPage')

/** An event with what its endpoints receive. */
export const sentEvent = z
  .object({
    ...summary,
    body: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What endpoints receive: a `QuipuEvent` of the public API.' }),
  })
  .meta({ id: 'SentEvent' })
export type SentEventJson = z.output<typeof sentEvent>

export const sentEventToJson = (record: EventRecord): SentEventJson => ({
  ...operatorEventToJson(record),
  body: JSON.parse(eventText(record)) as Record<string, unknown>,
})

const operatorEventListQuery = queryMembers({
  tenant_id: id('ten').optional(),
  type: oneOf(tenantEventTypes).optional(),
  subject_id: text(1, 64)
    .meta({ description: 'The id of a payout, deposit or wallet.', examples: ['po_01K6HZ8M00000000000000000A'] })
    .optional(),
  ...periodOf('Recorded'),
})

/** Reads the query of `GET /operator/v1/events`. */
export const parseOperatorEventList = (search: URLSearchParams | string): Parsed<ListRequest<AllEventsQuery>> =>
  parseList(operatorEventListQuery, ['events', 'operator'], search)

const listEvents = operation({
  id: 'listEvents',
  tag: 'Events',
  summary: 'List the events of all tenants, newest first',
  description:
    'A page of `type=payout.completed` of all tenants may have fewer items than its limit and still a `next_cursor`.',
  access: 'operator',
  query: operatorEventListQuery,
  answers: lastPage(operatorEventPage, [event], operatorEventToJson),
  refused: parseOperatorEventList('type=payout.paid&limit=0'),
})

const getEvent = operation({
  id: 'getEvent',
  tag: 'Events',
  summary: 'Read an event of any tenant, as its endpoints receive it',
  access: 'operator',
  path: z.object({ id: uuidText.meta({ examples: [event.id] }) }),
  answers: ok('The event.', sentEvent, { completed: sentEventToJson(event) }),
  refused: parseNoQuery('expand=subject'),
  errors: ['EVENT_NOT_FOUND'],
})

export const operatorEventPaths: ZodOpenApiPathsObject = {
  '/operator/v1/events': { get: listEvents },
  '/operator/v1/events/{id}': { get: getEvent },
}
