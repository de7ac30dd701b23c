import type pg from 'pg'
import { Pool } from 'undici'
import type { ApiReport } from '../process/api-process.ts'
import { type Child, startChild } from '../process/child.ts'
import { type CpuSource, ownCpu, startUsage, treeCpu, type Usage } from '../report/cpu.ts'
import {
  type BenchQuote,
  type BenchTenant,
  countEvents,
  makeQuotes,
} from '../data/tenants-and-quotes.ts'
import { loadHttp } from '../load/closed-loop.ts'
import { loadAtRate, type OpenLoadFigures } from '../load/open-loop.ts'
import type { QueryCounts } from '../process/query-counts.ts'
import { tableBytes, walBytes } from '../postgres/storage.ts'

/** The API in a process of its own, with a QR network that answers at once. */
export type ApiProcess = Child<ApiReport>

export type HttpBench = {
  readonly db: pg.Client
  readonly api: ApiProcess
  /** PostgreSQL's CPU. */
  readonly postgresCpu: CpuSource
}

export type HttpFigures = {
  readonly completed: number
  readonly perSecond: number
  readonly latenciesMs: readonly number[]
  readonly rssMb: number
  readonly errors: number
  readonly usage: Usage<'postgres' | 'api' | 'load'>
  readonly queries: QueryCounts
  readonly walBytes: number
  /** Of all tables and indexes, before the first payout. */
  readonly tableBytesBefore: number
}

/** As in production, for the reasons that are told in `docs/operations.md`. */
const flags = [
  '--no-memory-reducer',
  '--max-semi-space-size=16',
  '--heap-growing-percent=200',
  '--no-allocation-site-pretenuring',
]

export const startApiProcess = (databaseUrl: string): Promise<ApiProcess> =>
  startChild('api-process', [databaseUrl], flags)

/** Pays quotes through `POST /v1/payouts`; a payout counts when it was answered `completed` and its event is there. */
export async function measureHttp(
  { db, api, postgresCpu }: HttpBench,
  tenants: readonly BenchTenant[],
  { seconds, connections }: { seconds: number; connections: number },
): Promise<HttpFigures> {
  const quotes = await makeQuotes(db, tenants, seconds * (connections === 1 ? 2_000 : 10_000))
  const eventsBefore = await countEvents(db)
  const [tableBytesBefore, walBefore] = [await tableBytes(db), await walBytes(db)]
  await api.ask('report')
  const next = (): Buffer | undefined => {
    const quote = quotes.pop()
    return quote && requestBytes(quote)
  }
  const endUsage = startUsage({ postgres: postgresCpu, api: treeCpu(api.pid), load: ownCpu })
  const load = await loadHttp({ port: api.ready.port, connections, seconds, next })
  const usage = endUsage()
  const { rssMb, queries } = await api.ask('report')
  const wal = (await walBytes(db)) - walBefore
  const events = (await countEvents(db)) - eventsBefore
  const completed = Math.min(load.completed, events)
  return {
    ...{ completed, usage, queries, rssMb, walBytes: wal, tableBytesBefore },
    perSecond: completed / load.elapsedSeconds,
    latenciesMs: load.latenciesMs,
    errors: load.errors + Math.abs(load.completed - events),
  }
}

/** Pays quotes at a constant rate, by as many connections of undici as are needed, 128 at the most. */
export async function measureOpenLoop(
  { db, api }: HttpBench,
  tenants: readonly BenchTenant[],
  { seconds, ratePerSecond }: { seconds: number; ratePerSecond: number },
): Promise<OpenLoadFigures> {
  const warmUpSeconds = 1
  const quotes = await makeQuotes(db, tenants, Math.ceil((warmUpSeconds + seconds) * ratePerSecond))
  const pool = new Pool(`http://127.0.0.1:${api.ready.port}`, { connections: 128, pipelining: 1 })
  const send = async (): Promise<boolean> => {
    const quote = quotes.pop()
    if (!quote) throw new Error('there are fewer quotes than requests')
    const { path, headers, body } = payoutRequest(quote)
    const reply = await pool.request({ method: 'POST', path, headers, body })
    const { status } = (await reply.body.json()) as { readonly status: string }
    return reply.statusCode === 201 && status === 'completed'
  }
  try {
    return await loadAtRate({ ratePerSecond, seconds, warmUpSeconds, send })
  } finally {
    await pool.close()
  }
}

function payoutRequest({ tenant, quoteId }: BenchQuote) {
  const body = JSON.stringify({
    transaction_id: quoteId,
    type: 'qr',
    quote_id: quoteId,
    qr: { content: `bench|${quoteId}` },
    description: 'Bench',
  })
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': tenant.apiKey }
  return { path: '/v1/payouts', headers, body }
}

function requestBytes(quote: BenchQuote): Buffer {
  const { path, headers, body } = payoutRequest(quote)
  const sent = { Host: '127.0.0.1', ...headers, 'Content-Length': Buffer.byteLength(body) }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
