import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { uuidText } from '../json/answer.ts'
import { parseNoQuery } from '../json/empty.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import { event } from './event-example.ts'
import {
  operatorEventListQuery,
  operatorEventPage,
  operatorEventToJson,
  parseOperatorEventList,
  sentEvent,
  sentEventToJson,
} from './operator-event.ts'

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
