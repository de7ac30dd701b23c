import { type RecordedSpans, recordSpans } from '@quipu/tracing/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../harness/process.fixture.ts'
import { closedQr } from '../harness/tenant.fixture.ts'
import { type TracedService, tracedService } from './tracing.fixture.ts'

let recorded: RecordedSpans
let service: TracedService

beforeAll(async () => {
  recorded = recordSpans(0)
  service = await tracedService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await recorded.stop()
})

test('a tenant that asks for traces gets none, and nothing is stored for it', async () => {
  const { content } = service.network.issueQr(closedQr('late'))
  const target = { currency: 'BOB', amount: '100.00' }
  const headers = { traceparent: `00-${'0'.repeat(31)}1-${'cd'.repeat(8)}-01` }
  const quote = await service.ask('POST', '/v1/quotes', { target }, headers)
  const { id: quote_id } = quote.json as { id: string }
  const order = { transaction_id: 'forced', type: 'qr', quote_id, qr: { content } }
  await service.ask('POST', '/v1/payouts', order, headers)
  await until('the event has arrived', () => service.receiver.arrived.length > 0)

  expect(recorded.spans()).toEqual([])
  const sent = [...service.networkCalls.arrived, ...service.receiver.arrived]
  expect(sent.length).toBeGreaterThan(2)
  expect(sent.filter((request) => 'traceparent' in request.headers)).toEqual([])
  const [stored] = await service.database.asOwner(`
    select p.details::text like '%traceparent%' as in_payout, chr(get_byte(e.body, 0)) as first
    from quipu.payout p join quipu.payout_end e on e.payout_id = p.id`)
  expect(stored).toEqual({ in_payout: false, first: '{' }) // A trace stands before the event's JSON.
  expect(service.lines.some((line) => 'trace_id' in line)).toBe(false)
})
