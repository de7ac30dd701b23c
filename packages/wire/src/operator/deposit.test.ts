import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDepositList } from '../deposit/deposit.ts'
import { depositToJson } from '../deposit/deposit-to-json.ts'
import { anyDeposit, anyDepositIn } from '../deposit/funding.fixture.ts'
import { pageToJson } from '../list/list.ts'
import {
  operatorDeposit,
  operatorDepositToJson,
  parseCloseDeposit,
  parseCreditDeposit,
  parseOperatorDepositList,
} from './deposit.ts'

test('an operator sees the deposit as its tenant does, with the tenant and the closing', () => {
  fc.assert(
    fc.property(anyDeposit, (deposit) => {
      const { tenant_id, closed, ...shown } = operatorDepositToJson(deposit)
      const { closed_at, close_reason, ...own } = depositToJson(deposit)
      expect(shown).toEqual(own)
      expect([closed?.at, closed?.reason]).toEqual([closed_at, close_reason])
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
      expect(json.closed).toEqual(
        closed && { at: closed.at.toISOString(), actor: closed.actor, reason: closed.reason },
      )
    }),
  )
})

test('the list takes status, open, from and to, and its cursors are not valid for tenants', () => {
  const search = 'status=in_review&open=true&from=2026-11-20T00:00:00Z'
  const parsed = parseOperatorDepositList(search)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  const from = new Date('2026-11-20T00:00:00Z')
  expect(parsed.value.query).toEqual({ limit: 50, status: 'in_review', open: true, from })
  expect(parseOperatorDepositList('open=false')).toMatchObject({
    value: { query: { open: false } },
  })
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
  expect(parse({ reason: 'Returned.' })).toEqual({
    ok: true,
    value: { reason: 'Returned.' },
  })
  for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }, { reason: null }])
    expect(parse(body)).toMatchObject({ ok: false, issues: [{ field: 'reason' }] })
})
