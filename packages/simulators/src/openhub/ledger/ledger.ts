import { bolivianDate } from '../bolivian-time.ts'
import {
  applyEntry,
  type Entry,
  type LedgerState,
  type Movement,
  type Order,
  type Reading,
  type State,
} from './ledger-state.ts'

/** A new order; the ledger adds the omitted members. */
export type NewOrder = Omit<Order, 'id' | 'reference' | 'createdAt' | 'paidAt' | 'returnedAt'> & {
  /** Gives the order a reference of its own. */
  readonly hasOwnReference: boolean
}

/** The ledger of the network. Every operation is synchronous, so requests cannot interleave. */
export type Ledger = {
  /** Records a reading under a new reference. */
  read(content: string): Reading
  reading(reference: string): Reading | undefined
  /** Orders by the reference of their reading or their own, oldest first. */
  byReference(reference: string): Order[]
  byTransaction(transaccionId: string): Order[]
  /** Records an order, and moves the money if it is `APROBADA`. */
  record(order: NewOrder): Order
  /** Changes the state of an order. Approval without enough balance becomes `RECHAZADA`; only an approved order is returned. */
  change(id: number, state: State): Order | 'not_possible'
  /** Adds movements that are of no order. */
  move(movements: readonly Movement[]): void
  /** Sets the balance. */
  setAvailable(account: string, available: bigint): void
  available(account: string): bigint
  /** The current state, read-only. */
  state(): Readonly<LedgerState>
}

/**
 * @param state   the initial state, which the ledger changes
 * @param append  stores each new entry, in order
 */
export function createLedger(state: LedgerState, append: (entry: Entry) => void, now: () => number): Ledger {
  let counter = highestCounter(state)
  const commit = (entry: Entry): void => {
    applyEntry(state, entry)
    append(entry)
  }
  /** `547`, the day and a counter. */
  const newReference = (): string =>
    `547${bolivianDate(now()).replaceAll('-', '').slice(2)}${(++counter).toString().padStart(9, '0')}`
  const available = (name: string): bigint => {
    const account = state.accounts.get(name)
    return account ? account.funded - account.spent : 0n
  }
  const ordersAt = (indexes: Iterable<number> = []): Order[] =>
    Array.from(indexes).flatMap((index) => state.orders[index] ?? [])
  /** The only place where an order's state changes. */
  const save = (order: Order): Order => {
    const at = now()
    const saved = {
      ...order,
      paidAt: order.state === 'APROBADA' ? (order.paidAt ?? at) : order.paidAt,
      returnedAt: order.state === 'REVERTIDO' ? at : order.returnedAt,
    }
    commit({ type: 'order', order: saved })
    return saved
  }
  return {
    read(content) {
      const reading = { reference: newReference(), content, at: now() }
      commit({ type: 'read', reading })
      return reading
    },
    reading: (reference) => state.readings.get(reference),
    byReference: (reference) => ordersAt(state.byReference.get(reference)),
    byTransaction: (transaccionId) => ordersAt(state.byTransaction.get(transaccionId)),
    record({ hasOwnReference, ...order }) {
      const reference = hasOwnReference ? newReference() : order.scanned
      const times = { createdAt: now(), paidAt: null, returnedAt: null }
      return save({ ...order, ...times, id: state.orders.length + 1, reference })
    },
    change(id, next) {
      const order = state.orders[id - 1]
      if (!order || (order.paidAt === null ? next === 'REVERTIDO' : next !== 'REVERTIDO')) return 'not_possible'
      if (order.returnedAt !== null) return 'not_possible'
      const isShort = next === 'APROBADA' && available(order.account) < order.amount + order.commission
      return save({ ...order, state: isShort ? 'RECHAZADA' : next, next: null })
    },
    move: (movements) => commit({ type: 'moved', movements: [...movements] }),
    setAvailable: (account, amount) =>
      commit({ type: 'funded', account, total: (state.accounts.get(account)?.spent ?? 0n) + amount }),
    available,
    state: () => state,
  }
}

function highestCounter({ readings, orders }: LedgerState): number {
  let highest = 0
  const see = (reference: string): void => void (highest = Math.max(highest, Number(reference.slice(-9))))
  for (const reference of readings.keys()) see(reference)
  for (const { reference } of orders) see(reference)
  return highest
}
