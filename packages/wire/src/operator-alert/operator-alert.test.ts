import type { AlertMessage } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { exampleBacklog } from '../activity/activity-paths.ts'
import { alertKey, alertToJson } from './alert-to-json.ts'
import { digest, digestToJson } from './digest-to-json.ts'

const installation = { environment: 'production', cell: 'g', runbookUrl: 'https://git.example/alerts.md' } as const
const message: AlertMessage = {
  id: 'alt_1',
  code: 'PROCESSING_TOO_LONG',
  subject: 'po_1',
  tenantId: 'ten_1',
  detail: 'for 15 min',
  raisedAt: new Date('2026-11-20T10:00:00.000Z'),
  endedAt: null,
  status: 'raised',
  sequence: 0,
  further: 12,
}

test('an alert has what a program and a person need, with a link to its runbook', () => {
  expect(alertToJson(message, installation)).toEqual({
    type: 'alert',
    id: 'alt_1',
    sequence: 0,
    status: 'raised',
    code: 'PROCESSING_TOO_LONG',
    severity: 'page',
    subject: 'po_1',
    tenant_id: 'ten_1',
    detail: 'for 15 min',
    further: 12,
    runbook: 'https://git.example/alerts.md#processing_too_long',
    environment: 'production',
    cell: 'g',
    occurred_at: '2026-11-20T10:00:00.000Z',
    ended_at: null,
    text: 'production, page, raised: PROCESSING_TOO_LONG po_1 (ten_1): for 15 min. There are 12 more of this code. https://git.example/alerts.md#processing_too_long',
  })
  const keys = [message, { ...message, sequence: 1 }, { ...message, sequence: 1, status: 'resolved' as const }]
  expect(new Set(keys.map(alertKey)).size).toBe(3)
})

const source = { backlog: exampleBacklog, isHalted: true, isLiquidityWatched: false }

test('a digest lists what waits, in both languages', () => {
  const en = digestToJson('2026-11-20', 'en', source, installation)
  expect(en.text.split('\n')).toEqual([
    'Quipu production 2026-11-20: what waits',
    'Payments are halted',
    'Deposits in review: 2, 26000.000000 USDT, oldest 1 h',
    'Open differences: 1, network 1, oldest 2 h',
    'Approvals that wait: 1, oldest 10 min',
    'Liquidity at the network: not watched',
    'Payouts in processing: 3, oldest 41 s',
    'Deposits not decided: 1, oldest 12 s',
    'Webhook endpoints that are paused: 1',
    'Webhooks that are due: 12, oldest 1 min',
  ])
  expect(digest.parse(en)).toEqual(en)
  const es = digestToJson('2026-11-20', 'es', source, installation)
  expect(es.items.map(({ name, count }) => [name, count])).toEqual(en.items.map(({ name, count }) => [name, count]))
  expect(es.text).toContain('Depósitos en revisión: 2, 26000.000000 USDT, el más antiguo 1 h')
})

test('a digest without anything says so', () => {
  const none = { count: 0, oldestSeconds: 0 }
  const backlog = {
    ...exampleBacklog,
    payouts: none,
    deliveries: { fast: none, slow: none, catching_up: none },
    pausedEndpoints: 0,
    depositsInReview: { ...none, amountMicroUsdt: 0n },
    proposals: none,
    undecidedDeposits: { ...none, oldest: null },
    differences: {
      ledger: none,
      audit: none,
      network: none,
      chain: none,
      liquidity: none,
      report: { count: 0, oldestSeconds: 0 },
    },
  }
  const { text } = digestToJson(
    '2026-11-20',
    'es',
    { backlog, isHalted: false, isLiquidityWatched: true },
    installation,
  )
  expect(text).toBe('Quipu production 2026-11-20: nada espera\nLiquidez en la red: sobre el mínimo')
})
