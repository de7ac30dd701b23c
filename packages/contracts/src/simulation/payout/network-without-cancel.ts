import type { QrNetwork } from '@quipu/core'
import type { NetworkAnswer, PaymentOrder, StatementRow } from '@quipu/core/adapter'
import { withoutCancel } from '../../fixtures/payout/without-cancel.ts'
import type { EventLoop } from '../event-loop.ts'

/** Its orders may be paid whatever it answers. */
export type NetworkWithoutCancel = QrNetwork & {
  /** Probability that an order is answered without its outcome. */
  faults: number
  /** Whether the money of a payment has come back. */
  isReturned(reference: string): boolean
}

export type NetworkWithoutCancelOptions = {
  readonly loop: EventLoop
  /** Keeps the record, which answers by our reference whatever `networkRef` says. */
  readonly record: QrNetwork
  readonly unpaidProof: 'statement' | 'people'
  /** Called for each order that is entered minutes after its answer. */
  readonly onLateOrder: (order: PaymentOrder) => void
}

const minuteMs = 60_000
/** An order without an outcome is entered this long after it at most. */
const longestEntryMs = 5 * minuteMs
/** Longer than an order travels, is entered late, and stays undecided. */
const unpaidAfterSeconds = 20 * 60
const statementLagMs = 30_000
const returnedShare = 0.15
/** In how many runs the statement has nothing at first, as that of another account, and for how long at most. */
const gapShare = 0.3
const longestGapMs = 40 * minuteMs

const proofs = { people: { by: 'people' }, statement: { by: 'statement', afterSeconds: unpaidAfterSeconds } } as const

/**
 * A network that cannot cancel, in its worst case: only the reference that its answer to an order gives finds the order,
 * a reading is good for one order, answers leave open whether an order was paid, and money comes back. `status` also
 * finds a payment in the statement, by our reference, once the statement has it.
 */
export function networkWithoutCancel(options: NetworkWithoutCancelOptions): NetworkWithoutCancel {
  const { loop, record, unpaidProof, onLateOrder } = options
  const used = new Set<string>()
  const given = new Map<string, string>()
  const paidAt = new Map<string, number>()
  /** When the money of a payment comes back; Infinity: never. */
  const returnsAt = new Map<string, number>()
  const gapUntil = loop.chance(gapShare) ? loop.now().getTime() + loop.random() * longestGapMs : 0

  async function rowsOf(from: Date, to: Date): Promise<StatementRow[]> {
    const rows: StatementRow[] = []
    for await (const row of record.statement(new Date(0), new Date(8.64e15))) {
      const { reference } = row
      paidAt.set(reference, row.paidAt.getTime())
      if (!returnsAt.has(reference))
        returnsAt.set(
          reference,
          loop.chance(returnedShare) ? row.paidAt.getTime() + loop.random() * 10 * minuteMs : Infinity,
        )
      rows.push(row)
      if (isReturned(reference)) rows.push({ ...row, type: 'return', paidAt: new Date(returnsAt.get(reference) ?? 0) })
    }
    const listedUntil = loop.now().getTime() < gapUntil ? 0 : loop.now().getTime() - statementLagMs
    return rows.filter((row) => row.paidAt >= from && row.paidAt <= to && row.paidAt.getTime() <= listedUntil)
  }
  const isReturned = (reference: string): boolean => (returnsAt.get(reference) ?? Infinity) <= loop.now().getTime()

  async function enter(order: PaymentOrder): Promise<NetworkAnswer> {
    const answer = await record.pay(order)
    if (answer.type !== 'paid' && answer.type !== 'pending') return answer
    const networkRef = `confirmed-${order.networkRef}`
    given.set(order.reference, networkRef)
    return { ...answer, networkRef }
  }
  async function pay(order: PaymentOrder): Promise<NetworkAnswer> {
    if (used.has(order.networkRef)) return { type: 'unknown', reason: 'the reading was used', breach: true }
    used.add(order.networkRef)
    if (!loop.chance(network.faults)) return enter(order)
    const course = loop.pick(['unpaid', 'paid', 'paid_later'] as const)
    if (course === 'paid') await enter(order)
    if (course === 'paid_later')
      loop.after(loop.random() * longestEntryMs, () => void enter(order).then(() => onLateOrder(order)))
    return { type: 'unknown', reason: 'not confirmed' }
  }
  async function status(reference: string, networkRef: string): Promise<NetworkAnswer> {
    const answer = await record.status(reference, networkRef)
    const rows = await rowsOf(new Date(0), loop.now())
    if (networkRef === given.get(reference)) return isReturned(reference) ? { type: 'returned' } : { ...answer }
    return rows.some((row) => row.reference === reference) ? answer : { type: 'not_seen' }
  }
  const network: NetworkWithoutCancel = {
    identity: record.identity,
    capabilities: withoutCancel(proofs[unpaidProof]),
    faults: 0,
    isReturned,
    readQr: (content, signal) => record.readQr(content, signal),
    liquidity: () => record.liquidity(),
    pay,
    status,
    async *statement(from, to) {
      yield* await rowsOf(from, to)
    },
  }
  return network
}
