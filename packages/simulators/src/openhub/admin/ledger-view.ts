import { formatBob } from '../../qr-network/payment/amount.ts'
import type { Breaches, Hub } from '../hub.ts'
import type { Order, State } from '../ledger/ledger-state.ts'
import { orderNumber } from '../operation/order-members.ts'

/** An order of the ledger. Times are instants in UTC. */
export type OrderView = {
  readonly transaccion_id: string
  /** The reference of its reading. */
  readonly scanned: string
  /** Its own reference. */
  readonly reference: string
  readonly order_number: string
  readonly account: string
  readonly state: State
  readonly amount: string
  readonly description: string
  readonly merchant: { readonly name: string; readonly bank_code: string }
  readonly created_at: string
  readonly paid_at: string | null
  readonly returned_at: string | null
}

/** The ledger. Both lists of what was paid twice are empty, and `debits` less `credits` is `lost`, as long as the caller is right. */
export type OpenHubLedger = {
  readonly orders: readonly OrderView[]
  /** `transaccionId`s and references of readings under which more than one payment was made. */
  readonly paid_twice: { readonly by_transaction: readonly string[]; readonly by_reference: readonly string[] }
  /** Counts of the caller's acts against the documented rules. */
  readonly breaches: Readonly<Breaches>
  readonly accounts: readonly {
    readonly account: string
    readonly available: string
    /** Money that left since the start, without what came back. */
    readonly lost: string
    readonly debits: string
    readonly credits: string
  }[]
}

/** @param transaccionId  limits the orders to those of one id */
export function ledgerView({ ledger, accounts, breaches }: Hub, transaccionId: string | undefined): OpenHubLedger {
  const { orders, movements } = ledger.state()
  const paid = orders.filter(({ paidAt }) => paidAt !== null)
  return {
    orders: (transaccionId === undefined ? orders : ledger.byTransaction(transaccionId)).map(orderView),
    paid_twice: {
      by_transaction: repeated(paid.map((order) => order.transaccionId)),
      by_reference: repeated(paid.map(({ scanned }) => scanned)),
    },
    breaches: { ...breaches },
    accounts: accounts.map((account) => {
      const isHere = (item: { readonly account: string }): boolean => item.account === account
      const moved = movements.filter(isHere)
      const own = paid.filter(isHere)
      const total = (type: 'D' | 'C'): bigint =>
        sum(moved.filter((one) => one.type === type).map(({ amount }) => amount))
      const debits = total('D') + sum(own.map(({ amount, commission }) => amount + commission))
      const credits = total('C') + sum(own.map(({ amount, returnedAt }) => (returnedAt === null ? 0n : amount)))
      return {
        account,
        available: formatBob(ledger.available(account)),
        lost: signed(ledger.state().accounts.get(account)?.spent ?? 0n),
        debits: formatBob(debits),
        credits: formatBob(credits),
      }
    }),
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
const signed = (amount: bigint): string => (amount < 0n ? `-${formatBob(-amount)}` : formatBob(amount))

function repeated(keys: readonly string[]): string[] {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const key of keys) {
    if (seen.has(key)) twice.add(key)
    seen.add(key)
  }
  return [...twice]
}

export const orderView = (order: Order): OrderView => ({
  transaccion_id: order.transaccionId,
  scanned: order.scanned,
  reference: order.reference,
  order_number: orderNumber(order),
  account: order.account,
  state: order.state,
  amount: formatBob(order.amount),
  description: order.glosa,
  merchant: { name: order.merchant.name, bank_code: order.merchant.bankCode },
  created_at: new Date(order.createdAt).toISOString(),
  paid_at: instant(order.paidAt),
  returned_at: instant(order.returnedAt),
})

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
