import type { ExactJson } from '@quipu/http-json'
import type { NetworkAnswer, PaymentOrder } from '@quipu/core/adapter'
import { type Envelope, type Heard, silenceOf } from './envelope.ts'
import { bolivianosOf, factOf, memberOf, referenceOf, shown } from './fields.ts'

type Key = Pick<PaymentOrder, 'reference' | 'networkRef'>
type Unknown = Extract<NetworkAnswer, { type: 'unknown' }>
type Given = { readonly networkRef?: string }

/** The documented values of `estado`, and what each says about the money. A missing one says nothing. */
const states: Readonly<Record<string, 'paid' | 'refused_payment' | 'pending' | 'returned' | 'not_ordered'>> = {
  APROBADA: 'paid',
  PAGADO: 'paid',
  COMPLETADO: 'paid',
  RECHAZADA: 'refused_payment',
  RECHAZADO: 'refused_payment',
  EN_PROCESO: 'pending',
  PENDIENTE_CONFIRMACION: 'pending',
  PENDIENTE: 'pending',
  INICIALIZADO: 'pending',
  PROCESO: 'pending',
  ENVIADO: 'pending',
  TRANSITO: 'pending',
  REVERTIDO: 'returned',
  REVERTIDA: 'returned',
  PENDIENTE_PAGO: 'not_ordered',
}

/** The documented values of `estado`. */
export const orderStates: readonly string[] = Object.keys(states)

/** Codes of a confirm that came before any debit, by the documentation's sense. */
const confirmCodes: Readonly<Record<string, 'refused_qr' | 'no_liquidity' | 'not_sent'>> = {
  '02': 'not_sent',
  '04': 'not_sent',
  '08': 'refused_qr',
  '09': 'refused_qr',
  '10': 'refused_qr',
  '11': 'not_sent',
  '12': 'not_sent',
  '13': 'no_liquidity',
  '15': 'not_sent',
}

/** "Not confirmed" and internal errors: an outage, after which the order is paid or not. */
const outages: ReadonlySet<string> = new Set(['94', '95', '96', '99'])

/**
 * Interprets the answer to a confirm. Final are the states of money and the codes that came before any debit; every
 * other answer is `unknown`. Code 14 is: the reading may have been paid.
 *
 * @param isGatewayRefusalNotSent  ATC's gateway refuses with 401, 403 and 404 before it forwards
 */
export function confirmAnswer(heard: Heard, key: Key, isGatewayRefusalNotSent = false): NetworkAnswer {
  if (heard.type === 'not_sent') return heard
  if (heard.type === 'text' && isGatewayRefusalNotSent && [401, 403, 404].includes(heard.status))
    return { type: 'not_sent', reason: heard.said }
  if (heard.type !== 'envelope') return { type: 'unknown', reason: silenceOf(heard) }
  const type = confirmCodes[heard.code]
  if (type !== undefined) return type === 'not_sent' ? { type, reason: heard.said } : { type }
  return heard.code === '00' ? paymentIn(heard, key, 'confirm') : withoutPayment(heard)
}

/** Interprets the answer to a status request. Code 04 is `not_seen`: it proves nothing. */
export function statusAnswer(heard: Heard, key: Key): NetworkAnswer {
  if (heard.type !== 'envelope') return { type: 'unknown', reason: silenceOf(heard) }
  if (heard.code === '04') return { type: 'not_seen' }
  return heard.code === '00' ? paymentIn(heard, key, 'status') : withoutPayment(heard)
}

const withoutPayment = ({ code, said }: Envelope): Unknown =>
  outages.has(code) ? { type: 'unknown', reason: said } : breach(said)

/** Whether OpenHub says that it paid an order, and not how much: another request has to answer that. */
export const isAmountMissing = (heard: Heard): boolean =>
  heard.type === 'envelope' && heard.code === '00' && stateOf(heard.data) === 'paid' && !amountOf(heard.data)

/**
 * The payment of an answer, if it is ours. A confirm answers our request, and may leave our id out. A status without it
 * may be about the payment of another order.
 */
function paymentIn({ data }: Envelope, { reference, networkRef }: Key, call: 'confirm' | 'status'): NetworkAnswer {
  const state = stateOf(data)
  const id = memberOf(data, 'transaccionId')
  const given = givenIn(data, networkRef)
  if (id === undefined && state === 'not_ordered')
    return call === 'status' ? { type: 'not_seen' } : breach('not ordered')
  if (id !== reference && !(id === undefined && call === 'confirm')) return breach('another transaccionId')
  switch (state) {
    case 'not_ordered':
      return call === 'status' ? { type: 'not_seen' } : breach('not ordered', given)
    case 'pending':
      return { type: 'pending', ...given }
    case 'returned':
    case 'refused_payment':
      return { type: state }
    case 'paid': {
      const amount = amountOf(data)
      if (!amount) return breach('paid, without an amount in BOB', given)
      return { type: 'paid', amount, paymentId: factOf(data, 'numOrdenAch') ?? null, ...given }
    }
    case undefined:
      return breach(`estado ${shown(memberOf(data, 'estado') ?? 'missing', 40)}`, given)
  }
}

const stateOf = (data: ExactJson | undefined): (typeof states)[string] | undefined => {
  const state = memberOf(data, 'estado')?.toUpperCase()
  return state !== undefined && Object.hasOwn(states, state) ? states[state] : undefined
}

/** Undefined for zero, which the order of a closed QR says, and for another currency. */
function amountOf(data: ExactJson | undefined): ReturnType<typeof bolivianosOf> {
  const amount = bolivianosOf(data, 'importe')
  return amount && amount.minor > 0n && memberOf(data, 'moneda')?.toUpperCase() === 'BOB' ? amount : undefined
}

/** The reference of the transaction, where it is not that of the reading. */
function givenIn(data: ExactJson | undefined, networkRef: string): Given {
  const given = referenceOf(data)
  return given === undefined || given === networkRef ? {} : { networkRef: given }
}

/** OpenHub answered against its documentation, or with what it leaves open. */
const breach = (reason: string, given: Given = {}): Unknown => ({ type: 'unknown', reason, breach: true, ...given })
