import type { Call } from '../../json-server.ts'
import { amount, id, text, time, type Members } from '../formats.ts'
import type { Hub } from '../hub.ts'
import type { Order } from '../ledger/ledger-state.ts'
import { replyTo } from '../plan.ts'
import { CodeRefusal, type Result } from '../route.ts'
import { orderMembers } from './order-members.ts'

export const referenceOf = ({ path }: Call): string => path['reference'] ?? ''

/** The state of a reading or an order. */
export async function status(hub: Hub, call: Call): Promise<Result> {
  const { ledger, switches } = hub
  const reference = referenceOf(call)
  await switches.gate.enter('before_status', reference)
  const reading = ledger.reading(reference)
  const order = visibleOrder(hub, reference)
  const reply = replyTo(hub, 'status', (reading ?? ledger.reading(order?.scanned ?? ''))?.content)
  if (order) return { data: statusMembers(order, reference), reply }
  if (/^\d|lost/.test(reply)) return { data: {}, reply }
  if (!reading || switches.current().unconfirmed_status === '04')
    throw new CodeRefusal('04', 'No existe el número de referencia.')
  return { data: unconfirmedMembers(reference, reading.at), reply }
}

/** The first order that `status` knows by the reference, and shows. */
function visibleOrder({ ledger, switches, timers }: Hub, reference: string): Order | undefined {
  const { status_by, status_lag_seconds } = switches.current()
  return ledger
    .byReference(reference)
    .find(
      (order) =>
        (status_by === 'both' || (status_by === 'confirm' ? order.reference : order.scanned) === reference) &&
        order.state !== 'SIN_CONFIRMAR' &&
        order.createdAt + status_lag_seconds * 1000 <= timers.now(),
    )
}

/** It repeats the reference that was queried. */
const statusMembers = (order: Order, reference: string): Members => ({
  ...orderMembers(order),
  numeroReferencia: id(reference),
  fechaHoraTransaccion: time(order.paidAt ?? order.createdAt),
  mensaje: text('Transacción encontrada'),
})

/** assumed: no source shows the status of a reading without an order. */
const unconfirmedMembers = (reference: string, at: number): Members => ({
  numeroReferencia: id(reference),
  transaccionId: text(''),
  fechaHoraTransaccion: time(at),
  estado: text('PENDIENTE_PAGO'),
  mensaje: text(''),
  importe: amount(0n),
  moneda: text('BOB'),
})
