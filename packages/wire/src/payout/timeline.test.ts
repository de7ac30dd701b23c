import type { DeliveryAttempt, EndedPayout } from '@quipu/core/adapter'
import { auditActions, type AuditRecord, type NetworkCall, type TimelineEntry } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import * as example from '../openapi/example.ts'
import { event } from '../event/event-example.ts'
import { delivered } from '../webhook/webhook-example.ts'
import { foundDifference } from './history.fixture.ts'
import { timelineEntry, timelineEntryToJson } from './timeline.ts'

const { quote, resolution, payouts } = example
const call: NetworkCall = {
  id: 'nwc_1',
  kind: 'status',
  queriedBy: 'operator',
  actor: 'olivia',
  createdAt: example.at(2),
  durationMs: 41,
  answer: 'paid',
  detail: 'BOB 100.00, payment np-1',
}
const attempt: DeliveryAttempt = { at: example.at(2), statusCode: 503, error: 'STATUS', latencyMs: 40.6, excerpt: null }
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
const { endpointId } = delivered
const differs = ['network missing_here: paid once more', 'control de la red, missing_here: paid once more'] as const

type Shows<Kind> = Omit<TimelineEntry & { kind: Kind }, 'at' | 'kind'>

/** The texts of each kind of entry, in English and Spanish. */
const texts: {
  readonly [Kind in TimelineEntry['kind']]: readonly [Shows<Kind>, english: string, spanish: string]
} = {
  qr_resolved: [{ resolution }, 'QR of Librería Illimani for BOB 100.00', 'QR de Librería Illimani por BOB 100,00'],
  quoted: [
    { quote },
    'BOB 100.00 for USDT 10.203353: bid 9.9500 (fixed), rate 9.8007, fee USDT 0.000000',
    'BOB 100,00 por USDT 10,203353: compra 9,9500 (fixed), tasa 9,8007, comisión USDT 0,000000',
  ],
  requested: [{ payout: payouts.processing }, 'transaction_id order-2026-000123', 'id del cliente order-2026-000123'],
  posted: [
    {
      posting: {
        type: 'hold',
        amount: quote.source,
        availableAfter: example.wallet.available,
        heldAfter: quote.source,
        at: example.at(0),
      },
    },
    'hold of USDT 10.203353',
    'retención de USDT 10,203353',
  ],
  network_called: [
    { call },
    'status by operator: paid (BOB 100.00, payment np-1) after 41 ms',
    'consulta de estado por un operador: pagado (BOB 100.00, pago np-1) tras 41 ms',
  ],
  ended: [{ payout: payouts.failed }, 'failed: PAYMENT_FAILED', 'fallido: PAYMENT_FAILED'],
  event_recorded: [{ event }, 'payout.completed', 'payout.completed'],
  delivery_attempted: [
    { delivery: delivered, attempt },
    `${endpointId}: answer 503, STATUS after 41 ms`,
    `${endpointId}: respuesta 503, STATUS tras 41 ms`,
  ],
  delivery_ended: [{ delivery: delivered }, `${endpointId}: delivered`, `${endpointId}: entregada`],
  difference_found: [{ difference: foundDifference }, ...differs],
  difference_gone: [{ difference: foundDifference }, ...differs],
  operator_acted: [{ entry }, 'payout.cancel po_1: Paid twice.', 'cancelación de po_1: Paid twice.'],
}

test.each(Object.entries(texts))('%s is in both languages', (kind, [shows, english, spanish]) => {
  const json = timelineEntryToJson({ at: example.at(5), kind, ...shows } as TimelineEntry)
  expect(timelineEntry.parse(json)).toEqual(json)
  expect(json).toMatchObject({ at: example.at(5).toISOString(), kind, summary: english, summary_es: spanish })
})

test('what an entry lacks is left out', () => {
  const summary = (shown: WithoutInstant<TimelineEntry>) => timelineEntryToJson({ at: example.at(5), ...shown }).summary
  const open = { ...resolution, amountMode: 'open', amount: null } as const
  expect(summary({ kind: 'qr_resolved', resolution: open })).toBe('QR of Librería Illimani for any amount')
  const silent = { ...call, answer: 'unknown', detail: null } as const
  expect(summary({ kind: 'network_called', call: silent })).toBe('status by operator: unknown after 41 ms')
  const paid = (networkPaymentId: string | null) => ({ ...payouts.completed, networkPaymentId }) as EndedPayout
  expect(summary({ kind: 'ended', payout: paid(null) })).toBe('completed')
  expect(summary({ kind: 'ended', payout: paid('np-1') })).toBe('completed: payment np-1')
  const lost = { ...attempt, statusCode: null, error: 'TIMEOUT' } as const
  const attempted = { kind: 'delivery_attempted', delivery: delivered, attempt: lost } as const
  expect(summary(attempted)).toBe(`${endpointId}: TIMEOUT after 41 ms`)
  for (const after of [null, {}, { reason: null }, { reason: 1 }])
    expect(summary({ kind: 'operator_acted', entry: { ...entry, after } })).toBe('payout.cancel po_1')
})

type WithoutInstant<Entry> = Entry extends unknown ? Omit<Entry, 'at'> : never

test.each(auditActions.filter((action) => /^(case|difference|payout|proposal)\./.test(action)))(
  '%s is in Spanish',
  (action) => {
    const json = timelineEntryToJson({ at: example.at(5), kind: 'operator_acted', entry: { ...entry, action } })
    expect(json.summary_es).not.toContain(action)
  },
)
