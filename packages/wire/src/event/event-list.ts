import { type Page, tenantEventTypes } from '@quipu/core'
import type { EventQuery, EventRecord } from '@quipu/core/adapter'
import { type CursorScope, encodeCursor } from '../list/cursor.ts'
import { event } from './event.ts'
import { oneOf, queryMembers } from '../json/fields.ts'
import { parseList, periodOf } from '../list/filtered-list.ts'
import { type ListRequest, pageOf } from '../list/list.ts'
import type { Parsed } from '../json/parsed.ts'

export const eventListQuery = queryMembers({ type: oneOf(tenantEventTypes).optional(), ...periodOf('Recorded') })

export const eventPage = pageOf(event, 'EventPage')

/** Reads the query of `GET /v1/events`. */
export const parseEventList = (tenantId: string, search: URLSearchParams | string): Parsed<ListRequest<EventQuery>> =>
  parseList(eventListQuery, ['events', tenantId], search)

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The event as JSON text, with the bytes that are sent. */
export const eventText = ({ body }: Pick<EventRecord, 'body'>): string => utf8.decode(body)

/** A page as JSON text, each event with the bytes that are sent. */
export const eventPageText = ({ items, next }: Page<Pick<EventRecord, 'body'>>, scope: CursorScope): string =>
  `{"data":[${items.map(eventText).join()}],"next_cursor":${JSON.stringify(next && encodeCursor(next, scope))}}`
