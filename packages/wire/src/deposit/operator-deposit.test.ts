import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseDepositList } from './deposit.ts'
import { depositToJson } from './deposit-to-json.ts'
import { anyDeposit, anyDepositIn } from './funding.fixture.ts'
import { pageToJson } from '../list/list.ts'
import { expectBoundCursors, issuesOf, queryOf } from '../list/query.fixture.ts'
import {
  operatorDeposit,
  operatorDepositListQuery,
  operatorDepositDetail,
  operatorDepositDetailToJson,
  operatorDepositToJson,
  parseCloseDeposit,
  parseCreditDeposit,
  parseOperatorDepositList,
} from './operator-deposit.ts'

test('an operator sees the deposit as its tenant does, with the tenant and the closing', () => {
  fc.assert(
    fc.property(anyDeposit, (deposit) => {
      const { tenant_id, closed, ...shown } = operatorDepositToJson(deposit)
      const { closed_at, close_reason, ...own } = depositToJson(deposit)
      expect(shown).toEqual(own)
      expect([closed?.at ?? null, closed?.reason ?? null]).toEqual([closed_at, close_reason])
      expect(tenant_id).toBe(deposit.tenantId)
      if (deposit.status !== 'in_review') expect(closed).toBeNull()
    }),
  )
})

test('a closed review shows its actor, time and reason', () => {
  fc.assert(
    fc.property(anyDepositIn('in_review'), (deposit) => {
      const json = operatorDepositToJson(deposit)
      expect(operatorDeposit.parse(json)).toEqual(json)
      const { closed } = deposit
      expect(json.closed).toEqual(closed && { at: closed.at.toISOString(), actor: closed.actor, reason: closed.reason })
    }),
  )
})

test('an undecided deposit shows its attempts, why the last failed, and the next', () => {
  fc.assert(
    fc.property(anyDepositIn('pending'), (deposit) => {
      const nextAt = new Date('2026-11-20T00:00:00Z')
      const attempts = { claimCount: 3, problem: 'no answer', nextAt }
      const json = operatorDepositDetailToJson(deposit, attempts, null)
      expect(operatorDepositDetail.parse(json)).toEqual(json)
      expect(json.attempts).toEqual({ count: 3, problem: 'no answer', next_at: '2026-11-20T00:00:00.000Z' })
      expect(operatorDepositDetailToJson(deposit, undefined, 'clear').attempts).toBeNull()
    }),
  )
})

test('the list takes status, open, from and to, and its cursors are not valid for tenants', () => {
  const search = 'status=in_review&open=true&from=2026-11-20T00:00:00Z'
  const parsed = parseOperatorDepositList(search)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  const from = new Date('2026-11-20T00:00:00Z')
  expect(parsed.value.query).toEqual({ limit: 50, status: 'in_review', open: true, from })
  expect(parseOperatorDepositList('open=false')).toMatchObject({ value: { query: { open: false } } })
  for (const open of ['yes', 'TRUE', '1'])
    expect(parseOperatorDepositList(`open=${open}`)).toMatchObject({ issues: [{ field: 'open' }] })

  const all = parseOperatorDepositList('')
  if (!all.ok) throw new Error('refused')
  const next = { createdAt: from, id: 'dep_01KAGZ8M88000000000000000F' }
  const { next_cursor } = pageToJson({ items: [], next }, depositToJson, all.value.scope)
  expect(parseOperatorDepositList(`cursor=${next_cursor}`)).toMatchObject({ ok: true })
  expect(parseDepositList('ten_1', `cursor=${next_cursor}`)).toMatchObject({ ok: false })
})

test.each([
  ['closed', parseCloseDeposit],
  ['credited', parseCreditDeposit],
])('a review is %s with a reason', (_, parse) => {
  expect(parse({ reason: 'Returned.' })).toEqual({ ok: true, value: { reason: 'Returned.' } })
  for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }, { reason: null }])
    expect(parse(body)).toMatchObject({ ok: false, issues: [{ field: 'reason' }] })
})

test.each([
  ['tenant_id=ten_01K6HZ8M00000000000000000A', { tenantId: 'ten_01K6HZ8M00000000000000000A' }],
  ['review_code=AMOUNT_BELOW_MINIMUM', { reviewCode: 'AMOUNT_BELOW_MINIMUM' }],
  [`tx_hash=${'5e'.repeat(32)}`, { txHash: '5e'.repeat(32) }],
  [`address=${'T'.repeat(64)}`, { address: 'T'.repeat(64) }],
  ['status=credited', { status: 'credited' }],
  ['open=false', { open: false }],
  ['', {}],
])('the list takes %s, and its cursors are bound to it', (search, filters) => {
  expect(queryOf(parseOperatorDepositList, search)).toEqual({ limit: 50, ...filters })
  const searches = [...new Set([search, '', 'address=T'])]
  expectBoundCursors(parseOperatorDepositList, searches, 'dep_01K6HZ8M00000000000000000A')
})

test.each(['tenant_id=1', 'review_code=NONE', 'tx_hash=5e', 'address=', `address=${'T'.repeat(65)}`])(
  'the list refuses %s',
  (search) => {
    expect(issuesOf(parseOperatorDepositList(search))).toHaveLength(1)
  },
)

test('the document states that closed deposits are listed without `open`', () => {
  const { open } = z.toJSONSchema(operatorDepositListQuery).properties ?? {}
  expect(open).toMatchObject({
    enum: ['true', 'false'],
    default: 'false',
    description: 'With `true`, without those that were closed.',
  })
})
