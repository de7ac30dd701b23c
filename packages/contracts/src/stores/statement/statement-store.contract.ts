import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usdt, type WalletTransaction } from '@quipu/core'
import type { PagePosition } from '@quipu/core/adapter'
import { type Period, statementDayAt, type StatementMovement } from '@quipu/core/operator'
import { paidAnswer } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { adjustWallet } from '../../fixtures/proposal/approve-action.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'

type Needed = 'statements' | 'payouts' | 'quotes' | 'wallets' | 'proposals' | 'tenants'

type Step =
  | { readonly type: 'in' | 'out' | 'pay' | 'fail'; readonly minor: bigint }
  | { readonly type: 'wait'; readonly seconds: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constantFrom('in', 'in', 'out', 'pay', 'fail'),
    minor: fc.bigInt({ min: 1n, max: 5_000_000n }),
  }),
  fc.record({ type: fc.constant('wait'), seconds: fc.constantFrom(1, 43_200, 86_400, 200_000) }),
)

/** The contract of a `StatementStore`. */
export function statementStoreContract(name: string, open: OpenHarness<Needed>, { runs = 15 }: Runs = {}): void {
  describe(`statement store in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('an unknown and an empty wallet have a balance of zero and no transactions', async () => {
      const day = { from: new Date(0), to: new Date(9e12) }
      for (const id of [(await w.newTenant()).id, w.ids.next('ten', someInstant)]) {
        expect(await w.statements.balancesBefore(id, [day.from, day.to])).toEqual([usdt(0n), usdt(0n)])
        expect(await w.statements.transactions(id, { ...day, limit: 5 })).toEqual({ items: [], next: null })
      }
      expect(await w.statements.balancesBefore('ten_none', [])).toEqual([])
    })

    test('the start of a day belongs to it, and its end to the next one', async () => {
      const tenantId = await w.newWallet(usdt(5n))
      const [row] = (await w.wallets.transactions(tenantId, { limit: 1 })).items
      if (row === undefined) throw new Error('one transaction')
      const at = row.createdAt
      const later = new Date(at.getTime() + 1)
      const { balancesBefore, transactions } = w.statements
      expect(await balancesBefore(tenantId, [at, later])).toEqual([usdt(0n), usdt(5n)])
      const read = async (from: Date, to: Date) => (await transactions(tenantId, { from, to, limit: 9 })).items
      expect(await read(at, later)).toEqual([{ ...row, payment: null }])
      expect(await read(new Date(0), at)).toEqual([])
      expect(await read(later, new Date(9e12))).toEqual([])
    })

    test('for any history, closing balances chain, add up, and end at the wallet', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { maxLength: 14 }), fc.integer({ min: 1, max: 5 }), async (steps, limit) => {
          const tenantId = await w.newWallet(usdt(20_000_000n))
          for (const step of steps) await take(w, tenantId, step)
          const all = (await w.wallets.transactions(tenantId, { limit: 100 })).items.toReversed()
          const days = daysOf(all)
          const instants = [...days.map(({ from }) => from), days.at(-1)?.to ?? someInstant]
          const balances = await w.statements.balancesBefore(tenantId, instants)
          expect(balances[0]).toEqual(usdt(0n))
          const read: StatementMovement[] = []
          for (const [n, day] of days.entries()) {
            const rows = await rowsOf(w, tenantId, day, limit)
            read.push(...rows)
            const moved = rows.reduce(
              (sum, { direction, amount }) => sum + (direction === 'in' ? 1n : -1n) * amount.minor,
              balances[n]?.minor ?? 0n,
            )
            expect(balances[n + 1]).toEqual(usdt(moved))
          }
          expect(read).toMatchObject(all)
          expect(read).toHaveLength(all.length)
          for (const row of read) await expectPayment(w, tenantId, row)
          const wallet = await w.wallets.find(tenantId)
          expect(balances.at(-1)?.minor).toBe((wallet?.available.minor ?? 0n) + (wallet?.held.minor ?? 0n))
        }),
        { numRuns: runs },
      )
    })
  })
}

async function take(w: World<Needed>, tenantId: string, step: Step): Promise<void> {
  if (step.type === 'wait') return w.advance(step.seconds)
  const amount = usdt(step.minor)
  if (step.type === 'in' || step.type === 'out') {
    const author = { id: w.ids.uuid(someInstant), tenantId, reason: 'test', actor: 'test' }
    await adjustWallet(w, { ...author, direction: step.type, amount })
    return
  }
  const { available } = (await w.wallets.find(tenantId)) ?? {}
  if (available === undefined || available.minor < step.minor) return
  const payout = await w.newPayout(await w.newQuote(tenantId, { source: amount }))
  const answer = step.type === 'pay' ? paidAnswer(payout) : ({ type: 'refused_payment' } as const)
  // Dated long before, so the log's newest instant dates it.
  expect(await w.payouts.commit(w.settleCommit(payout, answer, { at: someInstant }))).not.toBe('stale')
}

/** A debit has the price and the merchant of its payout, and no other row has. */
async function expectPayment({ payouts }: World<Needed>, tenantId: string, row: StatementMovement): Promise<void> {
  if (row.type !== 'payout') return expect(row.payment).toBeNull()
  const found = await payouts.get(tenantId, row.payoutId ?? '')
  if (found?.status !== 'completed') throw new Error('a debit is a completed payout')
  const { target, quote, qr, networkPaymentId } = found
  const { rate, fee } = quote
  expect(row.payment).toEqual({ target, rate, fee, merchant: qr?.merchant ?? null, networkPaymentId })
}

/** All days from the first to the last transaction, also those without one. */
function daysOf(rows: readonly WalletTransaction[]): readonly Period[] {
  const last = rows.at(-1)
  const days: Period[] = []
  for (
    let day = rows[0] && statementDayAt(rows[0].createdAt, 'UTC');
    day !== undefined && last !== undefined && day.from <= last.createdAt;
    day = statementDayAt(day.to, 'UTC')
  )
    days.push(day)
  return days
}

async function rowsOf(
  { statements }: World<Needed>,
  tenantId: string,
  { from, to }: Period,
  limit: number,
): Promise<readonly StatementMovement[]> {
  const rows: StatementMovement[] = []
  let after: PagePosition | null | undefined
  while (after !== null) {
    const query = { from, to, limit, ...(after && { after }) }
    const page = await statements.transactions(tenantId, query)
    expect(page.items.length).toBeLessThanOrEqual(limit)
    rows.push(...page.items)
    after = page.next
  }
  return rows
}
