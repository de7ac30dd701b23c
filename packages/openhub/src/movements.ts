import { type Bob, Unavailable } from '@quipu/core'
import type { StatementRow } from '@quipu/core/adapter'
import { instantOf } from './bolivian-time.ts'
import { type Heard, silenceOf } from './envelope.ts'
import { bolivianosOf, memberOf, rowsOf } from './fields.ts'
import type { MovementKind } from './openhub-calls.ts'

/** A debit or a credit of the account. */
export type Movement = {
  /** Our id of the order; undefined for a movement without one. */
  readonly reference: string | undefined
  readonly operation: string | undefined
  readonly state: string | undefined
  readonly networkRef: string
  readonly paymentId: string
  readonly amount: Bob
  readonly at: Date
}

/**
 * The movements of one date, oldest first.
 *
 * @throws Unavailable for another answer, and for a movement without an amount in BOB or a time: none is left out
 */
export function movementsIn(heard: Heard, kind: MovementKind, date: string): readonly Movement[] {
  const unavailable = (reason: string): Unavailable => new Unavailable('qr_network', `${kind} of ${date}: ${reason}`)
  if (heard.type !== 'envelope') throw unavailable(silenceOf(heard))
  const { code, data, said } = heard
  if (code !== '00') throw unavailable(said)
  const rows = data === undefined || data === null ? [] : rowsOf(data)
  if (!rows) throw unavailable('data is no list')
  const seen = new Map<string, number>()
  const movements = rows.map((row, index) => {
    const [amount, at] = [bolivianosOf(row, 'importe'), instantOf(memberOf(row, 'fechaHoraTransaccion'))]
    if (memberOf(row, 'moneda')?.toUpperCase() !== 'BOB') throw unavailable(`row ${index + 1} has no moneda BOB`)
    if (!amount) throw unavailable(`row ${index + 1} has no readable importe`)
    if (!at) throw unavailable(`row ${index + 1} has no readable fechaHoraTransaccion`)
    const networkRef = foreign(memberOf(row, 'numeroReferencia') ?? '')
    const ownId = memberOf(row, 'numOrdenAch') ?? networkRef
    return {
      reference: foreignOf(memberOf(row, 'transactionId')),
      operation: memberOf(row, 'tipoOperacion')?.toUpperCase(),
      state: memberOf(row, 'estado')?.toUpperCase(),
      networkRef,
      paymentId: ownId === '' ? numbered(seen, `${at.toISOString()} ${amount.minor}`) : foreign(ownId),
      amount,
      at,
    }
  })
  return movements.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** An id of another system's record, cleaned so that it stays different from every id of ours. */
const foreign = (text: string): string =>
  text
    .slice(0, 255)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\uFFFD')

const foreignOf = (text: string | undefined): string | undefined => (text === undefined ? undefined : foreign(text))

/** An id for a movement without any: two of a day stay two, also where nothing distinguishes them. */
function numbered(seen: Map<string, number>, id: string): string {
  const times = (seen.get(id) ?? 0) + 1
  seen.set(id, times)
  return times === 1 ? id : `${id}#${times}`
}

const isOurs = (reference: string | undefined): boolean =>
  reference !== undefined && /^po_[0-9A-HJKMNP-TV-Z]{26}$/.test(reference)

const isReversal = ({ operation = '' }: Movement): boolean => /REVER|DEVOL|EXTORN/.test(operation)
const isRejected = ({ state = '' }: Movement): boolean => /^RECHAZAD[OA]$/.test(state)
const isReverted = ({ state = '' }: Movement): boolean => /^REVERTID[OA]$/.test(state)

/** A debit that proves the payment of an order. */
export const isPaymentOf =
  (reference: string) =>
  (debit: Movement): boolean =>
    debit.reference === reference && (debit.state === 'COMPLETADO' || debit.state === 'COMPLETADA')

/**
 * The rows of one date, oldest first: every debit of QR payouts, and the credits that give a payment back.
 *
 * @param operations  the `tipoOperacion` of QR payouts; undefined for every debit
 */
export function statementRowsOf(
  debits: readonly Movement[],
  credits: readonly Movement[],
  operations: readonly string[] | undefined,
): readonly StatementRow[] {
  const names = operations && new Set(operations.map((name) => name.trim().toUpperCase()))
  const isListed = ({ reference, operation }: Movement): boolean =>
    names === undefined || operation === undefined || names.has(operation) || isOurs(reference)
  const paid = debits.filter((debit) => isListed(debit) && !isRejected(debit))
  const returned = credits.filter((credit) => isOurs(credit.reference) || isReversal(credit))
  return [
    ...paid.map((debit) => rowOf('payment', debit)),
    ...[...paid.filter(isReverted), ...returned].map((movement) => rowOf('return', movement)),
  ].sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime())
}

const rowOf = (type: StatementRow['type'], movement: Movement): StatementRow => ({
  type,
  reference: movement.reference ?? `openhub:${movement.paymentId}`,
  networkRef: movement.networkRef,
  paymentId: movement.paymentId,
  amount: movement.amount,
  paidAt: movement.at,
})
