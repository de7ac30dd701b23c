import { type Currency, type Money, usdt } from '../money.ts'
import type { Clock } from '../time.ts'
import type { TreasuryAccount } from '../treasury/movement.ts'
import type { Books, ReportStore } from './ports.ts'

/** A line of a trial balance. In each currency the assets are the claims and what is unexplained. */
export type BalanceLine = {
  readonly side: 'asset' | 'claim' | 'unexplained'
  readonly account:
    | 'top_up_addresses'
    | 'chain_differences'
    | TreasuryAccount
    | 'tenants_available'
    | 'tenants_held'
    | 'tenants'
    | 'uncredited_deposits'
    | 'payouts'
    | 'returned_payments'
    | 'adjustments'
    | 'sales'
    | 'capital'
    | 'fees'
    | 'unexplained'
  readonly amount: Money
  /** `observed`: read where the money is. `recorded`: the sum of rows. */
  readonly basis: 'recorded' | 'observed'
  readonly asOf: Date
}

/** Balances that only the world has, each as of now. Left out: nobody can read it. */
export type Observed = { readonly [Account in TreasuryAccount]?: { readonly amount: Money; readonly at: Date } }

/** The operator's books at one instant. */
export type TrialBalance = { readonly at: Date; readonly isNow: boolean; readonly lines: readonly BalanceLine[] }

/** The ports of `readTrialBalance`. */
export type ReadTrialBalancePorts = {
  readonly reports: Pick<ReportStore, 'books' | 'liquidity'>
  /** The balance of the treasury in solid blocks; undefined where it cannot be read. */
  readonly treasury: () => Promise<{ readonly amount: Money<'USDT'>; readonly at: Date } | undefined>
  readonly now: Clock
}

/**
 * The trial balance of the operator: what it has against what it owes, and each currency zero by itself. Lines of rows
 * are of any instant; what only chain and network know is read now, so it is in a balance of now alone.
 *
 * @throws Unavailable when the database cannot be read
 * @example
 * ```ts
 * const treasury = () => Promise.resolve(undefined)
 * const { lines } = await readTrialBalance({ ...ports, treasury })(null)
 * console.log(lines.at(-1)?.account) // unexplained
 * ```
 */
export const readTrialBalance =
  ({ reports, treasury, now }: ReadTrialBalancePorts) =>
  async (before: Date | null): Promise<TrialBalance> => {
    const at = before ?? now()
    if (before !== null) return { at, isNow: false, lines: balanceLines(await reports.books(before), at, undefined) }
    const held = await treasury()
    const network = (await reports.liquidity(at)).at(-1)
    const observed = {
      ...(held && { treasury: held }),
      ...(network && { network: { amount: network.available, at: network.at } }),
    }
    return { at, isNow: true, lines: balanceLines(await reports.books(null), at, observed) }
  }

type Side = 'asset' | 'claim'
type Entry = readonly [side: Side, account: BalanceLine['account'], currency: Currency, minor: bigint]

/**
 * The lines of both currencies, each ending with what is unexplained.
 *
 * @param observed  undefined for an instant of the past, whose balances nobody can read any more
 */
export function balanceLines(books: Books, at: Date, observed: Observed | undefined): readonly BalanceLine[] {
  const recorded = entriesOf(books, observed !== undefined).map(([side, account, currency, minor]): BalanceLine => {
    const seen = side === 'asset' ? observed?.[account as TreasuryAccount] : undefined
    return seen
      ? { side, account, amount: seen.amount, basis: 'observed', asOf: seen.at }
      : { side, account, amount: { currency, minor }, basis: 'recorded', asOf: at }
  })
  return (['USDT', 'BOB'] as const).flatMap((currency) => {
    const own = recorded.filter(({ amount }) => amount.currency === currency)
    const sum = (wanted: Side) =>
      own.filter(({ side }) => side === wanted).reduce((total, { amount }) => total + amount.minor, 0n)
    const amount = { currency, minor: sum('asset') - sum('claim') }
    return [...own, { side: 'unexplained', account: 'unexplained', amount, basis: 'recorded', asOf: at }]
  })
}

function entriesOf(books: Books, isNow: boolean): readonly Entry[] {
  const { received, returned, swept, deposited, captured, adjusted, paid, repaid, stored } = books
  const moved = (account: TreasuryAccount): bigint => sumOf(books, (line) => line.account === account)
  const against = (side: 'sales' | 'capital' | 'fees', currency: Currency): bigint =>
    sumOf(books, (line) => line.against === side && line.amount.currency === currency)
  const owed = usdt(deposited.minor - captured.minor + adjusted.minor)
  const operator = (currency: Currency): Entry[] =>
    (['sales', 'capital', 'fees'] as const).map((side) => ['claim', side, currency, against(side, currency)])
  return [
    ['asset', 'top_up_addresses', 'USDT', received.minor - returned.minor - swept.minor],
    ...(isNow ? [['asset', 'chain_differences', 'USDT', books.chainDifference.minor] as const] : []),
    ['asset', 'treasury', 'USDT', swept.minor + moved('treasury')],
    ...(isNow
      ? ([
          ['claim', 'tenants_available', 'USDT', stored.available.minor],
          ['claim', 'tenants_held', 'USDT', stored.held.minor],
        ] as const)
      : [['claim', 'tenants', 'USDT', owed.minor] as const]),
    ['claim', 'uncredited_deposits', 'USDT', received.minor - returned.minor - deposited.minor],
    ['claim', 'payouts', 'USDT', captured.minor],
    ['claim', 'adjustments', 'USDT', -adjusted.minor],
    ...operator('USDT'),
    ['asset', 'network', 'BOB', moved('network') - paid.minor + repaid.minor],
    ['asset', 'bank', 'BOB', moved('bank')],
    ['claim', 'payouts', 'BOB', -paid.minor],
    ['claim', 'returned_payments', 'BOB', repaid.minor],
    ...operator('BOB'),
  ]
}

const sumOf = ({ moved }: Books, isOf: (line: Books['moved'][number]) => boolean): bigint =>
  moved.filter(isOf).reduce((total, { amount }) => total + amount.minor, 0n)
