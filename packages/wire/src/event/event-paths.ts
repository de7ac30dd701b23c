import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { cursorScope } from '../list/cursor.ts'
import { parseNoQuery } from '../json/empty.ts'
import { event } from './event.ts'
import { eventListQuery, eventPage, eventPageText, eventText, parseEventList } from './event-list.ts'
import { uuid } from '../json/fields.ts'
import { tenant } from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import { event as exampleEvent } from './event-example.ts'

const tag = 'Events'
const access = { scope: 'webhooks:read' } as const

const list = operation({
  id: 'listEvents',
  tag,
  summary: { en: 'List events, newest first', es: 'Listar eventos, los más nuevos primero' },
  description: {
    en: 'Every event for ever, also those that no endpoint received. Each item has the bytes that are sent.',
    es: 'Todos los eventos, para siempre, también los que ningún endpoint recibió. Cada elemento tiene los bytes que se envían.',
  },
  access,
  query: eventListQuery,
  answers: ok({ en: 'A page.', es: 'Una página.' }, eventPage, {
    last: JSON.parse(eventPageText({ items: [exampleEvent], next: null }, cursorScope('events', ''))) as unknown,
  }),
  refused: parseEventList(tenant.id, 'type=payout.rejected&limit=500'),
})

const get = operation({
  id: 'getEvent',
  tag,
  summary: { en: 'Read an event', es: 'Leer un evento' },
  description: {
    en: 'The bytes that are sent. `data` is the state at the time of the event; read the payout or deposit for its present state.',
    es: 'Los bytes que se envían. `data` es el estado en el momento del evento; lea el pago o el depósito para ver su estado actual.',
  },
  access,
  path: z.object({ id: uuid.meta({ examples: [exampleEvent.id] }) }),
  answers: ok({ en: 'The event.', es: 'El evento.' }, event, {
    completed: JSON.parse(eventText(exampleEvent)) as unknown,
  }),
  refused: parseNoQuery('expand=deliveries'),
  errors: ['EVENT_NOT_FOUND'],
})

export const eventPaths: ZodOpenApiPathsObject = { '/v1/events': { get: list }, '/v1/events/{id}': { get } }
