import { formatRate, type Money, type Payout, toDecimal } from '@quipu/core'
import { type DeliveryAttempt, deliveryId } from '@quipu/core/adapter'
import type { AuditRecord, Difference, NetworkCall, TimelineEntry } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { wordsOf } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { networkAnswerWords, networkCallWords } from './network-case.ts'

const kinds = wordsOf<TimelineEntry['kind']>({
  qr_resolved: true,
  quoted: true,
  requested: true,
  posted: true,
  network_called: true,
  ended: true,
  event_recorded: true,
  delivery_attempted: true,
  delivery_ended: true,
  difference_found: true,
  difference_gone: true,
  operator_acted: true,
})

/** An entry of a payout's time line. */
export const timelineEntry = z
  .object({
    at: time,
    kind: z.union([z.enum(kinds), z.string()]).meta({ description: 'Kinds may be added.' }),
    id: z.string().nullable().meta({ description: 'The record that it shows; null for a posting.' }),
    actor: z
      .string()
      .nullable()
      .meta({ description: 'The name of the operator’s token; null where no operator acted.', examples: ['olivia'] }),
    summary: z.string().meta({ description: 'For people.' }),
    summary_es: z
      .string()
      .meta({ description: 'The summary in Spanish. What the network and the checks wrote stays.' }),
  })
  .meta({ id: 'TimelineEntry' })
export type TimelineKindJson = TimelineEntry['kind']
export type TimelineEntryJson = z.output<typeof timelineEntry>

type Described = Pick<TimelineEntryJson, 'id' | 'summary'> & { readonly actor?: string | null }

/** Texts and decimals of one language. */
type Wording = {
  readonly say: (en: string, es: string) => string
  readonly word: (text: Readonly<Record<'en' | 'es', string>>) => string
  readonly decimal: (text: string) => string
}

const english: Wording = { say: (en) => en, word: ({ en }) => en, decimal: (text) => text }
const spanish: Wording = { say: (_, es) => es, word: ({ es }) => es, decimal: (text) => text.replace('.', ',') }

export function timelineEntryToJson(entry: TimelineEntry): TimelineEntryJson {
  const { id, actor = null, summary } = describe(entry, english)
  const summary_es = describe(entry, spanish).summary
  return { at: instantToJson(entry.at), kind: entry.kind, id, actor, summary, summary_es }
}

function describe(entry: TimelineEntry, wording: Wording): Described {
  const { say, word, decimal } = wording
  const money = (amount: Money): string => decimal(toDecimal(amount))
  switch (entry.kind) {
    case 'qr_resolved': {
      const { id, merchant, amount } = entry.resolution
      const price = amount === null ? say('any amount', 'cualquier monto') : `BOB ${money(amount)}`
      return { id, summary: `QR ${say('of', 'de')} ${merchant.name} ${say('for', 'por')} ${price}` }
    }
    case 'quoted': {
      const { id, target, source, fee, bid, rate, rateSource } = entry.quote
      const at = (each: typeof bid): string => decimal(formatRate(each))
      const rates = `${say('bid', 'compra')} ${at(bid)} (${rateSource}), ${say('rate', 'tasa')} ${at(rate)}`
      const amounts = `BOB ${money(target)} ${say('for', 'por')} USDT ${money(source)}`
      return { id, summary: `${amounts}: ${rates}, ${say('fee', 'comisión')} USDT ${money(fee)}` }
    }
    case 'requested': {
      const name = say('transaction_id', 'id del cliente')
      return { id: entry.payout.id, summary: `${name} ${entry.payout.transactionId}` }
    }
    case 'posted': {
      const { type, amount } = entry.posting
      return { id: null, summary: `${word(postings[type])} ${say('of', 'de')} USDT ${money(amount)}` }
    }
    case 'network_called':
      return ofCall(entry.call, wording)
    case 'ended':
      return { id: entry.payout.id, summary: endOf(entry.payout, wording) }
    case 'event_recorded':
      return { id: entry.event.id, summary: entry.event.type }
    case 'delivery_attempted':
      return ofDelivery(entry, attemptOf(entry.attempt, wording))
    case 'delivery_ended':
      return ofDelivery(entry, word(deliveries[entry.delivery.status]))
    case 'difference_found':
    case 'difference_gone': {
      const { id, check, kind, detail } = entry.difference
      return { id, summary: say(`${check} ${kind}: ${detail}`, `control ${checks[check]}, ${kind}: ${detail}`) }
    }
    case 'operator_acted':
      return ofAudit(entry.entry, wording)
  }
}

function ofCall({ id, actor, kind, queriedBy, answer, detail, durationMs }: NetworkCall, wording: Wording): Described {
  const { say, word } = wording
  const said = say(answer, networkAnswerWords[answer].es)
  const whole = detail === null ? said : `${said} (${say(detail, detail.replace(', payment ', ', pago '))})`
  const queried = `${say(kind, networkCallWords[kind].es)} ${say('by', 'por')} ${word(authors[queriedBy])}`
  return { id, actor, summary: `${queried}: ${whole} ${say('after', 'tras')} ${durationMs} ms` }
}

/** The entry's record, action and reason; the log itself shows the states before and after. */
function ofAudit({ id, actor, action, subject, after }: AuditRecord, { say }: Wording): Described {
  const reason = after?.['reason']
  const why = typeof reason === 'string' ? `: ${reason}` : ''
  return { id: String(id), actor, summary: `${say(action, actions[action] ?? action)} ${subject}${why}` }
}

function endOf(payout: Payout, { say }: Wording): string {
  const status = say(payout.status, statuses[payout.status])
  if ('error' in payout) return `${status}: ${payout.error.code}`
  const paymentId = payout.status === 'completed' ? payout.networkPaymentId : null
  return paymentId === null ? status : `${status}: ${say('payment', 'pago')} ${paymentId}`
}

const ofDelivery = ({ delivery }: Extract<TimelineEntry, { delivery: unknown }>, said: string): Described => ({
  id: deliveryId(delivery.endpointId, delivery.eventId),
  summary: `${delivery.endpointId}: ${said}`,
})

function attemptOf({ statusCode, error, latencyMs }: DeliveryAttempt, { say }: Wording): string {
  const answer = statusCode === null ? [] : [`${say('answer', 'respuesta')} ${statusCode}`]
  const failure = error === null ? [] : [error]
  return `${[...answer, ...failure].join(', ')} ${say('after', 'tras')} ${Math.round(latencyMs)} ms`
}

const postings = {
  hold: { en: 'hold', es: 'retención' },
  capture: { en: 'capture', es: 'cobro' },
  release: { en: 'release', es: 'liberación' },
}
const authors = {
  request: { en: 'request', es: 'la solicitud' },
  worker: { en: 'worker', es: 'un proceso' },
  operator: { en: 'operator', es: 'un operador' },
}
const deliveries = {
  pending: { en: 'pending', es: 'pendiente' },
  held: { en: 'held', es: 'en cola' },
  delivered: { en: 'delivered', es: 'entregada' },
  exhausted: { en: 'exhausted', es: 'agotada' },
}
const statuses: Readonly<Record<Payout['status'], string>> = {
  processing: 'en proceso',
  completed: 'completado',
  failed: 'fallido',
  rejected: 'rechazado',
  cancelled: 'cancelado',
}
const checks: Readonly<Record<Difference['check'], string>> = {
  ledger: 'del libro',
  audit: 'de la auditoría',
  network: 'de la red',
  chain: 'de la cadena',
  liquidity: 'de liquidez',
  report: 'de informes',
}
/** Actions on a payout, and on its proposals and differences. */
const actions: Readonly<Partial<Record<AuditRecord['action'], string>>> = {
  'case.note': 'nota sobre',
  'case.release': 'se libera',
  'case.take': 'se toma',
  'difference.close': 'cierre de',
  'operator.refuse': 'acción rechazada sobre',
  'payout.cancel': 'cancelación de',
  'payout.query': 'consulta sobre',
  'payout.settle': 'liquidación de',
  'proposal.approve': 'aprobación de',
  'proposal.fail': 'falla de',
  'proposal.open': 'propuesta',
  'proposal.reject': 'rechazo de',
  'proposal.withdraw': 'retiro de',
  'wallet.adjust': 'ajuste de',
}
