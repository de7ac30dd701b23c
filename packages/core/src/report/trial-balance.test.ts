import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bob, usdt } from '../money.ts'
import { movementLines, type Movement } from '../treasury/movement.ts'
import type { Books } from './ports.ts'
import { balanceLines } from './trial-balance.ts'

const at = new Date('2026-11-20T12:00:00.000Z')
const amount = fc.bigInt({ min: 1n, max: 10n ** 15n })
const anyMovement = fc
  .record({
    kind: fc.constantFrom('sale', 'funding', 'withdrawal', 'capital_in', 'capital_out', 'fee'),
    account: fc.constantFrom('treasury', 'bank', 'network'),
    usdt: amount.map(usdt),
    bob: amount.map(bob),
    reverses: fc.constantFrom(null, 'trm_1'),
  })
  .map((each) => each as Pick<Movement, 'kind' | 'account' | 'usdt' | 'bob' | 'reverses'>)

const anyBooks = fc
  .record({
    deposited: amount,
    uncredited: amount,
    captured: amount,
    adjusted: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
    returned: amount,
    swept: amount,
    paid: amount,
    repaid: amount,
    held: amount,
    moved: fc.array(anyMovement, { maxLength: 8 }),
  })
  .map(({ moved, held, ...sums }): Books => {
    const owed = sums.deposited - sums.captured + sums.adjusted
    return {
      stored: { available: usdt(owed - held), held: usdt(held) },
      deposited: usdt(sums.deposited),
      captured: usdt(sums.captured),
      adjusted: usdt(sums.adjusted),
      received: usdt(sums.deposited + sums.uncredited + sums.returned),
      returned: usdt(sums.returned),
      swept: usdt(sums.swept),
      chainDifference: usdt(0n),
      paid: bob(sums.paid),
      repaid: bob(sums.repaid),
      moved: moved.flatMap(movementLines),
    }
  })

const unexplained = (lines: ReturnType<typeof balanceLines>) =>
  lines.filter(({ side }) => side === 'unexplained').map(({ amount: { currency, minor } }) => [currency, minor])

test('what was recorded balances in each currency by itself, now and in the past', () => {
  fc.assert(
    fc.property(anyBooks, (books) => {
      for (const observed of [undefined, {}])
        expect(unexplained(balanceLines(books, at, observed))).toEqual([
          ['USDT', 0n],
          ['BOB', 0n],
        ])
    }),
  )
})

test('what chain and network show and no row explains is a line of its own, as is a wallet that is off', () => {
  fc.assert(
    fc.property(anyBooks, amount, amount, (books, less, more) => {
      const recorded = balanceLines(books, at, {})
      const of = (account: string) =>
        recorded.find((line) => line.side === 'asset' && line.account === account)?.amount.minor ?? 0n
      const lines = balanceLines(books, at, {
        treasury: { amount: usdt(of('treasury') - less), at },
        network: { amount: bob(of('network') + more), at: new Date(0) },
      })
      expect(unexplained(lines)).toEqual([
        ['USDT', -less],
        ['BOB', more],
      ])
      expect(lines.find(({ account }) => account === 'network')).toMatchObject({ basis: 'observed', asOf: new Date(0) })
      const off = { ...books, stored: { ...books.stored, available: usdt(books.stored.available.minor + less) } }
      expect(unexplained(balanceLines(off, at, {}))[0]).toEqual(['USDT', -less])
    }),
  )
})
