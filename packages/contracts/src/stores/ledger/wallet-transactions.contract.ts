import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usdt, type WalletTransaction } from '@quipu/core'
import { isBalanced, type PagePosition, walletTransactionId, type WalletTransactionQuery } from '@quipu/core/adapter'
import { type DepositBuilders, depositBuilders, settleDepositCommit } from '../../fixtures/deposit/deposit-builders.ts'
import { paidAnswer } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { adjustWallet } from '../../fixtures/proposal/approve-action.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { allPages } from '../../fixtures/pages.ts'
import type { Runs } from '../../fixtures/runs.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'proposals' | 'tenants' | 'addresses' | 'scans' | 'deposits'

/** The contract of the transactions that a `WalletStore` lists. */
export function walletTransactionsContract(name: string, open: OpenHarness<Needed>, { runs = 15 }: Runs = {}): void {
  describe(`wallet transactions in ${name}`, () => {
    const w = useWorld(open, 'each')

    const adjust = async (w: World<Needed>, tenantId: string, minor: bigint) => {
      const direction = minor < 0n ? 'out' : 'in'
      const amount = usdt(minor < 0n ? -minor : minor)
      const id = w.ids.uuid(someInstant)
      return adjustWallet(w, { id, tenantId, direction, amount, reason: 'test', actor: 'test' })
    }
    const all = async (w: World<Needed>, tenantId: string, query: Partial<WalletTransactionQuery> = {}) =>
      (await w.wallets.transactions(tenantId, { limit: 1_000, ...query })).items
    const credit = async (w: World<Needed>, { due, claimOne }: DepositBuilders, value: bigint) => {
      await due({ value })
      const write = settleDepositCommit(w, await claimOne())
      expect(await w.deposits.commit(write)).toBe('committed')
      return write.step.deposit.id
    }
    const pay = async (w: World<Needed>, tenantId: string, minor: bigint, isPaid = true) => {
      const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(minor) }))
      const answer = isPaid ? paidAnswer(payout) : ({ type: 'refused_payment' } as const)
      expect(await w.payouts.commit(w.settleCommit(payout, answer))).toBe('committed')
      return payout
    }

    test('a new wallet and an unknown wallet have none', async () => {
      const { id } = await w.newTenant()
      expect(await w.wallets.transactions(id, { limit: 10 })).toEqual({ items: [], next: null })
      const unknown = w.ids.next('ten', someInstant)
      expect(await w.wallets.transactions(unknown, { limit: 10 })).toEqual({ items: [], next: null })
      expect(await w.wallets.books(unknown)).toBeUndefined()
    })

    test('each movement in or out is one row; a hold and its release have none', async () => {
      const builders = await depositBuilders(w)
      const { tenantId } = builders
      const depositId = await credit(w, builders, 50_000_000n)
      await adjust(w, tenantId, 7n)
      const payout = await pay(w, tenantId, 10_000_000n)
      await pay(w, tenantId, 1_000_000n, false)
      await w.newPayout(await w.newQuote(tenantId, { source: usdt(3_000_000n) }))
      await adjust(w, tenantId, -4n)
      const none = { payoutId: null, depositId: null, transactionId: null }
      expect(await all(w, tenantId)).toMatchObject([
        { ...none, direction: 'out', type: 'adjustment', amount: usdt(4n), balanceAfter: usdt(40_000_003n) },
        {
          ...none,
          direction: 'out',
          type: 'payout',
          amount: usdt(10_000_000n),
          balanceAfter: usdt(40_000_007n),
          payoutId: payout.id,
          transactionId: payout.transactionId,
        },
        { ...none, direction: 'in', type: 'adjustment', amount: usdt(7n), balanceAfter: usdt(50_000_007n) },
        {
          ...none,
          direction: 'in',
          type: 'deposit',
          amount: usdt(50_000_000n),
          balanceAfter: usdt(50_000_000n),
          depositId,
        },
      ])
      const pages = await allPages((query) => w.wallets.transactions(tenantId, query), 1)
      expect(pages.flat()).toEqual(await all(w, tenantId))
    })

    test('each row’s id derives from its tenant, instant and sequence number', async () => {
      const { id: tenantId } = await w.newTenant()
      for (let n = 0; n < 3; n++) await adjust(w, tenantId, 5n)
      const rows = await all(w, tenantId)
      expect(rows.map(({ id }) => id)).toEqual(
        rows.map(({ createdAt, seq }) => walletTransactionId(tenantId, createdAt, seq)),
      )
      expect(rows.map(({ seq }) => seq)).toEqual([3n, 2n, 1n])
    })

    test('an adjustment is dated by the store’s clock', async () => {
      const { id: tenantId } = await w.newTenant()
      await adjust(w, tenantId, 5n)
      await w.advance(60)
      await adjust(w, tenantId, 5n)
      const [newer, older] = await all(w, tenantId)
      const wallet = await w.wallets.find(tenantId)
      expect(newer?.createdAt).toEqual(wallet?.updatedAt)
      const seconds = ((newer?.createdAt.getTime() ?? 0) - (older?.createdAt.getTime() ?? 0)) / 1000
      expect(seconds).toBeGreaterThanOrEqual(60)
      expect(seconds).toBeLessThan(90)
    })

    test('rows stay in order when the store’s clock goes back', async () => {
      const builders = await depositBuilders(w)
      const { tenantId } = builders
      await adjust(w, tenantId, 50_000_000n)
      const time = async () => (await w.wallets.find(tenantId))?.updatedAt.getTime() ?? NaN
      const first = await time()
      for (const move of [adjust, pay, () => credit(w, builders, 5_000_000n)]) {
        await w.advance(-3_600)
        await move(w, tenantId, 5_000_000n)
      }
      const rows = await all(w, tenantId)
      const types = rows.map(({ type }) => type).join()
      expect(types).toBe('deposit,payout,adjustment,adjustment')
      for (const { createdAt } of rows) expect(createdAt.getTime()).toBeGreaterThanOrEqual(first)
      await w.newPayout(await w.newQuote(tenantId))
      expect(await time()).toBeGreaterThanOrEqual(first)
    })

    test('after random concurrent movements each balance is the previous one plus or minus the amount', async () => {
      const builders = await depositBuilders(w)
      const { tenantId } = builders
      const anyMove = fc.record({
        kind: fc.constantFrom('in', 'out', 'deposit', 'pay', 'refused'),
        minor: fc.bigInt({ min: 1_000_000n, max: 5_000_000n }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(anyMove, { minLength: 1, maxLength: 6 }), async (moves) => {
          const before = await all(w, tenantId)
          await adjust(w, tenantId, 100_000_000n)
          await builders.due(...moves.filter(({ kind }) => kind === 'deposit').map(({ minor }) => ({ value: minor })), {
            value: 1_000_000n,
          })
          const claimed = await w.deposits.claimDue(100, 100)
          await Promise.all([
            ...claimed.map((each) => w.deposits.commit(settleDepositCommit(w, each))),
            ...moves.map(async ({ kind, minor }) => {
              if (kind === 'in') await adjust(w, tenantId, minor)
              if (kind === 'out') await adjust(w, tenantId, -minor)
              if (kind === 'pay' || kind === 'refused') await pay(w, tenantId, minor, kind === 'pay')
            }),
          ])
          const rows = await all(w, tenantId)
          const refused = moves.filter(({ kind }) => kind === 'refused').length
          expect(rows).toHaveLength(before.length + 2 + moves.length - refused)
          expect(rows.slice(rows.length - before.length)).toEqual(before)
          expectChain(rows)
          await expectBooks(w, tenantId, rows)
        }),
        { numRuns: runs },
      )
    })

    test('filters select rows and change none', async () => {
      const builders = await depositBuilders(w)
      const { tenantId } = builders
      await credit(w, builders, 50_000_000n)
      await adjust(w, tenantId, 7n)
      await w.advance(60)
      await pay(w, tenantId, 10_000_000n)
      await adjust(w, tenantId, -4n)
      const rows = await all(w, tenantId)
      const where = (test: (row: WalletTransaction) => boolean) => rows.filter(test)
      for (const direction of ['in', 'out'] as const) {
        expect(await all(w, tenantId, { direction })).toEqual(where((row) => row.direction === direction))
      }
      for (const type of ['deposit', 'payout', 'adjustment'] as const) {
        expect(await all(w, tenantId, { type })).toEqual(where((row) => row.type === type))
        expect(await all(w, tenantId, { type, direction: 'in' })).toEqual(
          where((row) => row.type === type && row.direction === 'in'),
        )
      }
      for (const { createdAt } of rows) {
        expect(await all(w, tenantId, { from: createdAt, to: createdAt })).toEqual(
          where((row) => row.createdAt.getTime() === createdAt.getTime()),
        )
        expect(await all(w, tenantId, { from: createdAt })).toEqual(where((row) => row.createdAt >= createdAt))
        expect(await all(w, tenantId, { to: createdAt })).toEqual(where((row) => row.createdAt <= createdAt))
      }
      const pages = await allPages((query) => w.wallets.transactions(tenantId, { ...query, direction: 'in' }), 1)
      expect(pages.flat()).toEqual(where((row) => row.direction === 'in'))
    })

    test('pages show each row exactly once during movements', async () => {
      const { id: tenantId } = await w.newTenant()
      for (let n = 0; n < 7; n++) await adjust(w, tenantId, 5n)
      const before = await all(w, tenantId)
      for (const limit of [1, 2, 3, 7, 8]) {
        const pages = await allPages((query) => w.wallets.transactions(tenantId, query), limit)
        expect(pages.flat()).toEqual(await all(w, tenantId))
      }
      const seen: WalletTransaction[] = []
      let after: PagePosition | undefined
      do {
        const page = await w.wallets.transactions(tenantId, { limit: 2, ...(after && { after }) })
        seen.push(...page.items)
        await adjust(w, tenantId, 5n)
        after = page.next ?? undefined
      } while (after !== undefined)
      expect(seen).toEqual(before)
    })

    test('lists only the tenant’s own movements', async () => {
      const [one, other] = [await w.newWallet(usdt(5n)), await w.newWallet(usdt(7n))]
      expect(await all(w, one)).toMatchObject([{ balanceAfter: usdt(5n) }])
      expect(await all(w, other)).toMatchObject([{ balanceAfter: usdt(7n) }])
    })

    test('the books are a consistent snapshot during movements', async () => {
      const tenantId = await w.newWallet(usdt(100_000_000n))
      const moving = Promise.all(
        Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? pay(w, tenantId, 1_000_000n) : adjust(w, tenantId, 3n))),
      )
      for (let n = 0; n < 10; n++) {
        const books = await w.wallets.books(tenantId)
        expect(books && isBalanced(books.wallet, books.totals)).toBe(true)
      }
      await moving
      const books = await w.wallets.books(tenantId)
      expect(books).toEqual({ wallet: await w.wallets.find(tenantId), totals: await w.wallets.totals(tenantId) })
    })
  })
}

/** Expects rows newest first whose balances follow from each other. */
function expectChain(rows: readonly WalletTransaction[]): void {
  for (const [n, { seq, direction, amount, balanceAfter, createdAt }] of rows.entries()) {
    const older = rows[n + 1]
    const change = direction === 'in' ? amount.minor : -amount.minor
    expect(seq).toBeGreaterThan(older?.seq ?? 0n)
    expect(balanceAfter.minor).toBe((older?.balanceAfter.minor ?? 0n) + change)
    expect(createdAt.getTime()).toBeGreaterThanOrEqual(older?.createdAt.getTime() ?? 0)
  }
}

async function expectBooks(w: World<Needed>, tenantId: string, rows: readonly WalletTransaction[]) {
  const books = await w.wallets.books(tenantId)
  if (books === undefined) throw new Error('the tenant has a wallet')
  expect(isBalanced(books.wallet, books.totals)).toBe(true)
  const { available, held } = books.wallet
  expect(rows[0]?.balanceAfter.minor).toBe(available.minor + held.minor)
  const sum = (type: WalletTransaction['type'], direction: 'in' | 'out') =>
    rows
      .filter((row) => row.type === type && row.direction === direction)
      .reduce((total, { amount }) => total + amount.minor, 0n)
  expect(books.totals.credited.minor).toBe(sum('deposit', 'in'))
  expect(books.totals.debited.minor).toBe(sum('payout', 'out'))
  expect(books.totals.adjusted.minor).toBe(sum('adjustment', 'in') - sum('adjustment', 'out'))
}
