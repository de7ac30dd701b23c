import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { sha256 } from '@quipu/core/adapter'
import { newOperatorToken } from '@quipu/core/operator'
import { systemIds } from '@quipu/core/system'
import { bootstrapOperatorToken } from '@quipu/postgres'
import { whole } from '../run/options.ts'
import { mustBeZero, type Report } from '../run/report.ts'
import { subjectOf } from '../run/subject.ts'
import { makeHistory } from './data/history.ts'
import { makeTenants } from './data/tenants-and-quotes.ts'
import { type BenchDatabase, withBenchDatabase } from './postgres/bench-database.ts'
import { treeCpu } from './report/cpu.ts'
import { rounded } from './report/statistics.ts'
import { type ApiProcess, measureHttp, startApiProcess } from './scenarios/http.ts'

const token = 'the-token-of-the-benchmark'
const path = '/operator/v1/payouts?format=csv'
const idleReaders = 20
const secondMs = 1_000

/** An export of many payouts as CSV: memory of the API over time, the first byte, and readers that read nothing. */
export const subject = subjectOf({ rows: whole('payouts', { from: 1, otherwise: 1_000_000 }) }, ({ rows }, { say }) =>
  withBenchDatabase((database) => measure(database, rows, say), {
    settings: { shared_buffers: '1GB', max_wal_size: '8GB' },
  }),
)

async function measure({ server, owner, url, db }: BenchDatabase, rows: number, say: Say): Promise<Report> {
  const api = await startApiProcess(url)
  try {
    // The history repeats the event of a real payout.
    const bench = { db, api, postgresCpu: treeCpu(server.pid) }
    const { completed } = await measureHttp(bench, await makeTenants(db, 10), { seconds: 1, connections: 1 })
    await makeHistory(db, { payouts: rows, wallets: 0 }, say)
    await db.query('vacuum analyze')
    const createdAt = new Date()
    const expiresAt = new Date(createdAt.getTime() + 3_600 * secondMs)
    const wanted = { person: 'bench', label: 'bench', role: 'admin', hash: sha256(token), expiresAt } as const
    const made = { id: systemIds.next('opt', createdAt), createdAt, createdBy: 'bench', activatedAt: createdAt }
    await bootstrapOperatorToken(owner, { token: newOperatorToken(wanted, made), hash: wanted.hash })
    await exported(api, say) // Warms up: a service runs for days.
    const measured = await exported(api, say)
    const held = await heldConnections(api, db)
    const result = {
      rows,
      ...measured,
      rows_missing: Math.abs(completed + rows - measured.rows_read),
      idle_readers: idleReaders,
      held_connections: held,
    }
    return { result, failures: mustBeZero(result, ['rows_missing', 'trailer_differs', 'held_connections']) }
  } finally {
    await api.stop()
  }
}

type Say = (line: string) => void

async function openExport(api: ApiProcess): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}` }
  const request = get({ host: '127.0.0.1', port: api.ready.operatorPort, path, headers, agent: false })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`the export was answered ${answer.statusCode}`)
  return answer
}

/** Reads everything, and the API's peak memory of each second. */
async function exported(api: ApiProcess, say: Say) {
  await api.request('report')
  const start = performance.now()
  const answer = await openExport(api)
  const samples: number[] = []
  let [lines, bytes, firstByteMs, sampledAt] = [0, 0, 0, start]
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    firstByteMs ||= performance.now() - start
    bytes += chunk.length
    for (const byte of chunk) if (byte === 0x0a) lines++
    if (performance.now() - sampledAt < secondMs) continue
    sampledAt = performance.now()
    samples.push(rounded((await api.request('report')).rssMb, 0))
  }
  const seconds = (performance.now() - start) / secondMs
  const read = lines - 1
  say(`${read} rows in ${rounded(seconds)} s; MB of memory each second: ${samples.join(' ')}`)
  return {
    rows_read: read,
    mb: rounded(bytes / 2 ** 20, 0),
    first_byte_ms: rounded(firstByteMs),
    rows_per_second: rounded(read / seconds, 0),
    rss_mb: samples,
    rss_mb_grown: (samples.at(-1) ?? 0) - (samples[0] ?? 0),
    trailer_differs: answer.trailers['x-row-count'] === String(read) ? 0 : 1,
  }
}

/** Sessions that are in use while nobody reads the exports that are open. */
async function heldConnections(api: ApiProcess, db: BenchDatabase['db']): Promise<number> {
  const answers = await Promise.all(Array.from({ length: idleReaders }, () => openExport(api)))
  for (const answer of answers) answer.pause()
  let held = idleReaders
  // The buffers of both sides fill within a second.
  for (const end = performance.now() + 10 * secondMs; held > 0 && performance.now() < end;) {
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where usename = 'quipu_app' and state <> 'idle'`,
    )
    held = rows[0]?.count ?? 0
  }
  for (const answer of answers) answer.destroy()
  return held
}
