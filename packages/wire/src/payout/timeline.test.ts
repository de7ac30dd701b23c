import { bob } from '@quipu/core'
import { type DeliveryAttempt, deliveryId, type EndedPayout } from '@quipu/core/adapter'
import {
  auditActions,
  type AuditRecord,
  type NetworkCall,
  type PayoutPosting,
  type TimelineEntry,
} from '@quipu/core/operator'
import { expect, test } from 'vitest'
import * as example from '../openapi/example.ts'
import { event } from '../event/event-example.ts'
import { delivered } from '../webhook/webhook-example.ts'
import { foundDifference } from './history.fixture.ts'
import { timelineEntry, timelineEntryToJson } from './timeline.ts'

type WithoutInstant<Entry> = Entry extends unknown ? Omit<Entry, 'at'> : never

function shown(entry: WithoutInstant<TimelineEntry>) {
  const json = timelineEntryToJson({ at: example.at(5), ...entry })
  expect(timelineEntry.parse(json)).toEqual(json)
  const { at, kind, summary_es: _, ...others } = json
  expect([at, kind]).toEqual([example.at(5).toISOString(), entry.kind])
  return others
}

test('a reading of a QR shows the merchant and the price, if the QR has one', () => {
  const { resolution } = example
  const { id } = resolution
  expect(shown({ kind: 'qr_resolved', resolution })).toEqual({
    id,
    actor: null,
    summary: 'QR of Librería Illimani for BOB 100.00',
  })
  const without = { ...resolution, amountMode: 'open', amount: null } as const
  expect(shown({ kind: 'qr_resolved', resolution: without }).summary).toBe('QR of Librería Illimani for any amount')
})

test('a quote shows its amounts, its rates and its fee', () => {
  const { quote } = example
  expect(shown({ kind: 'quoted', quote: { ...quote, target: bob(1_00n) } })).toEqual({
    id: quote.id,
    actor: null,
    summary: 'BOB 1.00 for USDT 10.203353: bid 9.9500 (fixed), rate 9.8007, fee USDT 0.000000',
  })
})

const posting: PayoutPosting = {
  type: 'hold',
  amount: example.quote.source,
  availableAfter: example.wallet.available,
  heldAfter: example.quote.source,
  at: example.at(0),
}

test('a request shows its transaction id, a posting its type and amount', () => {
  const { processing } = example.payouts
  expect(shown({ kind: 'requested', payout: processing })).toEqual({
    id: processing.id,
    actor: null,
    summary: 'transaction_id order-2026-000123',
  })
  expect(shown({ kind: 'posted', posting })).toEqual({ id: null, actor: null, summary: 'hold of USDT 10.203353' })
})

const call: NetworkCall = {
  id: 'nwc_1',
  kind: 'status',
  queriedBy: 'operator',
  actor: 'olivia',
  createdAt: example.at(2),
  durationMs: 41,
  answer: 'unknown',
  detail: 'no answer',
}

test('a question to the network shows who queried, the answer and its time', () => {
  expect(shown({ kind: 'network_called', call })).toEqual({
    id: 'nwc_1',
    actor: 'olivia',
    summary: 'status by operator: unknown (no answer) after 41 ms',
  })
  const returned = { ...call, answer: 'returned', detail: null } as const
  expect(shown({ kind: 'network_called', call: returned }).summary).toBe('status by operator: returned after 41 ms')
  const byWorker = { ...call, queriedBy: 'worker', actor: null, detail: null } as const
  expect(shown({ kind: 'network_called', call: byWorker })).toEqual({
    id: 'nwc_1',
    actor: null,
    summary: 'status by worker: unknown after 41 ms',
  })
})

test('an end shows the status, with the error or the payment if there is one', () => {
  const { completed, failed, cancelled } = example.payouts
  const summary = (payout: EndedPayout) => shown({ kind: 'ended', payout }).summary
  expect(shown({ kind: 'ended', payout: failed }).id).toBe(failed.id)
  expect(summary(failed)).toBe('failed: PAYMENT_FAILED')
  expect(summary(cancelled)).toBe('cancelled: QUOTE_AMOUNT_MISMATCH')
  expect(summary({ ...completed, networkPaymentId: null } as EndedPayout)).toBe('completed')
  expect(summary({ ...completed, networkPaymentId: 'np-1' } as EndedPayout)).toBe('completed: payment np-1')
})

test('an event shows its type', () => {
  expect(shown({ kind: 'event_recorded', event })).toEqual({ id: event.id, actor: null, summary: 'payout.completed' })
})

test('a delivery shows the endpoint, and each attempt its answer, its error or both', () => {
  const id = deliveryId(delivered.endpointId, delivered.eventId)
  const attempted = (attempt: Partial<DeliveryAttempt>) => {
    const whole = { at: example.at(2), statusCode: null, error: null, latencyMs: 40.6, excerpt: null, ...attempt }
    return shown({ kind: 'delivery_attempted', delivery: delivered, attempt: whole })
  }
  expect(shown({ kind: 'delivery_ended', delivery: delivered })).toEqual({
    id,
    actor: null,
    summary: `${delivered.endpointId}: delivered`,
  })
  const { summary, ...others } = attempted({ statusCode: 503, error: 'STATUS' })
  expect(others).toEqual({ id, actor: null })
  expect(summary).toBe(`${delivered.endpointId}: answer 503, STATUS after 41 ms`)
  expect(attempted({ statusCode: 200 }).summary).toBe(`${delivered.endpointId}: answer 200 after 41 ms`)
  expect(attempted({ error: 'TIMEOUT' }).summary).toBe(`${delivered.endpointId}: TIMEOUT after 41 ms`)
})

test('a difference shows its check, its kind and its detail, found and gone alike', () => {
  for (const kind of ['difference_found', 'difference_gone'] as const)
    expect(shown({ kind, difference: foundDifference })).toEqual({
      id: foundDifference.id,
      actor: null,
      summary: 'network missing_here: paid once more',
    })
})

const entry: AuditRecord = {
  id: 12n,
  hash: '',
  at: example.at(3),
  actor: 'olivia',
  action: 'payout.cancel',
  tokenId: null,
  address: null,
  session: null,
  tenantId: null,
  subject: 'po_1',
  before: null,
  after: { reason: 'Paid twice.' },
}

test('an action of an operator shows the subject, and the reason if the log has one', () => {
  const acted = (after: AuditRecord['after']) => shown({ kind: 'operator_acted', entry: { ...entry, after } })
  expect(acted(entry.after)).toEqual({ id: '12', actor: 'olivia', summary: 'payout.cancel po_1: Paid twice.' })
  for (const after of [null, {}, { reason: null }, { reason: 1 }])
    expect(acted(after).summary).toBe('payout.cancel po_1')
})

const attempt: DeliveryAttempt = { at: example.at(2), statusCode: 503, error: null, latencyMs: 40.6, excerpt: null }
const inSpanish: {
  readonly [Kind in TimelineEntry['kind']]: readonly [Omit<TimelineEntry & { kind: Kind }, 'at' | 'kind'>, string]
} = {
  qr_resolved: [{ resolution: example.resolution }, 'QR de Librería Illimani por BOB 100,00'],
  quoted: [
    { quote: example.quote },
    'BOB 100,00 por USDT 10,203353: compra 9,9500 (fixed), tasa 9,8007, comisión USDT 0,000000',
  ],
  requested: [{ payout: example.payouts.processing }, 'id del cliente order-2026-000123'],
  posted: [{ posting }, 'retención de USDT 10,203353'],
  network_called: [
    { call: { ...call, answer: 'paid', detail: 'BOB 100.00, payment np-1' } },
    'consulta de estado por un operador: pagado (BOB 100.00, pago np-1) tras 41 ms',
  ],
  ended: [{ payout: example.payouts.failed }, 'fallido: PAYMENT_FAILED'],
  event_recorded: [{ event }, 'payout.completed'],
  delivery_attempted: [{ delivery: delivered, attempt }, `${delivered.endpointId}: respuesta 503 tras 41 ms`],
  delivery_ended: [{ delivery: delivered }, `${delivered.endpointId}: entregada`],
  difference_found: [{ difference: foundDifference }, 'control de la red, missing_here: paid once more'],
  difference_gone: [{ difference: foundDifference }, 'control de la red, missing_here: paid once more'],
  operator_acted: [{ entry }, 'cancelación de po_1: Paid twice.'],
}

test.each(Object.entries(inSpanish))('%s is in Spanish', (kind, [shows, text]) => {
  expect(timelineEntryToJson({ at: example.at(5), kind, ...shows } as TimelineEntry).summary_es).toBe(text)
})

test.each(auditActions.filter((action) => /^(case|difference|payout|proposal)\./.test(action)))(
  '%s is in Spanish',
  (action) => {
    const json = timelineEntryToJson({ at: example.at(5), kind: 'operator_acted', entry: { ...entry, action } })
    expect(json.summary_es).not.toContain(action)
  },
)
