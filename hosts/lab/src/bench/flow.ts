import 'reflect-metadata'
import { createDatabase } from '@quipu/embedded-postgres'
import { sessionSettings } from '@quipu/postgres'
import pg from 'pg'
import { text, whole } from '../run/options.ts'
import { subjectOf } from '../run/subject.ts'
import { makeEndpoints, removeEndpoints } from './data/endpoints.ts'
import { type BenchTenant, makeTenants } from './data/tenants-and-quotes.ts'
import { type BenchDatabase, withBenchDatabase } from './postgres/bench-database.ts'
import { findPgbench } from './postgres/pgbench.ts'
import { startChild } from './process/child.ts'
import type { HopsReport } from './process/hops-process.ts'
import type { NetworkReport } from './process/network-process.ts'
import type { Arrivals } from './process/receiver-process.ts'
import { startWorkerProcess } from './process/start-worker.ts'
import { treeCpu } from './report/cpu.ts'
import { type FlowBench, type FlowLoad, type FlowResult, measureFlow, type Unit } from './scenarios/flow.ts'
import { startApiProcess } from './scenarios/http.ts'
import { makeTransferTables, measureTransfers } from './scenarios/transfers.ts'

const settings = { shared_buffers: '1GB', max_wal_size: '8GB', autovacuum: 'off' }

/** How long the network takes to answer, in milliseconds. */
type Latency = readonly [ms: number, spread: number]

type RowPlan = { readonly connections: number; readonly hot?: true; readonly webhook?: true; readonly pause?: Latency }

/** Each with both units of work. */
const plan: readonly (readonly [Latency, readonly RowPlan[]])[] = [
  [
    [0, 0],
    [
      { connections: 1 },
      { connections: 64 },
      { connections: 128 },
      { connections: 512 },
      { connections: 64, hot: true },
      { connections: 64, webhook: true },
      { connections: 512, pause: [300, 200] }, // The rate of the last row, without latency.
    ],
  ],
  [
    [50, 50],
    [{ connections: 64 }, { connections: 512 }],
  ],
  [[300, 200], [{ connections: 512 }]],
]

const units: readonly Unit[] = ['payout', 'flow']
const allRows = plan.flatMap(([latency, rows]) =>
  rows.flatMap((row) => units.map((unit) => [latency, row, unit] as const)),
)

/**
 * The whole flow of a tenant (resolution, quote, payout) and the payout alone, over HTTP to the API and to a network
 * with a set latency; beside two transfers of a bare ledger in SQL.
 */
export const subject = subjectOf(
  {
    seconds: whole('of each measurement', { from: 1, otherwise: 6 }),
    rows: text('only those whose name has this text, such as `payout 64`'),
  },
  async ({ seconds, rows: only = '' }, { say }) => {
    const rows = await withBenchDatabase((database) => runRows(database, { seconds, only, say }), { settings })
    const failures = Object.entries(rows.flow).flatMap(([name, { errors }]) => (errors > 0 ? [`${name}: errors`] : []))
    return { result: { ...rows, ...ratiosOf(rows) }, failures }
  },
)

type Rows = {
  readonly flow: Readonly<Record<string, FlowResult>>
  readonly transfers: Readonly<Record<string, Awaited<ReturnType<typeof measureTransfers>>>>
}

type Plan = { readonly seconds: number; readonly only: string; readonly say: (line: string) => void }

async function runRows(database: BenchDatabase, { seconds, only, say }: Plan): Promise<Rows> {
  const { server, db, url } = database
  const tenants = await makeTenants(db, 1_000)
  const flow: Record<string, FlowResult> = {}
  const postgresCpu = treeCpu(server.pid)
  const network = await startChild<NetworkReport>('network-process', [])
  const api = await startApiProcess(url, `http://127.0.0.1:${network.ready.port}`)
  const bench = { db, api, network, postgresCpu }
  try {
    for (const unit of units) await measureFlow(bench, { unit, connections: 64, seconds, tenants }) // Compiles the code.
    for (const [latency, row, unit] of allRows) {
      const name = nameOf(unit, row, latency)
      if (!name.includes(only)) continue
      await network.request(JSON.stringify(latency))
      await db.query('vacuum')
      const load: FlowLoad = {
        unit,
        connections: row.connections,
        seconds,
        tenants: row.hot ? tenants.slice(0, 1) : tenants,
        ...(row.pause && { pauseMs: around(row.pause) }),
      }
      flow[name] = row.webhook ? await withWebhooks(database, bench, load) : await measureFlow(bench, load)
      say(`${name}: ${JSON.stringify(flow[name])}`)
    }
    await network.request('[0,0]')
    await db.query('create table public.hop (id bigint generated always as identity, body bytea)')
    await db.query('grant select, insert on public.hop to public')
    const hops = await startChild<HopsReport>('hops-process', [url, `http://127.0.0.1:${network.ready.port}`])
    const load = { unit: 'payout', connections: 1, seconds, tenants } as const
    await measureFlow({ ...bench, api: hops }, load) // Compiles the code.
    flow['hops 1'] = await measureFlow({ ...bench, api: hops }, load)
    say(`hops 1: ${JSON.stringify(flow['hops 1'])}`)
    await hops.stop()
  } finally {
    await api.stop()
    await network.stop()
  }
  return { flow, transfers: await transferRows(database, seconds) }
}

const around =
  ([ms, spread]: Latency) =>
  (): number =>
    ms + (2 * Math.random() - 1) * spread

const nameOf = (unit: Unit, { connections, hot, webhook, pause }: RowPlan, [ms, spread]: Latency): string =>
  [
    unit,
    connections,
    ms === 0 ? [] : `${ms}±${spread} ms`,
    hot ? 'hot' : [],
    pause ? 'paced' : [],
    webhook ? 'webhook' : [],
  ]
    .flat()
    .join(' ')

/** Each tenant has an endpoint, and a worker delivers: its CPU time counts. */
async function withWebhooks({ db, url }: BenchDatabase, bench: FlowBench, load: FlowLoad): Promise<FlowResult> {
  const receiver = await startChild<Arrivals>('receiver-process', ['16'])
  const urls = receiver.ready.ports.map((port) => `http://127.0.0.1:${port}/ok`)
  const endpointOf = (tenant: BenchTenant, n: number) => ({ tenant, url: `${urls[n % urls.length]}/${n}` })
  await makeEndpoints(db, load.tenants.map(endpointOf))
  const worker = await startWorkerProcess(url)
  try {
    return await measureFlow({ ...bench, others: { worker: treeCpu(worker.pid) } }, load)
  } finally {
    await worker.stop()
    await receiver.stop()
    await removeEndpoints(db)
  }
}

async function transferRows({ server }: BenchDatabase, seconds: number): Promise<Rows['transfers']> {
  await createDatabase(server, 'transfers')
  const url = server.urlFor('transfers')
  const db = new pg.Client(url)
  await db.connect()
  try {
    await makeTransferTables(db)
    const pgbench = await findPgbench(url, sessionSettings)
    const measure = (clients: number) => measureTransfers(pgbench, treeCpu(server.pid), { seconds, clients })
    await measure(64) // New sessions plan their statements.
    return { 'two transfers 1': await measure(1), 'two transfers 64': await measure(64) }
  } finally {
    await db.end()
  }
}

function ratiosOf({ flow, transfers }: Rows): Readonly<Record<string, number>> {
  const cpu = (name: string): number => flow[name]?.cpuUsOfService ?? NaN
  return {
    flow_over_payout_cpu: cpu('flow 64') / cpu('payout 64'),
    flow_over_payout_cpu_c1: cpu('flow 1') / cpu('payout 1'),
    payout_over_hops_cpu_c1: cpu('payout 1') / cpu('hops 1'),
    flow_over_transfers_cpu: cpu('flow 64') / (transfers['two transfers 64']?.postgresCpuUs ?? NaN),
    latency_300_over_none_cpu: cpu('payout 512 300±200 ms') / cpu('payout 512 paced'),
  }
}
