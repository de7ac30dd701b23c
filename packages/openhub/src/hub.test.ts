import type { Reply, SwitchesPatch } from '@quipu/simulators'
import { describe, expect, test } from 'vitest'
import { contradictionOf, endOf, paidCourses, simulatedHub, unpaidCourses } from './hub.fixture.ts'

const replies: readonly Reply[] = [
  ...([
    'normal',
    'lost',
    'truncated',
    'no_data',
    'unknown_state',
    'other_transaction',
    'no_transaction',
    'other_reference',
  ] as const),
  ...(['no_order_number', 'amount_zero', 'no_amount', 'usd', '94', '95', '96', '99', '14', '502'] as const),
]
const references: readonly SwitchesPatch[] = [
  {},
  { reference_at_confirm: 'same', status_by: 'scan' },
  { status_by: 'scan' },
  { status_by: 'both', unconfirmed_status: '04' },
]

describe.each(references)('with %j', (switches) => {
  test.each(replies)('an order answered %s is never ended against the ledger, whatever its course', async (confirm) => {
    const world = await simulatedHub(switches)
    for (const course of [...paidCourses, ...unpaidCourses]) {
      const order = await world.order({ confirm, course })
      const end = await endOf(world, order)
      expect([course, end.type, contradictionOf(world, order, end)]).toEqual([course, end.type, undefined])
      // A payment is found in the debits, whatever was lost.
      if (paidCourses.includes(course)) expect([course, end.type]).toEqual([course, 'paid'])
    }
  })
})

describe('each form of the documentation', () => {
  test.each<SwitchesPatch>([
    { ids: 'number' },
    { amounts: 'number' },
    { amounts: 'string' },
    { empty: 'null' },
    { empty: 'absent' },
    { empty: 'N/A' },
    { expiry: 'compact' },
    { times: 'milliseconds' },
    { times: 'seconds' },
    { token_status: 200 },
    { token_single: true },
    { token_life_seconds: 1 },
    { debits_days_max: 0 },
  ])('%j pays, and shows the payment once', async (switches) => {
    const world = await simulatedHub(switches)
    for (const request of [
      {},
      { amount_mode: 'open' as const },
      { amount_mode: 'open' as const, description: undefined },
    ]) {
      const order = await world.order(request, 123_45n)
      const before = (await world.network.liquidity()).available.minor
      const end = await world.network.pay(order)
      expect(end).toMatchObject({ type: 'paid', amount: order.amount })
      expect(contradictionOf(world, order, end)).toBeUndefined()
      expect(before - (await world.network.liquidity()).available.minor).toBe(order.amount.minor)
      const rows = await world.rows(new Date('2026-11-18T00:00:00Z'), world.now())
      expect(rows.filter(({ reference }) => reference === order.reference)).toMatchObject([
        { type: 'payment', amount: order.amount },
      ])
    }
  })
})

test('a payment whose money came back is returned, and shows as a return', async () => {
  const world = await simulatedHub()
  const order = await world.order({ course: 'paid_returned' })
  const paid = await world.network.pay(order)
  await world.advance(60_000)
  const networkRef = paid.type === 'paid' ? (paid.networkRef ?? '') : ''
  expect(await world.network.status(order.reference, networkRef)).toEqual({ type: 'returned' })
  const rows = await world.rows(new Date('2026-11-21T00:00:00Z'), world.now())
  expect(rows.filter(({ reference }) => reference === order.reference).map(({ type }) => type)).toContain('return')
})

test('debits without our ids show under their own, and the sum of all rows is the money that left', async () => {
  const world = await simulatedHub({ debits_with_transaction_id: false, commission: '0.50', commission_as: 'row' })
  world.hub.addMovements([{ amount: '7.00', times: 3 }])
  await world.network.pay(await world.order())
  const rows = await world.rows(new Date('2026-11-21T00:00:00Z'), world.now())
  expect(rows.every(({ reference }) => reference.startsWith('openhub:'))).toBe(true)
  const sum = rows.reduce((total, { amount }) => total + amount.minor, 0n)
  expect(sum).toBe(121_50n)
  expect(world.hub.ledger().accounts[0]?.debits).toBe('121.50')
})

test.each<[Reply, object]>([
  ['13', { type: 'no_liquidity' }],
  ['09', { type: 'refused_qr' }],
  ['15', { type: 'not_sent' }],
])('an order refused with %s is final', async (confirm, expected) => {
  const world = await simulatedHub()
  const order = await world.order({ confirm })
  const end = await world.network.pay(order)
  expect(end).toMatchObject(expected)
  expect(contradictionOf(world, order, end)).toBeUndefined()
})

test('a blocked account is unavailable', async () => {
  const world = await simulatedHub({ account_state: 'BLOQUEADA' })
  await expect(world.network.liquidity()).rejects.toThrow('BLOQUEADA')
  expect((await simulatedHub()).network.capabilities).toMatchObject({
    isPayRepeatable: false,
    isReadingSingleUse: true,
  })
})
