import type pg from 'pg'
import { Pool } from 'undici'
import type { ApiReport } from '../process/api-process.ts'
import { type Child, startChild } from '../process/child.ts'
import { type CpuSource, ownCpu, startUsage, treeCpu, type Usage } from '../report/cpu.ts'
import { type BenchQuote, type BenchTenant, countEvents, makeQuotes } from '../data/tenants-and-quotes.ts'
import { type Request, runClosedLoop } from '../load/closed-loop.ts'
import { runOpenLoop, type OpenLoopResult } from '../load/open-loop.ts'
import type { QueryCounts } from '../process/query-counts.ts'
import { tableBytes, walBytes } from '../postgres/storage.ts'

/** The API in its own process. */
export type ApiProcess = Child<ApiReport>

export type HttpBench = {
  readonly db: pg.Client
  readonly api: ApiProcess
  /** CPU time of PostgreSQL. */
  readonly postgresCpu: CpuSource
}

export type HttpResult = {
  readonly completed: number
  readonly perSecond: number
  readonly latenciesMs: readonly number[]
  readonly rssMb: number
  readonly errors: number
  readonly usage: Usage<'postgres' | 'api' | 'load'>
  readonly queries: QueryCounts
  readonly walBytes: number
  /** The size of all tables and indexes, before the first payout. */
  readonly tableBytesBefore: number
}

/** As in production: `docs/operations/deployment.md` has the reasons. */
const flags = [
  '--no-memory-reducer',
  '--max-semi-space-size=16',
  '--heap-growing-percent=200',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
]

/** @param networkUrl  empty for a network in the process */
export const startApiProcess = (databaseUrl: string, networkUrl: string = ''): Promise<ApiProcess> =>
  startChild('api-process', [databaseUrl, networkUrl], flags)

/** Closed loop on `POST /v1/payouts`. Counts payouts that are `completed` and have their event. */
export async function measureHttp(
  { db, api, postgresCpu }: HttpBench,
  tenants: readonly BenchTenant[],
  { seconds, connections }: { seconds: number; connections: number },
): Promise<HttpResult> {
  const quotes = await makeQuotes(db, tenants, seconds * (connections === 1 ? 2_000 : 10_000))
  const eventsBefore = await countEvents(db)
  const [tableBytesBefore, walBefore] = [await tableBytes(db), await walBytes(db)]
  await api.request('report')
  const endUsage = startUsage({ postgres: postgresCpu, api: treeCpu(api.pid), load: ownCpu })
  const load = await runClosedLoop({ port: api.ready.port, connections, seconds, next: payoutUnits(quotes) })
  const usage = endUsage()
  const { rssMb, queries } = await api.request('report')
  const wal = (await walBytes(db)) - walBefore
  const events = (await countEvents(db)) - eventsBefore
  const completed = Math.min(load.completed, events)
  return {
    completed,
    usage,
    queries,
    rssMb,
    walBytes: wal,
    tableBytesBefore,
    perSecond: completed / load.elapsedSeconds,
    latenciesMs: load.latenciesMs,
    errors: load.errors + Math.abs(load.completed - events),
  }
}

/** Open loop on `POST /v1/payouts`, on at most 128 connections of undici. */
export async function measureOpenLoop(
  { db, api }: HttpBench,
  tenants: readonly BenchTenant[],
  { seconds, ratePerSecond }: { seconds: number; ratePerSecond: number },
): Promise<OpenLoopResult> {
  const warmUpSeconds = 1
  const quotes = await makeQuotes(db, tenants, Math.ceil((warmUpSeconds + seconds) * ratePerSecond))
  const pool = new Pool(`http://127.0.0.1:${api.ready.port}`, { connections: 128, pipelining: 1 })
  const send = async (): Promise<boolean> => {
    const quote = quotes.pop()
    if (!quote) throw new Error('fewer quotes than requests')
    const { path, headers, body } = payoutRequest(quote)
    const reply = await pool.request({ method: 'POST', path, headers, body })
    const { status } = (await reply.body.json()) as { readonly status: string }
    return reply.statusCode === 201 && status === 'completed'
  }
  try {
    return await runOpenLoop({ ratePerSecond, seconds, warmUpSeconds, send })
  } finally {
    await pool.close()
  }
}

/** A request of a tenant. */
export type TenantRequest = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const tenantRequest = ({ apiKey }: BenchTenant, path: string, body: object): TenantRequest => ({
  path,
  headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey },
  body: JSON.stringify(body),
})

/** One payout a quote until they are used up, for a closed loop. */
export const payoutUnits = (quotes: BenchQuote[]) => (): readonly [Request] | undefined => {
  const quote = quotes.pop()
  return quote && [() => requestBytes(payoutRequest(quote))]
}

/** A payout of this quote; its `transaction_id` is the quote's id. */
export function payoutRequest({ tenant, quoteId }: BenchQuote, content: string = `bench|${quoteId}`): TenantRequest {
  const body = { transaction_id: quoteId, type: 'qr', quote_id: quoteId, qr: { content }, description: 'Bench' }
  return tenantRequest(tenant, '/v1/payouts', body)
}

export function requestBytes({ path, headers, body }: TenantRequest): Buffer {
  const sent = { Host: '127.0.0.1', ...headers, 'Content-Length': Buffer.byteLength(body) }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
