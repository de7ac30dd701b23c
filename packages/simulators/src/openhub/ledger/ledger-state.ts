/** An order's state: those of the network, and `SIN_CONFIRMAR` of an order that it has and shows nowhere. */
export const states = [
  'APROBADA',
  'RECHAZADA',
  'EN_PROCESO',
  'PENDIENTE_CONFIRMACION',
  'REVERTIDO',
  'SIN_CONFIRMAR',
] as const
/** One of `states`. */
export type State = (typeof states)[number]

/** A reading of a QR: one `scan`. */
export type Reading = { readonly reference: string; readonly content: string; readonly at: number }

/** An order to pay. Amounts in centavos, times in milliseconds. */
export type Order = {
  /** Its position in the order of arrival, from 1. */
  readonly id: number
  readonly transaccionId: string
  /** The reference of the reading that it pays. */
  readonly scanned: string
  /** Its own reference. */
  readonly reference: string
  readonly account: string
  readonly amount: bigint
  /** A commission that is taken with the payment, in its row of the statement or as a row of its own. */
  readonly commission: bigint
  readonly isCommissionRow: boolean
  readonly glosa: string
  readonly merchant: { readonly name: string; readonly bankCode: string }
  readonly state: State
  /** The scheduled change; null without one. */
  readonly next: { readonly state: State; readonly at: number } | null
  readonly createdAt: number
  readonly paidAt: number | null
  readonly returnedAt: number | null
}

/** A movement of the account that is not of an order. */
export type Movement = {
  readonly account: string
  readonly type: 'D' | 'C'
  readonly transactionId: string
  readonly operation: string
  readonly amount: bigint
  readonly at: number
}

/** A change of the ledger: an order replaces the one of the same id. */
export type Entry =
  | { readonly type: 'funded'; readonly account: string; readonly total: bigint }
  | { readonly type: 'read'; readonly reading: Reading }
  | { readonly type: 'order'; readonly order: Order }
  | { readonly type: 'moved'; readonly movements: readonly Movement[] }

/** Money that came in, and money that left without what came back. */
export type Account = { funded: bigint; spent: bigint }

/** The result of all entries so far. */
export type LedgerState = {
  readonly accounts: Map<string, Account>
  readonly readings: Map<string, Reading>
  /** By `id - 1`. */
  readonly orders: Order[]
  /** Indexes of orders by each of their references and by transaccionId. */
  readonly byReference: Map<string, Set<number>>
  readonly byTransaction: Map<string, Set<number>>
  readonly movements: Movement[]
}

/** Replays entries. */
export function ledgerStateOf(entries: readonly Entry[]): LedgerState {
  const state: LedgerState = {
    accounts: new Map(),
    readings: new Map(),
    orders: [],
    byReference: new Map(),
    byTransaction: new Map(),
    movements: [],
  }
  for (const entry of entries) applyEntry(state, entry)
  return state
}

/** The shortest list of entries that restores this state. */
export const entriesOf = (state: Readonly<LedgerState>): Entry[] => [
  ...Array.from(state.accounts, ([account, { funded }]): Entry => ({ type: 'funded', account, total: funded })),
  ...Array.from(state.readings.values(), (reading): Entry => ({ type: 'read', reading })),
  ...state.orders.map((order): Entry => ({ type: 'order', order })),
  ...(state.movements.length === 0 ? [] : [{ type: 'moved', movements: state.movements } as const]),
]

/** Applies one entry; a changed order moves the difference. */
export function applyEntry(state: LedgerState, entry: Entry): void {
  switch (entry.type) {
    case 'funded':
      accountOf(state, entry.account).funded = entry.total
      return
    case 'read':
      state.readings.set(entry.reading.reference, entry.reading)
      return
    case 'order': {
      const { order } = entry
      const index = order.id - 1
      accountOf(state, order.account).spent += movedBy(order) - movedBy(state.orders[index])
      state.orders[index] = order
      for (const reference of [order.scanned, order.reference]) addTo(state.byReference, reference, index)
      addTo(state.byTransaction, order.transaccionId, index)
      return
    }
    case 'moved':
      for (const { account, type, amount } of entry.movements)
        accountOf(state, account).spent += type === 'D' ? amount : -amount
      state.movements.push(...entry.movements)
  }
}

function accountOf({ accounts }: LedgerState, name: string): Account {
  const known = accounts.get(name)
  if (known) return known
  const fresh = { funded: 0n, spent: 0n }
  accounts.set(name, fresh)
  return fresh
}

const addTo = (index: Map<string, Set<number>>, key: string, value: number): void =>
  void index.set(key, (index.get(key) ?? new Set()).add(value))

/** The commission stays with the network when the payment comes back. */
const movedBy = (order: Order | undefined): bigint =>
  order === undefined || order.paidAt === null ? 0n : order.commission + (order.returnedAt === null ? order.amount : 0n)
