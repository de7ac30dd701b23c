import type { Order } from '../ledger/ledger-state.ts'
import { bolivianDate } from '../bolivian-time.ts'
import { amount, id, text, time, type Members } from '../formats.ts'
import { recipientOf } from './recipient.ts'

/** The order as `confirm` and `status` show it. */
export const orderMembers = (order: Order): Members => ({
  numeroReferencia: id(order.reference),
  transaccionId: text(order.transaccionId),
  estado: text(order.state),
  importe: amount(order.amount),
  moneda: text('BOB'),
  glosa: text(order.glosa),
  numOrdenAch: id(order.paidAt === null ? '' : orderNumber(order)),
  cuentaOrigen: id(order.account),
  titularOrigen: text('CUENTA DE PAGOS'),
  ...recipientOf(order.merchant),
})

export const confirmMembers = (order: Order): Members => ({
  ...orderMembers(order),
  fechaHoraTransaccion: time(order.paidAt ?? order.createdAt, true),
})

/** `14`, the day and the order's position: 20 digits. */
export const orderNumber = ({ id, createdAt }: Order): string =>
  `1426${bolivianDate(createdAt).replaceAll('-', '').slice(2)}0249${id.toString().padStart(6, '0')}`
