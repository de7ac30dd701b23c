import { type Ids, isOfInstallation, isOfOtherCell } from '../ids.ts'
import { toDecimal } from '../money.ts'
import type { QrNetwork, StatementRow } from '../network/qr-network.ts'
import type { ReconciliationStore } from './ports.ts'
import { type Clock, isoText } from '../time.ts'
import type { PaymentGate, RestoreStore } from '../restore/ports.ts'

/** The ports of `compareNewestPayments`. */
export type CompareNewestPaymentsPorts = {
  readonly restores: RestoreStore
  readonly reconciliations: Pick<ReconciliationStore, 'findPayments'>
  readonly network: Pick<QrNetwork, 'statement'>
  readonly now: Clock
  readonly ids: Pick<Ids, 'cell'>
}

/**
 * `idle`: nothing had to be compared. `accepted`: payments begin. `halted`: the network has paid what the store lacks.
 * `stale`: the server has started again, or payments were halted meanwhile.
 */
export type ComparedNewestPayments = {
  readonly type: 'idle' | 'accepted' | 'halted' | 'stale'
  /** The lines of the statement that were compared. */
  readonly compared: number
}

/** Requests last less than a minute, and clocks differ by less than this. */
const marginMs = 5 * 60_000
const batchSize = 500

/**
 * Compares the network's newest payments with the payouts before the first payment on a server that has started: when
 * its disk was replaced by an older one, a payment that the network has made is not there, and its order would be paid
 * again. Only references of this installation count, as others may use the same account at the network.
 *
 * @throws Unavailable when the statement or the store cannot be read: no payment begins, so call it again
 * @example
 * ```ts
 * const compare = compareNewestPayments(ports)
 * console.log((await compare()).type) // idle
 * ```
 */
export function compareNewestPayments(ports: CompareNewestPaymentsPorts): () => Promise<ComparedNewestPayments> {
  const { restores, network, now } = ports
  return async () => {
    const gate = await restores.gate()
    const { halt, unchecked } = gate
    if (halt !== null || unchecked === null) return { type: 'idle', compared: 0 }
    const from = new Date(unchecked.comparedFrom.getTime() - marginMs)
    const lines = network.statement(from, new Date(now().getTime() + marginMs))
    let compared = 0
    for await (const batch of batchesOf(lines)) {
      const forgotten = await forgottenOf(ports, gate, batch)
      compared += batch.length
      if (forgotten === undefined) continue
      await restores.haltForgotten(gate, detailOf(forgotten))
      return { type: 'halted', compared }
    }
    const isAccepted = await restores.accept(unchecked)
    return { type: isAccepted ? 'accepted' : 'stale', compared }
  }
}

async function* batchesOf(lines: AsyncIterable<StatementRow>): AsyncIterable<StatementRow[]> {
  let batch: StatementRow[] = []
  for await (const line of lines) {
    batch.push(line)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function forgottenOf(
  { reconciliations, ids }: CompareNewestPaymentsPorts,
  { installation }: PaymentGate,
  lines: readonly StatementRow[],
): Promise<StatementRow | undefined> {
  if (installation === null) return undefined
  // A cell that was split from another one has its installation, and another letter.
  const own = lines.filter(
    ({ reference }) => isOfInstallation(reference, installation) && !isOfOtherCell(reference, ids.cell),
  )
  if (own.length === 0) return undefined
  const found = await reconciliations.findPayments(own.map(({ reference }) => reference))
  const known = new Set(found.map(({ payoutId }) => payoutId))
  return own.find(({ reference }) => !known.has(reference))
}

const detailOf = ({ reference, amount, paidAt, paymentId }: StatementRow): string =>
  `the network paid ${toDecimal(amount)} BOB at ${isoText(paidAt)} (payment ${paymentId}) for ${reference}, which is not here`
