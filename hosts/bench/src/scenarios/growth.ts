import { Client } from 'undici'
import type { BenchDatabase } from '../postgres/bench-database.ts'
import { type BenchTenant, makeTenants } from '../data/tenants-and-quotes.ts'
import { perUnit, treeCpu } from '../report/cpu.ts'
import { median, rounded } from '../report/statistics.ts'
import { type ApiProcess, measureHttp } from './http.ts'

/** A database with a history, and an API on it. */
export type Grown = {
  readonly database: BenchDatabase
  readonly api: ApiProcess
  /** The tenant with half of the history. */
  readonly tenant: BenchTenant
}

export type Growth = {
  /** Of the large database over the small one: CPU time of PostgreSQL and API for a payout, and payouts a second. */
  readonly payout_cpu_ratio: number
  readonly payouts_per_second_ratio: number
  readonly rss_ratio: number
  /** Of the large database over the small one: the median time of each read. */
  readonly read_ratios: Readonly<Record<string, number>>
  /** Times on the large database, in ms. */
  readonly read_ms: Readonly<Record<string, number>>
  readonly errors: number
}

type Read = () => Promise<void>

/** Measures both databases in turns, so that drift of the machine meets both. */
export async function measureGrowth(
  small: Grown,
  large: Grown,
  plan: { readonly seconds: number; readonly rounds: number },
): Promise<Growth> {
  const payouts = await measurePayouts([small, large], plan)
  const [ofSmall, ofLarge] = [await readsOf(small), await readsOf(large)]
  try {
    const times = await timeInTurns(ofSmall.reads, ofLarge.reads, 40 * plan.rounds)
    const entries = Array.from(times, ([name, { few, many }]) => ({ name, few, many }))
    return {
      ...payouts,
      read_ratios: Object.fromEntries(
        entries.map(({ name, few, many }) => [name, rounded(median(many) / median(few))]),
      ),
      read_ms: Object.fromEntries(entries.map(({ name, many }) => [name, rounded(median(many))])),
    }
  } finally {
    await Promise.all([ofSmall.close(), ofLarge.close()])
  }
}

async function measurePayouts(
  both: readonly [Grown, Grown],
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
) {
  const samples = await Promise.all(
    both.map(async ({ database, api }) => ({
      bench: { db: database.db, api, postgresCpu: treeCpu(database.server.pid) },
      tenants: await makeTenants(database.db, 500),
      cpu: [] as number[],
      perSecond: [] as number[],
      rss: [] as number[],
      errors: 0,
    })),
  )
  for (let round = 0; round <= rounds; round++)
    for (const sample of round % 2 === 0 ? samples : samples.toReversed()) {
      const result = await measureHttp(sample.bench, sample.tenants, { seconds, connections: 64 })
      if (round === 0) continue // Warms up.
      const { api, postgres } = perUnit(result.usage, result.completed)
      sample.cpu.push(api + postgres)
      sample.perSecond.push(result.perSecond)
      sample.rss.push(result.rssMb)
      sample.errors += result.errors
    }
  const [small, large] = samples
  const ratio = (of: 'cpu' | 'perSecond' | 'rss'): number =>
    rounded(median(large?.[of] ?? []) / median(small?.[of] ?? []))
  return {
    payout_cpu_ratio: ratio('cpu'),
    payouts_per_second_ratio: ratio('perSecond'),
    rss_ratio: ratio('rss'),
    errors: (small?.errors ?? 0) + (large?.errors ?? 0),
  }
}

/** What tenants and operators read, of the tenant with the longest log. */
async function readsOf({ database, api, tenant }: Grown) {
  const client = new Client(`http://127.0.0.1:${api.ready.port}`)
  const { rows } = await database.db.query<{ id: string; transaction_id: string }>(
    `select id, transaction_id from quipu.payout where tenant_id = $1 order by id offset 1000 limit 1`,
    [tenant.id],
  )
  const [middle = { id: '', transaction_id: '' }] = rows
  const get =
    (path: string): Read =>
    async () => {
      const headers = { 'X-API-Key': tenant.apiKey }
      const { statusCode, body } = await client.request({ method: 'GET', path, headers })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`)
    }
  const reads: Readonly<Record<string, Read>> = {
    'the newest payouts': get('/v1/payouts?limit=50'),
    'payouts that failed': get('/v1/payouts?limit=50&status=failed'),
    'one payout by its id': get(`/v1/payouts/${middle.id}`),
    'one payout by its transaction id': get(`/v1/payouts?transaction_id=${middle.transaction_id}`),
    'the newest events': get('/v1/events?limit=50'),
    'the newest wallet transactions': get('/v1/wallets/transactions?limit=50'),
    'deposits of a tenant without any': get('/v1/deposits?limit=50'),
    'the wallet': get('/v1/wallets'),
    'reconciliation of the wallet': get('/v1/wallets/reconciliation'),
  }
  return { reads, close: () => client.close() }
}

async function timeInTurns(
  small: Readonly<Record<string, Read>>,
  large: Readonly<Record<string, Read>>,
  times: number,
) {
  const results = new Map<string, { few: number[]; many: number[] }>()
  for (const [name, ofSmall] of Object.entries(small)) {
    const ofLarge = large[name]
    if (!ofLarge) continue
    const result = { few: [] as number[], many: [] as number[] }
    results.set(name, result)
    const time = async (read: Read, into: number[]): Promise<void> => {
      const start = performance.now()
      await read()
      into.push(performance.now() - start)
    }
    for (let n = 0; n < times; n++) {
      await time(ofSmall, n < times / 4 ? [] : result.few)
      await time(ofLarge, n < times / 4 ? [] : result.many)
    }
  }
  return results
}
