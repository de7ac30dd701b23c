import { formatRate, type Payout, toDecimal } from '@quipu/core'
import { type DeliveryAttempt, deliveryId } from '@quipu/core/adapter'
import type { AuditRecord, TimelineEntry } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { wordsOf } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'

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
  })
  .meta({ id: 'TimelineEntry' })
export type TimelineKindJson = TimelineEntry['kind']
export type TimelineEntryJson = z.output<typeof timelineEntry>

type Described = Pick<TimelineEntryJson, 'id' | 'summary'> & { readonly actor?: string | null }

export function timelineEntryToJson(entry: TimelineEntry): TimelineEntryJson {
  const { id, actor = null, summary } = describe(entry)
  return { at: instantToJson(entry.at), kind: entry.kind, id, actor, summary }
}

function describe(entry: TimelineEntry): Described {
  switch (entry.kind) {
    case 'qr_resolved': {
      const { id, merchant, amount } = entry.resolution
      const price = amount === null ? 'any amount' : `BOB ${toDecimal(amount)}`
      return { id, summary: `QR of ${merchant.name} for ${price}` }
    }
    case 'quoted': {
      const { id, target, source, fee, bid, rate, rateSource } = entry.quote
      const rates = `bid ${formatRate(bid)} (${rateSource}), rate ${formatRate(rate)}`
      const amounts = `BOB ${toDecimal(target)} for USDT ${toDecimal(source)}`
      return { id, summary: `${amounts}: ${rates}, fee USDT ${toDecimal(fee)}` }
    }
    case 'requested':
      return { id: entry.payout.id, summary: `transaction_id ${entry.payout.transactionId}` }
    case 'posted': {
      const { type, amount } = entry.posting
      return { id: null, summary: `${type} of USDT ${toDecimal(amount)}` }
    }
    case 'network_called': {
      const { id, actor, kind, queriedBy, answer, detail, durationMs } = entry.call
      const said = detail === null ? answer : `${answer} (${detail})`
      return { id, actor, summary: `${kind} by ${queriedBy}: ${said} after ${durationMs} ms` }
    }
    case 'ended':
      return { id: entry.payout.id, summary: endOf(entry.payout) }
    case 'event_recorded':
      return { id: entry.event.id, summary: entry.event.type }
    case 'delivery_attempted':
      return ofDelivery(entry, attemptOf(entry.attempt))
    case 'delivery_ended':
      return ofDelivery(entry, entry.delivery.status)
    case 'difference_found':
    case 'difference_gone': {
      const { id, check, kind, detail } = entry.difference
      return { id, summary: `${check} ${kind}: ${detail}` }
    }
    case 'operator_acted':
      return ofAudit(entry.entry)
  }
}

/** The entry's record, action and reason; the log itself shows the states before and after. */
function ofAudit({ id, actor, action, subject, after }: AuditRecord): Described {
  const reason = after?.['reason']
  const why = typeof reason === 'string' ? `: ${reason}` : ''
  return { id: String(id), actor, summary: `${action} ${subject}${why}` }
}

function endOf(payout: Payout): string {
  if ('error' in payout) return `${payout.status}: ${payout.error.code}`
  const paymentId = payout.status === 'completed' ? payout.networkPaymentId : null
  return paymentId === null ? payout.status : `${payout.status}: payment ${paymentId}`
}

const ofDelivery = ({ delivery }: Extract<TimelineEntry, { delivery: unknown }>, said: string): Described => ({
  id: deliveryId(delivery.endpointId, delivery.eventId),
  summary: `${delivery.endpointId}: ${said}`,
})

function attemptOf({ statusCode, error, latencyMs }: DeliveryAttempt): string {
  const answer = statusCode === null ? [] : [`answer ${statusCode}`]
  const failure = error === null ? [] : [error]
  return `${[...answer, ...failure].join(', ')} after ${Math.round(latencyMs)} ms`
}
