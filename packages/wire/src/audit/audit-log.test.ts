import type { AuditRecord } from '@quipu/core/operator'
import { anyId, anyInstant, anyText } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectBoundCursors, issuesOf } from '../list/query.fixture.ts'
import {
  auditEntry,
  auditEntryToJson,
  auditPage,
  auditPageOf,
  auditQueryOf,
  checkpointToJson,
  parseAuditList,
} from './audit-log.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'
const anyHash = fc.stringMatching(/^[0-9a-f]{64}$/)
const anyState = fc.option(fc.dictionary(fc.constantFrom('status', 'reason'), anyText))

const anyRecord: fc.Arbitrary<AuditRecord> = fc
  .record({
    id: fc.bigInt({ min: 0n, max: 10n ** 18n }),
    at: anyInstant,
    actor: fc.option(anyText),
    tokenId: fc.option(anyId('opt')),
    address: fc.option(anyText),
    session: fc.option(anyText),
    action: anyText,
    tenantId: fc.option(anyId('ten')),
    subject: anyText,
    before: anyState,
    after: anyState,
    hash: anyHash,
  })
  .map((record) => record as AuditRecord)

test('an entry shows who did what, the states before and after, and its hash', () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const json = auditEntryToJson(record)
      expect(json).toEqual({
        id: record.id.toString(),
        at: record.at.toISOString(),
        actor: record.actor,
        token_id: record.tokenId,
        address: record.address,
        session: record.session,
        action: record.action,
        tenant_id: record.tenantId,
        subject: record.subject,
        before: record.before,
        after: record.after,
        hash: record.hash,
      })
      const page = { data: [json], next_cursor: null }
      expect(auditPage.parse(page)).toEqual(page)
    }),
  )
})

test.each([
  ['id', ['0', '1', '10', '9'.repeat(19)], ['', '01', '-1', 'x1', '1x', '9'.repeat(20), '1.5']],
  ['hash', ['5e'.repeat(32)], ['5E'.repeat(32), `0${'5e'.repeat(32)}`, '5e'.repeat(31), '5e']],
])('the %s of an entry', (member, good, bad) => {
  const [record] = fc.sample(anyRecord, { numRuns: 1, seed: 1 })
  if (!record) throw new Error('no record was drawn')
  const json = auditEntryToJson(record)
  const accepts = (text: string) => auditEntry.safeParse({ ...json, [member]: text }).success
  expect(good.filter(accepts)).toEqual(good)
  expect(bad.filter(accepts)).toEqual([])
})

test('a page has at most its limit, and a next page if one record more was read', () => {
  const records = fc.sample(anyRecord, { numRuns: 3, seed: 1 })
  const [first, second] = records
  if (!first || !second) throw new Error('no records were drawn')
  expect(auditPageOf(records, 3)).toEqual({ items: records, next: null })
  expect(auditPageOf(records, 4)).toEqual({ items: records, next: null })
  expect(auditPageOf(records, 2)).toEqual({
    items: [first, second],
    next: { createdAt: second.at, id: second.id.toString() },
  })
  expect(auditPageOf([], 2)).toEqual({ items: [], next: null })
  expect(auditPageOf(records, 0)).toEqual({ items: [], next: null })
})

test.each([1, 2, 3, 4])('the page after one of %i records begins after its last record', (limit) => {
  const records = fc.sample(anyRecord, { numRuns: limit + 1, seed: 2 })
  const last = records[limit - 1]
  if (!last) throw new Error('no record was drawn')
  expect(auditPageOf(records, limit)).toEqual({
    items: records.slice(0, limit),
    next: { createdAt: last.at, id: last.id.toString() },
  })
})

function list(search: string) {
  const parsed = parseAuditList(search)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return parsed.value
}

test.each([
  ['', {}],
  [`tenant_id=${tenantId}`, { tenantId }],
  ['actor=ana', { actor: 'ana' }],
  ['action=tenant.update', { action: 'tenant.update' }],
  ['subject=po_1', { subject: 'po_1' }],
  ['from=2026-11-01T00:00:00Z', { from: new Date('2026-11-01T00:00:00Z') }],
  ['to=2026-11-01T00:00:00Z', { to: new Date('2026-11-01T00:00:00Z') }],
])('the list takes %s', (search, filters) => {
  expect(list(search).query).toEqual({ limit: 50, ...filters })
  expect(auditQueryOf(list(search).query)).toEqual({ limit: 51, ...filters })
})

test('the next page is before the last entry of the page before it, with the same filters', () => {
  expectBoundCursors(
    parseAuditList,
    ['', `tenant_id=${tenantId}`, 'actor=ana', 'action=tenant.update', 'subject=po_1'],
    '12',
  )
  const after = { createdAt: new Date(), id: '12' }
  expect(auditQueryOf({ limit: 2, after })).toEqual({ limit: 3, before: 12n })
})

test('filters are texts of these lengths', () => {
  const refused = (search: string) => issuesOf(parseAuditList(search)).length
  for (const [name, max] of [
    ['actor', 64],
    ['action', 64],
    ['subject', 512],
  ] as const) {
    expect(refused(`${name}=${'x'.repeat(max)}`)).toBe(0)
    expect(refused(`${name}=${'x'.repeat(max + 1)}`)).toBe(1)
    expect(refused(`${name}=`)).toBe(1)
  }
  expect(refused('tenant_id=1')).toBe(1)
  expect(refused('token_id=1')).toBe(1)
  expect(issuesOf(parseAuditList('day=1'))).toEqual([
    'day is not allowed in the query; allowed are tenant_id, actor, token_id, action, subject, from, to, limit, cursor',
  ])
})

test('a checkpoint of a log line has the id, the hash, the instant and the signature', () => {
  const checkpoint = {
    id: 12n,
    hash: '5e'.repeat(32),
    signature: 'c7'.repeat(32),
    at: new Date('2026-11-20T15:04:05.000Z'),
  }
  expect(checkpointToJson(checkpoint)).toEqual({
    id: '12',
    hash: '5e'.repeat(32),
    at: '2026-11-20T15:04:05.000Z',
    signature: 'c7'.repeat(32),
  })
})
