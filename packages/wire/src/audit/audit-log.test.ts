import type { AuditRecord } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import * as example from '../openapi/example.ts'
import { auditPageOf, auditQueryOf } from './audit-log.ts'

test('a page has at most its limit, and a next page if one record more was read', () => {
  const records = [3n, 2n, 1n].map((id) => ({ id, at: example.at(Number(id)) }) as AuditRecord)
  expect(auditPageOf(records, 3)).toEqual({ items: records, next: null })
  expect(auditPageOf(records, 4)).toEqual({ items: records, next: null })
  expect(auditPageOf(records, 2)).toEqual({ items: records.slice(0, 2), next: { createdAt: example.at(2), id: '2' } })
  expect(auditPageOf([], 2)).toEqual({ items: [], next: null })
})

test('the next page is before the last entry of the page before it, and is read with one entry more', () => {
  expect(auditQueryOf({ limit: 2, after: { createdAt: example.at(0), id: '12' } })).toEqual({ limit: 3, before: 12n })
})
