import { bob, usdt } from '@quipu/core'
import { balanceLines, type Books, movementLines, type NewMovement } from '@quipu/core/operator'
import { describe, expect, test } from 'vitest'
import { paidAnswer } from '../../fixtures/builders.ts'
import { depositBuilders } from '../../fixtures/deposit/deposit-builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { laterInstant } from '../../fixtures/instants.ts'
import { adjustWallet } from '../../fixtures/proposal/approve-action.ts'
import { credentialOf } from '../../fixtures/proposal/operators.ts'
import { newMovement } from '../treasury/treasury-store.contract.ts'

type Needed =
  | 'reports'
  | 'treasury'
  | 'payouts'
  | 'quotes'
  | 'wallets'
  | 'proposals'
  | 'tenants'
  | 'addresses'
  | 'scans'
  | 'deposits'

const at = new Date('2026-03-04T05:06:07.089Z')
const zero = { currency: 'USDT', minor: 0n }

/** The contract of the books, the position and the liquidity of a `ReportStore`. */
export function booksContract(name: string, open: OpenHarness<Needed>): void {
  describe(`books in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('books without rows are zero', async () => {
      const { moved, ...sums } = await w.reports.books(null)
      expect(moved).toEqual([])
      expect(balanceLines({ ...sums, moved }, at, {}).every(({ amount }) => amount.minor === 0n)).toBe(true)
      expect(await w.reports.position()).toEqual(zero)
    })

    test('books are the sums of wallets, postings, deposits, payments and movements, and balance', async () => {
      const { minor, movements } = await anyBusiness(w)
      const books = await w.reports.books(null)
      expect(books).toMatchObject({
        stored: { available: usdt(minor.available), held: usdt(minor.held) },
        deposited: usdt(50_000_000n),
        captured: usdt(minor.captured),
        adjusted: usdt(1_000_000_000n + minor.refunded),
        received: usdt(50_000_000n + 70_000_000n),
        returned: zero,
        swept: zero,
        paid: bob(2n * 10_000n),
        repaid: bob(10_000n),
      })
      const lines = movements.flatMap((each) => movementLines(each))
      for (const account of ['treasury', 'bank', 'network'] as const)
        expect(sum(books, (line) => line.account === account)).toBe(
          sum({ moved: lines }, (line) => line.account === account),
        )
      for (const against of ['sales', 'capital', 'fees', null] as const)
        expect(sum(books, (line) => line.against === against)).toBe(
          sum({ moved: lines }, (line) => line.against === against),
        )
      expect(unexplained(books, true)).toEqual([0n, 0n])
      const credited = 50_000_000n
      const treasury = sum(books, (line) => line.account === 'treasury')
      expect((await w.reports.position()).minor).toBe(credited - minor.available - minor.held + treasury)
    })

    test('books of an instant have what came before it', async () => {
      await anyBusiness(w)
      const never = await w.reports.books(new Date(0))
      expect(never).toMatchObject({ deposited: zero, captured: zero, adjusted: zero, received: zero, moved: [] })
      expect(await w.reports.books(new Date(9e12))).toEqual(await w.reports.books(null))
      for (const instant of [laterInstant, new Date(laterInstant.getTime() + 1), at])
        expect(unexplained(await w.reports.books(instant), false)[0]).toBe(0n)
    })

    test('of each hour the newest reading of the liquidity is kept', async () => {
      const now = Math.floor(Date.now() / 3_600_000) * 3_600_000
      const reading = (ms: number, minor: bigint) => ({ at: new Date(now + ms), available: bob(minor) })
      expect(await w.reports.liquidity(new Date(0))).toEqual([])
      const readings = [reading(-2, 5n), reading(-1, 4n), reading(0, -3n)]
      for (const each of [...readings, reading(-3, 9n)]) await w.reports.recordLiquidity(each)
      expect(await w.reports.liquidity(new Date(0))).toEqual(readings.slice(1))
      expect(await w.reports.liquidity(new Date(now))).toEqual(readings.slice(2))
      expect(await w.reports.liquidity(new Date(9e12))).toEqual(readings.slice(2))
    })
  })
}

/** Deposits, one of them in review, payouts with a refund, a hold, and movements. */
async function anyBusiness(w: World<Needed>) {
  const tenantId = await w.newWallet(usdt(1_000_000_000n))
  const deposits = await depositBuilders(w)
  await deposits.credited({ value: 50_000_000n })
  await deposits.inReview({ value: 70_000_000n })
  const prices: bigint[] = []
  for (const isPaid of [true, true, false]) {
    const quote = await w.newQuote(tenantId, { target: bob(10_000n) })
    const payout = await w.newPayout(quote)
    prices.push(quote.source.minor)
    const write = w.settleCommit(payout, isPaid ? paidAnswer(payout) : { type: 'refused_payment' })
    await w.payouts.commit(write)
    if (prices.length > 1) continue
    const refund = {
      id: w.ids.next('prp', at),
      tenantId,
      reason: 'returned',
      actor: 'test',
      payoutId: payout.id,
    } as const
    expect(await adjustWallet(w, { ...refund, direction: 'in', amount: quote.source })).toBe('committed')
  }
  const open = await w.newQuote(tenantId, { target: bob(500n) })
  await w.newPayout(open)
  const made: readonly NewMovement[] = [
    newMovement(w),
    newMovement(w, { kind: 'funding', usdt: null }),
    newMovement(w, { kind: 'withdrawal', usdt: null, bob: bob(5n) }),
    newMovement(w, { kind: 'capital_out', account: 'network', usdt: null, bob: bob(11n) }),
    newMovement(w, { kind: 'capital_in', account: 'bank', usdt: null, bob: bob(77n) }),
    newMovement(w, { kind: 'fee', account: 'treasury', bob: null, usdt: usdt(3n) }),
  ]
  for (const each of made) await w.treasury.record(each, at, credentialOf('ana'))
  const undone = newMovement(w, { bob: bob(13n) })
  await w.treasury.record(undone, at, credentialOf('ana'))
  const { id: of, reason, evidence } = undone
  await w.treasury.reverse({ id: w.ids.next('trm', at), of, reason, evidence }, at, credentialOf('eva'))
  const movements = made.map((each) => ({ ...each, reverses: null })) // The reversed one leaves nothing.
  const [refunded = 0n, second = 0n] = prices
  const captured = refunded + second
  const held = open.source.minor
  const available = 1_050_000_000n + refunded - captured - held
  return { movements, minor: { captured, refunded, held, available } }
}

const sum = ({ moved }: Pick<Books, 'moved'>, isOf: (line: Books['moved'][number]) => boolean): bigint =>
  moved.filter(isOf).reduce((total, { amount }) => total + amount.minor, 0n)

const unexplained = (books: Books, isNow: boolean): readonly bigint[] =>
  balanceLines(books, at, isNow ? {} : undefined)
    .filter(({ side }) => side === 'unexplained')
    .map(({ amount }) => amount.minor)
