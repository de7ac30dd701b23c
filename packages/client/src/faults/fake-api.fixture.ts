// The part of the API that the client's tests need, in memory.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { type LocalServer, openServer } from '../http-server.fixture.ts'
import type {
  Payout,
  PayoutRequest,
  QuipuEvent,
  QuoteRecord,
  QuoteRequest,
  SandboxQrRequest,
} from '../openapi/openapi.ts'

export type FakeApi = LocalServer & {
  readonly apiKey: string
  /** Adds the newest event. */
  record(event: QuipuEvent): void
}

type Stored = { readonly body: string; readonly payout: Payout }
type State = {
  readonly quotes: Map<string, QuoteRecord>
  /** Newest first. */
  readonly payouts: Stored[]
  readonly events: QuipuEvent[]
}
type Answer = readonly [status: number, body: unknown]

const apiKey = 'qpu_test_fake'
const merchant = { name: 'Tienda Sol', bank_code: '1016' }
const at = '2026-03-02T12:00:00.000Z'

export async function openFakeApi(): Promise<FakeApi> {
  const state: State = { quotes: new Map(), payouts: [], events: [] }
  const server = await openServer(async (request, response) => {
    const [status, body] = answer(state, request, await text(request))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return { ...server, apiKey, record: (event) => void state.events.unshift(event) }
}

function answer(state: State, { method, url, headers }: IncomingMessage, body: string): Answer {
  if (headers['x-api-key'] !== apiKey) return refusal(401, 'AUTHENTICATION_FAILED')
  const { pathname, searchParams: query } = new URL(url ?? '/', 'http://api')
  switch (`${method} ${pathname}`) {
    case 'POST /v1/sandbox/qr-codes': {
      const { scenario = 'paid' } = JSON.parse(body) as SandboxQrRequest
      return [201, { content: `MOCK:${scenario}`, scenario }]
    }
    case 'POST /v1/payouts/qr/resolve':
      return [201, { resolution_id: 'qrr_1', merchant, amount_mode: body.includes('OPEN') ? 'open' : 'closed' }]
    case 'POST /v1/quotes':
      return [201, quoted(state, JSON.parse(body) as QuoteRequest)]
    case 'POST /v1/payouts':
      return paid(state, body)
    case 'GET /v1/payouts': {
      const id = query.get('transaction_id')
      const all = state.payouts.map(({ payout }) => payout)
      return [200, pageOf(id ? all.filter((each) => each.transaction_id === id) : all, query)]
    }
    case 'GET /v1/wallets':
      return [200, { total: '1000.000000', held: '0.000000' }]
    case 'GET /v1/events': {
      const from = query.get('from') ?? ''
      const found = state.events.filter(({ recorded_at }) => recorded_at >= from)
      return [200, pageOf(found, query)]
    }
    default: {
      const found = state.payouts.find(({ payout }) => pathname === `/v1/payouts/${payout.id}`)
      return found ? [200, found.payout] : refusal(404, 'NOT_FOUND')
    }
  }
}

const refusal = (status: number, code: string): Answer => [
  status,
  { error: { code, message: 'No.', request_id: 'req_1' } },
]

/** The cursor is the index in the list. */
function pageOf<T>(all: readonly T[], query: URLSearchParams): { data: T[]; next_cursor: string | null } {
  const start = Number(query.get('cursor') ?? 0)
  const end = start + Number(query.get('limit') ?? 50)
  return { data: all.slice(start, end), next_cursor: end < all.length ? String(end) : null }
}

function quoted({ quotes }: State, { target }: QuoteRequest): QuoteRecord {
  const quote: QuoteRecord = {
    id: randomUUID(),
    source: { currency: 'USDT', amount: '10.203353' },
    target: { currency: 'BOB', amount: target?.amount ?? '100.00' },
    rate: '9.8007',
    fee: { currency: 'USDT', amount: '0.000000' },
    expires_at: at,
    resolution_id: null,
    status: 'open',
    created_at: at,
    exceeds_payment_cap: false,
  }
  quotes.set(quote.id, quote)
  return quote
}

/** One `transaction_id` is one payment, and a quote is used once. */
function paid(state: State, body: string): Answer {
  const request = JSON.parse(body) as PayoutRequest
  const { transaction_id, quote_id } = request
  const known = state.payouts.find(({ payout }) => payout.transaction_id === transaction_id)
  if (known) return known.body === body ? [201, known.payout] : refusal(409, 'TRANSACTION_ID_REUSED')
  const quote = state.quotes.get(quote_id)
  if (!quote) return refusal(409, 'QUOTE_ALREADY_USED')
  state.quotes.delete(quote_id)
  const scenario = request.type === 'qr' ? request.qr.content : ''
  const processing: Payout = {
    id: `po_${randomUUID()}`,
    type: request.type,
    status: 'processing',
    transaction_id,
    resolution_id: null,
    quote,
    source: null,
    target: quote.target,
    qr: { amount_mode: 'closed', merchant },
    error: null,
    completed_at: null,
    description: request.description ?? null,
    metadata: request.metadata ?? {},
    network_payment_id: null,
    created_at: at,
  }
  const payout: Payout =
    scenario === 'MOCK:paid'
      ? { ...processing, status: 'completed', source: quote.source, completed_at: at }
      : { ...processing, status: 'failed', error: { code: 'PAYMENT_FAILED', message: 'The network refused.' } }
  state.payouts.unshift({ body, payout })
  return [201, payout]
}
