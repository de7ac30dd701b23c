import type { TimelineKindJson } from '@quipu/wire'
import { type Text, texts } from '../../text/text.ts'

export const payoutTexts = texts({
  title: { en: 'Payouts', es: 'Pagos' },
  one: { en: 'Payout', es: 'Pago' },
  created: { en: 'Created', es: 'Creado' },
  ended: { en: 'Ended', es: 'Terminado' },
  id: { en: 'Payout', es: 'Pago' },
  targetFrom: { en: 'BOB from', es: 'BOB desde' },
  targetTo: { en: 'BOB to', es: 'BOB hasta' },
  merchant: { en: 'Merchant', es: 'Comercio' },
  bank: { en: 'Bank code', es: 'Código de banco' },
  tenant: { en: 'Tenant', es: 'Cliente' },
  status: { en: 'Status', es: 'Estado' },
  target: { en: 'Pays', es: 'Paga' },
  source: { en: 'Costs', es: 'Cuesta' },
  rate: { en: 'Rate', es: 'Tasa' },
  transactionId: { en: 'Tenant’s id', es: 'Id del cliente' },
  key: { en: 'API key', es: 'Clave de API' },
  networkReference: { en: 'Network’s reference', es: 'Referencia de la red' },
  networkPayment: { en: 'Network’s payment', es: 'Pago en la red' },
  reason: { en: 'Reason', es: 'Motivo' },
  attention: { en: 'Needs a person', es: 'Requiere a una persona' },
  attentionOnly: { en: 'Only with an alert', es: 'Solo con alerta' },
  empty: {
    en: 'No payout matches. Take a filter away, or search by an id.',
    es: 'Ningún pago coincide. Quite un filtro, o busque por un id.',
  },
  timeline: { en: 'Time line', es: 'Línea de tiempo' },
  at: { en: 'At', es: 'Momento' },
  detail: { en: 'Detail', es: 'Detalle' },
  by: { en: 'By', es: 'Por' },
  ledger: { en: 'Ledger', es: 'Libro contable' },
  posting: { en: 'Posting', es: 'Asiento' },
  amount: { en: 'Amount', es: 'Monto' },
  availableAfter: { en: 'Available after', es: 'Disponible después' },
  heldAfter: { en: 'Held after', es: 'Retenido después' },
  noLedger: {
    en: 'No money moved: the payout ended before it was accepted.',
    es: 'No se movió dinero: el pago terminó antes de aplicarse.',
  },
  work: { en: 'Work on it', es: 'Trabajo en curso' },
  workHint: {
    en: 'A worker queries the network about it until there is a final answer.',
    es: 'Un proceso pregunta a la red hasta tener una respuesta final.',
  },
  claims: { en: 'Claims', es: 'Intentos' },
  unanswered: { en: 'Unanswered questions', es: 'Preguntas sin respuesta' },
  due: { en: 'Next question', es: 'Próxima pregunta' },
  alerts: { en: 'Alerts', es: 'Alertas' },
  case: { en: 'For the network’s support', es: 'Para el soporte de la red' },
  caseHint: {
    en: 'Ask the network in writing with this text. Its answer is the evidence of a settlement.',
    es: 'Consulte a la red por escrito con este texto. Su respuesta es la evidencia de una liquidación.',
  },
})

/** Kinds of entries of a time line. */
export const timelineTexts = texts<Readonly<Record<TimelineKindJson, Text>>>({
  qr_resolved: { en: 'QR read', es: 'QR leído' },
  quoted: { en: 'Quoted', es: 'Cotizado' },
  requested: { en: 'Requested', es: 'Solicitado' },
  posted: { en: 'Posted', es: 'Asentado' },
  network_called: { en: 'Network queried', es: 'Consulta a la red' },
  ended: { en: 'Ended', es: 'Terminado' },
  event_recorded: { en: 'Event recorded', es: 'Evento registrado' },
  delivery_attempted: { en: 'Delivery attempted', es: 'Entrega intentada' },
  delivery_ended: { en: 'Delivery ended', es: 'Entrega terminada' },
  difference_found: { en: 'Difference found', es: 'Diferencia encontrada' },
  difference_gone: { en: 'Difference gone', es: 'Diferencia resuelta' },
  operator_acted: { en: 'Operator acted', es: 'Acción de operador' },
})

/** Actions of operators on payouts. */
export const payoutActionTexts = texts({
  query: { en: 'Query the network', es: 'Preguntar a la red' },
  askHint: {
    en: 'Queries the network for the status now. A final answer ends the payout.',
    es: 'Pregunta ahora el estado a la red. Una respuesta final termina el pago.',
  },
  cancel: { en: 'Cancel at the network', es: 'Cancelar en la red' },
  cancelHint: {
    en: 'The network cancels the reference, so that no payment can follow, or answers with the payment that exists. Then the payout ends and the hold is captured or released.',
    es: 'La red cancela la referencia, para que no pueda seguir ningún pago, o responde con el pago que existe. Luego el pago termina y la retención se cobra o se libera.',
  },
  queried: {
    en: (status: string) => `The network answered. The payout is ${status}.`,
    es: (status: string) => `La red respondió. El estado del pago es ${status}.`,
  },
  settle: { en: 'Propose a settlement', es: 'Proponer una liquidación' },
  settleHint: {
    en: 'For a payout that the network cannot end. Another operator has to approve it.',
    es: 'Para un pago que la red no puede terminar. Otro operador debe aprobarlo.',
  },
  proposed: {
    en: 'Proposed. Another operator has to approve it.',
    es: 'Propuesta registrada. Otro operador debe aprobarla.',
  },
  refund: { en: 'Propose a refund', es: 'Proponer un reembolso' },
  refundHint: {
    en: 'For a payment that the network returned. The wallet is credited once another operator approves it, and the payout stays completed.',
    es: 'Para un pago que la red devolvió. El monto se acredita cuando otro operador lo aprueba, y el pago sigue completado.',
  },
  refundAmount: { en: 'Amount, in USDT', es: 'Monto, en USDT' },
  refundAmountHint: {
    en: 'At most what the payout cost. Left empty: all of it.',
    es: 'Como máximo lo que costó el pago. Vacío: todo.',
  },
  outcome: { en: 'Outcome', es: 'Resultado' },
  paidAmount: { en: 'Paid by the network, in BOB', es: 'Pagado por la red, en BOB' },
  paidAmountHint: { en: 'With Completed only.', es: 'Solo con Completado.' },
  paymentId: { en: 'Network’s id of the payment', es: 'Id del pago en la red' },
  contradicts: { en: 'Against the network’s answer', es: 'Frente a la respuesta de la red' },
  contradictsHint: {
    en: 'If the network answered another payment, say that the evidence outweighs it.',
    es: 'Si la red respondió otro pago, diga que la evidencia pesa más.',
  },
  agrees: { en: 'Agrees with it', es: 'Coincide con ella' },
  differs: { en: 'Differs from it', es: 'Difiere de ella' },
})

export const payoutStopTexts = texts({
  banner: { en: 'Payouts are stopped.', es: 'Los pagos están detenidos.' },
  stop: { en: 'Stop payouts', es: 'Detener los pagos' },
  stopHint: {
    en: 'Every new payout of every tenant gets 503, and nothing of it is written. Reads and settlements go on. Two people start payouts again.',
    es: 'Todo pago nuevo de todo cliente recibe 503, y no se escribe nada. Las lecturas y liquidaciones siguen. Dos personas reanudan los pagos.',
  },
  stopped: { en: 'Payouts are stopped.', es: 'Los pagos están detenidos.' },
  start: { en: 'Start payouts', es: 'Reanudar los pagos' },
  startHint: {
    en: 'Payouts are accepted again once another person approves the proposal.',
    es: 'Se aceptan pagos de nuevo cuando otra persona apruebe la propuesta.',
  },
})
