import { tenantEventTypes } from '@quipu/core'
import type { EventRecord } from '@quipu/core/adapter'
import { anyId, anyInstant, anyUuid } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectFilters, issuesOf } from '../list/query.fixture.ts'
import {
  operatorEventPage,
  operatorEventToJson,
  parseOperatorEventList,
  sentEvent,
  sentEventToJson,
} from './operator-event.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'

const anyEvent: fc.Arbitrary<EventRecord> = fc
  .record({
    id: anyUuid,
    tenantId: anyId('ten'),
    type: fc.constantFrom(...tenantEventTypes),
    subjectId: anyId('po'),
    occurredAt: anyInstant,
    recordedAt: anyInstant,
    // Quipu's own names: none of them is `__proto__`, which the schema drops.
    body: fc
      .dictionary(fc.stringMatching(/^[a-z]{1,9}$/), fc.string())
      .map((body) => Buffer.from(JSON.stringify(body))),
  })
  .map((event) => event as EventRecord)

test('an event shows its tenant, its subject and both instants', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const json = operatorEventToJson(event)
      expect(json).toEqual({
        id: event.id,
        tenant_id: event.tenantId,
        type: event.type,
        subject_id: event.subjectId,
        occurred_at: event.occurredAt.toISOString(),
        recorded_at: event.recordedAt.toISOString(),
      })
      const page = { data: [json], next_cursor: null }
      expect(operatorEventPage.parse(page)).toEqual(page)
    }),
  )
})

test('an event alone shows what its endpoints receive, too', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const json = sentEventToJson(event)
      const body: unknown = JSON.parse(Buffer.from(event.body).toString())
      expect(json).toEqual({ ...operatorEventToJson(event), body })
      expect(sentEvent.parse(json)).toEqual(json)
    }),
  )
})

test('the list takes a tenant, a type, a subject and a period, and binds its cursors to them', () => {
  const subjectId = 'x'.repeat(64)
  const [from, to] = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z']
  const filters = {
    '': {},
    [`tenant_id=${tenantId}`]: { tenantId },
    'type=payout.completed': { type: 'payout.completed' },
    [`subject_id=${subjectId}`]: { subjectId },
    [`from=${from}&to=${to}`]: { from: new Date(from), to: new Date(to) },
  }
  expectFilters(parseOperatorEventList, filters, '019aa1f4-54f0-7000-8000-00000000000b')
  for (const search of [`subject_id=${subjectId}x`, 'subject_id='])
    expect(issuesOf(parseOperatorEventList(search))).toHaveLength(1)
})
