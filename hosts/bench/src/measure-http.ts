import type pg from 'pg'
import { startChild } from './child.ts'
import { type BenchQuote, type BenchTenant, countEvents, makeQuotes } from './fixtures.ts'
import { loadHttp } from './http-load.ts'

export type HttpFigures = {
  readonly perSecond: number
  readonly latenciesMs: readonly number[]
  readonly rssMb: number
  readonly errors: number
}

/** The API in a process of its own, with a QR network that answers at once. */
export type ApiProcess = {
  readonly port: number
  /** Its resident memory at the most since it was last asked. */
  rssMb(): Promise<number>
  stop(): Promise<void>
}

/** As in production, for the reasons that are told in `docs/operations.md`. */
const flags = ['--no-memory-reducer', '--max-semi-space-size=16', '--heap-growing-percent=200']

export async function startApiProcess(databaseUrl: string): Promise<ApiProcess> {
  const child = await startChild<number>('api-process', [databaseUrl], flags)
  return { port: child.ready, rssMb: () => child.ask('rss'), stop: () => child.stop() }
}

/** Pays quotes through `POST /v1/payouts`; a payout counts when it was answered `completed` and its event is there. */
export async function measureHttp(
  db: pg.Client,
  api: ApiProcess,
  tenants: readonly BenchTenant[],
  { seconds, connections }: { seconds: number; connections: number },
): Promise<HttpFigures> {
  const quotes = await makeQuotes(db, tenants, seconds * (connections === 1 ? 2_000 : 10_000))
  const eventsBefore = await countEvents(db)
  await api.rssMb()
  const next = (): Buffer | undefined => {
    const quote = quotes.pop()
    return quote && request(quote)
  }
  const load = await loadHttp({ port: api.port, connections, seconds, next })
  const events = (await countEvents(db)) - eventsBefore
  return {
    perSecond: Math.min(load.completed, events) / load.elapsedSeconds,
    latenciesMs: load.latenciesMs,
    rssMb: await api.rssMb(),
    errors: load.errors + Math.abs(load.completed - events),
  }
}

function request({ tenant, quoteId }: BenchQuote): Buffer {
  const content = `bench|${quoteId}`
  const body = JSON.stringify({
    transaction_id: quoteId,
    type: 'qr',
    quote_id: quoteId,
    qr: { content },
    description: 'Bench',
  })
  const head = [
    'POST /v1/payouts HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `X-API-Key: ${tenant.apiKey}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
