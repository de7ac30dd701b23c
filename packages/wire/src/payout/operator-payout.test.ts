import { type Payout } from '@quipu/core'
import type { PayoutOverview } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { pageLimit } from '../list/list.ts'
import { issuesOf, queryOf } from '../list/query.fixture.ts'
import * as example from '../openapi/example.ts'
import { payoutToJson } from './payout-to-json.ts'
import { operatorPayout, operatorPayoutPage, operatorPayoutToJson, parseOperatorPayoutList } from './operator-payout.ts'

const { completed, processing, failed, rejected, cancelled } = example.payouts
const now = new Date('2026-11-20T12:00:00.000Z')
const read = (search: string) => parseOperatorPayoutList(search, now)
const list = (search: string) => queryOf(read, search)

const open: NonNullable<PayoutOverview['open']> = {
  claimCount: 3,
  unanswered: 2,
  dueAt: now,
  raised: { PAYOUT_UNRESOLVED: 'for 600 s', LEDGER_DIFFERENCE: 'by 1' } as never,
}

test('an operator sees a payout as its tenant does, with the tenant after the id', () => {
  for (const payout of Object.values(example.payouts)) {
    const json = operatorPayoutToJson({ payout, open: null })
    const { id, ...others } = payoutToJson(payout)
    expect(json).toMatchObject({ id, tenant_id: payout.tenantId, ...others, open: null })
    expect(Object.keys(json).slice(0, 2)).toEqual(['id', 'tenant_id'])
    const page = { data: [json], next_cursor: null }
    expect(operatorPayoutPage.parse(page)).toEqual(page)
  }
})

test('a payout shows when it ended, and what the network calls its QR and its payment', () => {
  const shown = (payout: Payout) => {
    const json = operatorPayoutToJson({ payout, open: null })
    return [json.ended_at, json.network_reference, json.network_payment_id]
  }
  const named = { networkRef: 'QR-1' }
  const end = example.at(1).toISOString()
  expect(shown({ ...processing, ...named })).toEqual([null, 'QR-1', null])
  expect(shown({ ...completed, ...named, networkPaymentId: 'np-1' } as Payout)).toEqual([end, 'QR-1', 'np-1'])
  expect(shown({ ...completed, ...named, networkPaymentId: null } as Payout)).toEqual([end, 'QR-1', null])
  expect(shown({ ...failed, ...named })).toEqual([end, 'QR-1', null])
  expect(shown(rejected)).toEqual([end, null, null])
  expect(shown(cancelled)).toEqual([end, null, null])
})

test('a payout in processing shows the work on it, and the newest alert of each code', () => {
  const json = operatorPayoutToJson({ payout: processing, open })
  expect(operatorPayout.parse(json)).toEqual(json)
  expect(json.open).toEqual({
    claims: 3,
    unanswered: 2,
    due_at: now.toISOString(),
    alerts: [
      { code: 'PAYOUT_UNRESOLVED', detail: 'for 600 s' },
      { code: 'LEDGER_DIFFERENCE', detail: 'by 1' },
    ],
  })
  const accepts = (changed: object): boolean =>
    operatorPayout.safeParse({ ...json, open: { ...json.open, ...changed } }).success
  expect(accepts({ claims: 0, unanswered: 0 })).toBe(true)
  expect([{ claims: -1 }, { unanswered: -1 }].filter(accepts)).toEqual([])
})

test('payouts of at least this age were created at the latest then, or before the end of the period', () => {
  const hourAgo = new Date('2026-11-20T11:00:00.000Z')
  expect(list('older_than_seconds=3600')).toEqual({ limit: pageLimit.default, to: hourAgo })
  for (const [to, latest] of [
    ['2026-11-20T10:59:59.999Z', new Date('2026-11-20T10:59:59.999Z')],
    ['2026-11-20T11:00:00.000Z', hourAgo],
    ['2026-11-20T11:00:00.001Z', hourAgo],
  ] as const)
    expect(list(`older_than_seconds=3600&to=${to}`)).toEqual({ limit: pageLimit.default, to: latest })
  expect(list('older_than_seconds=31622400').to).toEqual(new Date('2025-11-19T12:00:00.000Z'))
})

test('a target is exact, or a range whose ends are in order', () => {
  expect(issuesOf(read('target=1&target_from=1'))).toEqual(['target_from must be left out with target'])
  expect(issuesOf(read('target_from=2&target_to=1.99'))).toEqual(['target_from must not be above target_to'])
})
