import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellIds } from '../ids.ts'
import { bob } from '../money.ts'
import type { StatementRow } from '../network/qr-network.ts'
import { line, minute, payment, slice, statementHarness } from './compare-statement.fixture.ts'
import type { PaymentRecord } from './ports.ts'
import { ids } from './reconciliation.fixture.ts'

describe('a slice of the statement', () => {
  test('agrees with payouts that were paid by its lines', async () => {
    const { compare, found } = statementHarness(
      [line('po_1', 0), line('po_2', 29.9)],
      [payment('po_1', 0.1), payment('po_2', 30.1)],
    )
    expect(await compare(slice)).toEqual({ compared: 2, differences: 0 })
    expect(found()).toEqual([])
  })

  test('agrees with a refunded payout, whose payment the network returned', async () => {
    const refunded = { ...payment('po_1', 1), isRefunded: true }
    const { compare, found } = statementHarness([], [refunded])
    expect(await compare(slice)).toEqual({ compared: 0, differences: 0 })
    expect(found()).toEqual([])
  })

  test('shows money that came back apart from a payment that is missing', async () => {
    const { compare, found } = statementHarness([line('po_1', 5, { type: 'return' })], [payment('po_1', 1)])
    expect(await compare(slice)).toEqual({ compared: 1, differences: 2 })
    expect(found().toSorted()).toEqual(['absent_there po_1', 'returned po_1'])
  })

  test('agrees with a return that people have refunded', async () => {
    const refunded = { ...payment('po_1', 1), isRefunded: true }
    const { compare, found } = statementHarness([line('po_1', 1), line('po_1', 9, { type: 'return' })], [refunded])
    expect(await compare(slice)).toEqual({ compared: 2, differences: 0 })
    expect(found()).toEqual([])
  })

  test('shows the return of a payout once, also with lines of it in two slices', async () => {
    const lines = [line('po_1', 1), line('po_1', 1, { type: 'return' }), line('po_1', 50, { type: 'return' })]
    const { compare, found } = statementHarness(lines, [payment('po_1', 1)])
    for (const from of [0, 30])
      expect(await compare({ from: minute(from), to: minute(from + 30) })).toMatchObject({
        differences: from === 0 ? 1 : 0,
      })
    expect(found()).toEqual(['returned po_1'])
  })

  test('leaves to other cells the lines with their letter, and what tenants did that have moved', async () => {
    const made = { h: cellIds('h', ids).next('po', minute(1)), g: cellIds('g', ids).next('po', minute(1)) }
    const moved = { ...payment('po_1', 1, { status: 'processing' }), isElsewhere: true }
    const absent = { ...payment('po_2', 1), isElsewhere: true }
    const lines = [line(made.h, 1), line('po_1', 1)]
    const other = statementHarness(lines, [moved, absent], 'g')
    expect(await other.compare(slice)).toEqual({ compared: 2, differences: 0 })
    const own = statementHarness([line(made.g, 1), line('TREASURY', 1)], [], 'g')
    await own.compare(slice)
    expect(own.found()).toEqual([`unknown_here ${made.g}`, 'unknown_here TREASURY'])
    const without = statementHarness([line(made.h, 1)], [])
    await without.compare(slice)
    expect(without.found()).toEqual([`unknown_here ${made.h}`])
  })

  const one = [payment('po_1', 1)]
  test.each<[string, StatementRow[], PaymentRecord[]]>([
    ['unknown_here', [line('po_9', 1), line('po_1', 1)], one],
    ['not_completed', [line('po_1', 1)], [payment('po_1', 2, { status: 'cancelled' })]],
    ['other_amount', [line('po_1', 1, { amount: bob(100_01n) })], one],
    ['paid_twice', [line('po_1', 1), line('po_1', 1)], one],
    ['paid_twice', [line('po_1', 1), line('po_1', 20, { paymentId: 'np-2' })], one],
    ['other_time', [line('po_1', 20)], one],
    ['returned', [line('po_1', 1), line('po_1', 20, { type: 'return' })], one],
    // The debit says that it was reverted, and a credit brings the money.
    ['returned', [line('po_1', 1), line('po_1', 1, { type: 'return' }), line('po_1', 20, { type: 'return' })], one],
    ['returned', [line('po_1', 1, { type: 'return' })], [payment('po_1', 2, { status: 'failed' })]],
    ['unknown_here', [line('po_1', 1), line('po_9', 1, { type: 'return' })], one],
    ['absent_there', [], one],
  ])('shows %s', async (kind, lines, payments) => {
    const { compare, differences } = statementHarness(lines, payments)
    expect(await compare(slice)).toMatchObject({ differences: 1 })
    expect(differences.all()).toMatchObject([
      {
        check: 'network',
        kind,
        scope: '2026-11-20T10:00:00.000Z',
        subject: kind === 'unknown_here' ? 'po_9' : 'po_1',
        tenantId: kind === 'unknown_here' ? null : 'ten_1',
      },
    ])
  })

  test('shows a payment that payouts of two tenants name: one of them has not received it', async () => {
    const [mine, theirs] = [payment('po_1', 1), { ...payment('po_1', 1), tenantId: 'ten_2' }]
    const released = { ...mine, status: 'failed' as const }
    for (const [kind, payments] of [
      ['not_completed', [released, theirs]],
      ['not_completed', [theirs, released]],
      ['absent_there', [mine, theirs]],
    ] as const) {
      const { compare, differences } = statementHarness([line('po_1', 1)], [...payments])
      expect(await compare(slice)).toEqual({ compared: 1, differences: 1 })
      expect(differences.all()).toMatchObject([{ kind, tenantId: kind === 'absent_there' ? 'ten_2' : 'ten_1' }])
    }
  })

  test('names both amounts', async () => {
    const { compare, differences } = statementHarness([line('po_1', 1, { amount: bob(101_00n) })], one)
    await compare(slice)
    expect(differences.all()).toMatchObject([
      {
        detail:
          'the network paid 101.00 BOB at 2026-11-20T10:01:00.000Z (payment np-po_1); the payout is of 100.00 BOB',
        expected: bob(100_00n),
        found: bob(101_00n),
      },
    ])
  })

  test('finds the line of a payout that ended long after its payment', async () => {
    const late = payment('po_1', 10, { created: -600 })
    const { compare, found, reads } = statementHarness([line('po_1', -599)], [late])
    await compare(slice)
    expect(found()).toEqual([])
    expect(reads).toEqual([
      { from: minute(-5), to: minute(35) },
      { from: minute(-605), to: minute(-5) },
    ])
  })

  test('finds a second payment a day later', async () => {
    const { compare, found } = statementHarness([line('po_1', -1440), line('po_1', 5)], [payment('po_1', -1439.9)])
    await compare(slice)
    expect(found()).toEqual(['other_time po_1'])
  })

  const unnamed = (created: number, ended: number): PaymentRecord => ({
    ...payment('po_1', ended, { created }),
    networkPaymentId: null,
  })

  test.each([
    ['a moment before the boundary', -0.5, -0.6],
    ['five minutes before it', -5, -5.1],
    ['hours before it, while the payout was open', -300, -600],
  ])('finds the second of two payments, the first %s', async (_, first, created) => {
    const lines = [line('po_1', first), line('po_1', 0.5, { paymentId: 'np-2' })]
    const { compare, found } = statementHarness(lines, [unnamed(created, 1)])
    await compare({ from: minute(-30), to: minute(0) })
    expect(found()).toEqual([])
    await compare(slice)
    expect(found()).toEqual(['paid_twice po_1'])
  })

  test('one payment of a payout that was open for long is no second one', async () => {
    const { compare, found, reads } = statementHarness([line('po_1', 0)], [unnamed(-600, 1)])
    await compare(slice)
    expect(found()).toEqual([])
    expect(reads.at(-1)).toEqual({ from: minute(-605), to: minute(-5) })
  })

  test('is idempotent, and what it no longer finds is gone', async () => {
    const { compare, found, lines } = statementHarness([], [payment('po_1', 1), payment('po_2', 2)])
    await compare(slice)
    await compare(slice)
    expect(found()).toEqual(['absent_there po_1', 'absent_there po_2'])
    lines.push(line('po_1', 1))
    expect(await compare(slice)).toEqual({ compared: 1, differences: 1 })
    expect(found()).toEqual(['absent_there po_2'])
  })

  test('a part of a slice leaves what the rest has', async () => {
    const { compare, found, payments } = statementHarness([], [payment('po_1', 1), payment('po_2', 20)])
    await compare(slice)
    payments.splice(0)
    for (const part of [
      { from: slice.from, to: minute(29) },
      { from: minute(1), to: slice.to },
    ])
      expect(await compare(part)).toEqual({ compared: 0, differences: 0 })
    expect(found()).toEqual(['absent_there po_1', 'absent_there po_2'])
    await compare(slice)
    expect(found()).toEqual([])
  })
})

/** A payout and what the network's statement has about it. */
const anyCase = fc.record({
  ended: fc.integer({ min: 0, max: 179 }),
  processedMinutes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })),
  fault: fc.constantFrom('none', 'none', 'missing', 'doubled', 'amount', 'refused', 'unknown' as const),
})

const expectedKind = {
  missing: 'absent_there',
  doubled: 'paid_twice',
  amount: 'other_amount',
  refused: 'not_completed',
  unknown: 'unknown_here',
} as const

test('finds every fault of six slices, each exactly once, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCase, { maxLength: 40 }), async (cases) => {
      const lines: StatementRow[] = []
      const payments: PaymentRecord[] = []
      const expected: string[] = []
      for (const [n, { ended, processedMinutes, fault }] of cases.entries()) {
        const id = `po_${n}`
        const paid = ended - processedMinutes
        const status = fault === 'refused' ? 'failed' : 'completed'
        if (fault !== 'unknown') payments.push(payment(id, ended, { status, created: paid }))
        const amount = bob(fault === 'amount' ? 1n : 100_00n)
        if (fault !== 'missing') lines.push(line(id, paid, { amount }))
        if (fault === 'doubled') lines.push(line(id, paid))
        if (fault === 'missing' || (fault !== 'none' && paid >= 0)) expected.push(`${expectedKind[fault]} ${id}`)
      }
      const { compare, found } = statementHarness(lines, payments)
      for (let n = 0; n < 6; n++) await compare({ from: minute(n * 30), to: minute(n * 30 + 30) })
      expect(found().toSorted()).toEqual(expected.toSorted())
    }),
  )
})
