import { cancelling } from '@quipu/core'
import type { NetworkCall, PayoutHistory } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { qrNetwork, qrNetworkToJson } from '../network/network.ts'
import * as example from '../openapi/example.ts'
import { foundDifference } from './history.fixture.ts'
import { networkCaseToJson } from './network-case.ts'

const processing = { ...example.payouts.processing, networkRef: '547261120000004711' }
const call = (second: number, over: Partial<NetworkCall>): NetworkCall =>
  ({
    id: `nwc_${example.ulid('0G')}`,
    kind: 'status',
    queriedBy: 'worker',
    actor: null,
    answer: 'not_seen',
    detail: null,
    createdAt: new Date(Date.UTC(2026, 10, 21, 2, 0, second)),
    durationMs: 84,
    ...over,
  }) as NetworkCall

const history: PayoutHistory = {
  record: { payout: processing, open: null, eventId: null, postings: [] },
  quote: undefined,
  resolution: undefined,
  networkCalls: [
    call(1, { kind: 'pay', answer: 'unknown', detail: 'HTTP 502' }),
    call(3, {}),
    call(8, {}),
    call(18, { answer: 'pending' }),
  ],
  event: undefined,
  deliveries: [],
  proposals: [],
  differences: [],
  audit: [],
}

test('the case of a payout in doubt has the facts and calls that the network’s support asks for, in Bolivian time', () => {
  const inBolivia = new Date(processing.createdAt.getTime() - 14_400_000).toISOString().slice(0, 19).replace('T', ' ')
  expect(networkCaseToJson(history)?.es.split('\n').slice(1, -1)).toEqual([
    'Número de referencia: 547261120000004711',
    `Nuestro id de transacción: ${processing.id}`,
    'Id del pago: desconocido',
    'Importe: BOB 100.00',
    `Ordenado aproximadamente (Bolivia): ${inBolivia}`,
    'Llamadas (Bolivia):',
    '- 2026-11-20 22:00:01: orden de pago: sin respuesta válida (HTTP 502)',
    '- 2026-11-20 22:00:03 hasta 2026-11-20 22:00:08 (2×): consulta de estado: referencia no encontrada',
    '- 2026-11-20 22:00:18: consulta de estado: en proceso',
  ])
  expect(networkCaseToJson(history)?.en).toContain('(2×): status query: reference not found')
})

test('an ended payout has a case only while an open difference contradicts it', () => {
  const payout = { ...example.completed, networkPaymentId: 'QN7' } as typeof example.completed
  const ended: PayoutHistory = { ...history, record: { ...history.record, payout }, networkCalls: [] }
  expect(networkCaseToJson(ended)).toBeNull()
  const contradicted = networkCaseToJson({ ...ended, differences: [foundDifference] })
  expect(contradicted?.en).toContain('no answer is on record')
  expect(contradicted?.en).toContain('Payment id: QN7')
})

test('the network of the API shows the proof of an unpaid order', () => {
  const capabilities = { ...cancelling, unpaidProof: { by: 'statement', afterSeconds: 3600 } } as const
  const json = qrNetworkToJson({ network: null, halts: [] }, { identity: 'openhub', capabilities })
  expect(qrNetwork.parse(json)).toEqual(json)
  expect(json.configured).toEqual({
    identity: 'openhub',
    capabilities: {
      unpaid_proof: 'statement',
      unpaid_after_seconds: 3600,
      identity_proof: 'status',
      repeatable_pay: true,
      single_use_reading: false,
      reference_at_pay: false,
      callbacks: true,
      statement_grain: 'instant',
    },
  })
})
