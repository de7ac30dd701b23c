import { bob, toDecimal, usdt } from '@quipu/core'
import { type Difference, differenceChecks, differenceStatuses } from '@quipu/core/operator'
import { anyId, anyInstant, anyText } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cursorScope } from '../list/cursor.ts'
import { byWord, expectFilters, issuesOf, scopeOf } from '../list/query.fixture.ts'
import {
  difference,
  differencePage,
  differenceToJson,
  parseDifferenceClosure,
  parseDifferenceList,
} from './difference.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'
const proposalId = 'prp_01K6HZ8M00000000000000000A'
const anySum = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })

const anyDifference: fc.Arbitrary<Difference> = fc.record({
  id: anyId('dif'),
  check: fc.constantFrom(...differenceChecks),
  kind: anyText,
  scope: anyText,
  tenantId: fc.option(anyId('ten')),
  subject: anyText,
  detail: anyText,
  expected: fc.option(anySum.map(usdt)),
  found: fc.option(anySum.map(bob)),
  foundAt: anyInstant,
  lastSeenAt: anyInstant,
  goneAt: fc.option(anyInstant),
  closure: fc.option(fc.record({ by: anyText, at: anyInstant, reason: anyText, proposalId: fc.option(anyId('prp')) })),
  status: fc.constantFrom(...differenceStatuses),
  change: fc.bigInt({ min: 1n, max: 10n ** 6n }),
})

test('a difference shows both amounts with their currencies, and how it was closed', () => {
  fc.assert(
    fc.property(anyDifference, (stored) => {
      const json = differenceToJson(stored)
      const page = { data: [json], next_cursor: null }
      expect(differencePage.parse(page)).toEqual(page)
      const { closure, expected, found } = stored
      expect(json).toEqual({
        id: stored.id,
        check: stored.check,
        kind: stored.kind,
        status: stored.status,
        tenant_id: stored.tenantId,
        subject: stored.subject,
        detail: stored.detail,
        expected: expected && { currency: 'USDT', amount: toDecimal(expected) },
        found: found && { currency: 'BOB', amount: toDecimal(found) },
        found_at: stored.foundAt.toISOString(),
        last_seen_at: stored.lastSeenAt.toISOString(),
        gone_at: stored.goneAt?.toISOString() ?? null,
        closed_by: closure?.by ?? null,
        closed_at: closure?.at.toISOString() ?? null,
        close_reason: closure?.reason ?? null,
        adjustment_proposal_id: closure?.proposalId ?? null,
      })
    }),
  )
})

const [drawn] = fc.sample(anyDifference, { numRuns: 1, seed: 1 })

test.each([
  ['100.000000', true],
  ['-0.500000', true],
  ['0.00', true],
  ['-100.00', true],
  ['x100.00', false],
  ['100.00x', false],
  ['00.00', false],
  ['01.00', false],
  ['1a.00', false],
  ['1.0', false],
  ['1.000', false],
  ['1.0000000', false],
  ['1.ab', false],
  ['1.abcdef', false],
  ['1x00', false],
  ['--1.00', false],
])('an amount of a difference may be %s: %s', (amount, isAccepted) => {
  if (!drawn) throw new Error('no difference was drawn')
  const json = { ...differenceToJson(drawn), found: { currency: 'USDT', amount } }
  expect(difference.safeParse(json).success).toBe(isAccepted)
})

test('the list takes a status, a check, a tenant and a subject, and binds its cursors to them', () => {
  const subject = 'x'.repeat(512)
  const filters = { ...byWord('status', differenceStatuses), ...byWord('check', differenceChecks) }
  const others = { [`tenant_id=${tenantId}`]: { tenantId }, [`subject=${subject}`]: { subject } }
  expectFilters(parseDifferenceList, { '': {}, ...filters, ...others }, 'dif_01K6HZ8M00000000000000000A')
  for (const search of ['subject=', `subject=${subject}x`])
    expect(issuesOf(parseDifferenceList(search))).toHaveLength(1)
})

test('cursors stay valid as long as their scope does', () => {
  const search = `status=open&check=chain&tenant_id=${tenantId}&subject=po_1`
  const filters = { status: 'open', check: 'chain', tenantId, subject: 'po_1' }
  expect(scopeOf(parseDifferenceList, search)).toEqual(cursorScope('differences', 'operator', filters))
})

test('a closure has a reason of 1 to 500 characters, and the proposal that corrected it if there is one', () => {
  expect(parseDifferenceClosure({ reason: 'Paid back.' })).toEqual({
    ok: true,
    value: { reason: 'Paid back.', proposalId: null },
  })
  expect(parseDifferenceClosure({ reason: 'x'.repeat(500), adjustment_proposal_id: proposalId })).toEqual({
    ok: true,
    value: { reason: 'x'.repeat(500), proposalId },
  })
  for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }])
    expect(issuesOf(parseDifferenceClosure(body))).toHaveLength(1)
  expect(issuesOf(parseDifferenceClosure({ reason: 'x', adjustment_proposal_id: 'dif_1', by: 'me' }))).toEqual([
    'adjustment_proposal_id must be an id that begins with prp_',
    'by is not allowed here; allowed are reason, adjustment_proposal_id',
  ])
})
