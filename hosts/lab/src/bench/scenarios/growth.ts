import { Unavailable } from '@quipu/core'
import { postgresStores } from '@quipu/postgres'
import type pg from 'pg'
import { makeTenants } from '../data/tenants-and-quotes.ts'
import { scansBetween, sequentialScans } from '../postgres/storage.ts'
import { perUnit, treeCpu } from '../report/cpu.ts'
import { median, rounded } from '../report/statistics.ts'
import { makeDueWork, settleDuePayouts } from './due-work.ts'
import { type Grown, type Read, type Reads, readsOf } from './growth-reads.ts'
import { measureHttp } from './http.ts'
import { countedTimes, countPages } from './page-counts.ts'

export type Growth = {
  /** The ratio of the large database over the small one: CPU time of PostgreSQL and API for a payout, and payouts a second. */
  readonly payout_cpu_ratio: number
  readonly payouts_per_second_ratio: number
  readonly rss_ratio: number
  /** The ratio of the large database over the small one: the median time of each read. */
  readonly read_ratios: Readonly<Record<string, number>>
  /** Times on the large database, in ms. */
  readonly read_ms: Readonly<Record<string, number>>
  /** Pages that each read of the stores uses in the small and in the large database. */
  readonly read_pages: Readonly<Record<string, readonly [few: number, many: number]>>
  /** Reads that the large database did not answer within the time-out of its statements. */
  readonly timed_out: readonly string[]
  /** The figures of each big table of the large database, while it was read. */
  readonly scans: Readonly<Record<string, number>>
  /** Differences that the ledger check found in both databases. */
  readonly differences: number
  readonly errors: number
}

/** How long a read of both databases is repeated, and how often at least. */
const [readSeconds, readsMin] = [20, 4]

/** Measures both databases in turns, so that drift of the machine meets both. */
export async function measureGrowth(
  small: Grown,
  large: Grown,
  plan: { readonly seconds: number; readonly rounds: number },
  say: (line: string) => void,
): Promise<Growth> {
  const payouts = await measurePayouts([small, large], plan)
  const times = 40 * plan.rounds
  const [ofSmall, ofLarge] = [await openReads(small, times), await openReads(large, times)]
  await Promise.all([small, large].map(({ database }) => summarizeEvents(database.db)))
  const { db } = large.database
  const scansBefore = await sequentialScans(db)
  const timed = await timeInTurns(ofSmall.reads, ofLarge.reads, times, say)
  await Promise.all([ofSmall.close(), ofLarge.close()])
  const scans = scansBetween(scansBefore, await sequentialScans(db))
  const pages = [await countPages(small), await countPages(large)] as const
  await Promise.all([small, large].map(({ database }) => settleDuePayouts(database.url)))
  const entries = Array.from(timed, ([name, result]) => ({ name, ...result }))
  return {
    ...payouts,
    read_ratios: Object.fromEntries(entries.map(({ name, few, many }) => [name, rounded(median(many) / median(few))])),
    read_ms: Object.fromEntries(entries.map(({ name, many }) => [name, rounded(median(many))])),
    read_pages: Object.fromEntries(Object.entries(pages[1]).map(([name, many]) => [name, [pages[0][name] ?? 0, many]])),
    timed_out: entries.filter(({ timedOut }) => timedOut).map(({ name }) => name),
    scans,
    differences: (await countDifferences(small)) + (await countDifferences(large)),
  }
}

/**
 * Summarizes what the index of events' ids lacks, as autovacuum does once a minute. The payouts since then are read by
 * each search for an event: how many they are depends on the rate of payouts, and on when autovacuum came.
 */
const summarizeEvents = (db: pg.Client): Promise<unknown> =>
  db.query(`select brin_summarize_new_values('quipu.payout_end_event')`)

/** `close` also stops the API, whose sessions then have counted their scans. */
async function openReads(grown: Grown, times: number) {
  const { db, url } = grown.database
  const stores = postgresStores({ url })
  await makeDueWork(db, stores, grown.history, times + 1 + countedTimes)
  const { reads, close } = await readsOf(grown, stores)
  return { reads, close: () => Promise.all([close(), stores.close(), grown.api.stop()]) }
}

async function countDifferences({ database }: Grown): Promise<number> {
  const { rows } = await database.db.query<{ count: number }>('select count(*)::int as count from quipu.difference')
  return rows[0]?.count ?? 0
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

type Timed = { readonly few: number[]; readonly many: number[]; timedOut: boolean }

/** Times each read of both databases `times` times, or for as long as `readSeconds`. The first quarter warms up. */
async function timeInTurns(small: Reads, large: Reads, times: number, say: (line: string) => void) {
  const results = new Map<string, Timed>()
  for (const [name, ofSmall] of Object.entries(small)) {
    const ofLarge = large[name]
    if (!ofLarge) continue
    const result: Timed = { few: [], many: [], timedOut: false }
    results.set(name, result)
    const timeBoth = async (): Promise<readonly [few: number, many: number]> => {
      const few = await time(ofSmall)
      if (few.error) throw few.error
      const many = await time(ofLarge)
      if (many.error) result.timedOut = true
      return [few.ms, many.ms]
    }
    const [firstFew, firstMany] = await timeBoth()
    const pairMs = firstFew + firstMany
    const pairs = Math.max(readsMin, Math.min(times, Math.floor((readSeconds * 1_000) / pairMs)))
    for (let n = 0; n < pairs; n++) {
      const [few, many] = await timeBoth()
      if (n < Math.floor(pairs / 4)) continue
      result.few.push(few)
      result.many.push(many)
    }
    const [few, many] = [result.few, result.many].map((each) => rounded(median(each)))
    say(`${name}: ${few} and ${many} ms${result.timedOut ? ', timed out' : ''}`)
  }
  return results
}

/** @returns also the error of a statement that exceeded its time-out */
async function time({ run, before }: Read): Promise<{ ms: number; error?: Unavailable }> {
  await before?.()
  const start = performance.now()
  try {
    await run()
    return { ms: performance.now() - start }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    return { ms: performance.now() - start, error }
  }
}
