import type { BenchTenant } from '../data/tenants-and-quotes.ts'
import { perUnit } from '../report/cpu.ts'
import { median, percentile, rounded } from '../report/statistics.ts'
import { type ApiProcess, type HttpBench, type HttpResult, measureHttp } from './http.ts'

export type TracingBench = Pick<HttpBench, 'db' | 'postgresCpu'> & {
  readonly tenants: readonly BenchTenant[]
  readonly seconds: number
  readonly rounds: number
  readonly say: (line: string) => void
}

/** The figures of each API, over all rounds. */
export type TracingResult = Readonly<Record<string, Summary>>

type Summary = {
  /** CPU time of API and PostgreSQL for a payout, and of the API alone, in µs; medians. */
  readonly cpu_us: number
  readonly api_cpu_us: number
  /** CPU time over the mean of `off` and `off_again` in the same round: median, first and third quartile. */
  readonly ratio: number
  readonly ratio_p25: number
  readonly ratio_p75: number
  readonly api_ratio: number
  readonly api_ratio_p25: number
  readonly api_ratio_p75: number
  readonly wal_bytes: number
  readonly errors: number
}

type Sample = { readonly cpu: number; readonly api: number; readonly wal: number; readonly errors: number }

/**
 * Measures payouts through APIs on one database, which differ in tracing. Each round measures every API once, in
 * turns of the order, so that drift of the machine meets all of them.
 */
export async function measureTracing(
  { db, postgresCpu, tenants, seconds, rounds, say }: TracingBench,
  apis: Readonly<Record<string, ApiProcess>>,
): Promise<TracingResult> {
  const names = Object.keys(apis)
  const samples = new Map(names.map((name): [string, Sample[]] => [name, []]))
  const measure = async (name: string): Promise<Sample> => {
    const api = apis[name]
    if (api === undefined) throw new Error(`no API ${name}`)
    await db.query('vacuum')
    const bench = { db, api, postgresCpu }
    return sampleOf(await measureHttp(bench, tenants, { seconds, connections: 64 }))
  }
  for (const name of names) await measure(name) // Warms up.
  for (let round = 0; round < rounds; round++) {
    const from = round % names.length
    const turn = [...names.slice(from), ...names.slice(0, from)]
    for (const name of round % 2 === 0 ? turn : turn.toReversed()) samples.get(name)?.push(await measure(name))
    const line = names.map((name) => `${name} ${rounded(samples.get(name)?.at(-1)?.cpu ?? 0, 0)} µs`)
    say(`round ${round + 1}: ${line.join('; ')}`)
  }
  // Two processes with tracing off, as one differs from another by some per cent.
  const off = meansOf(samples.get('off') ?? [], samples.get('off_again') ?? [])
  return Object.fromEntries(Array.from(samples, ([name, own]): [string, Summary] => [name, summary(own, off)]))
}

function sampleOf({ usage, completed, walBytes, errors }: HttpResult): Sample {
  const { api, postgres } = perUnit(usage, completed)
  return { cpu: api + postgres, api, wal: walBytes / completed, errors }
}

type Cpu = Pick<Sample, 'cpu' | 'api'>

const meansOf = (ones: readonly Cpu[], others: readonly Cpu[]): readonly Cpu[] =>
  ones.map((one, round) => {
    const { cpu, api } = others[round] ?? one
    return { cpu: (one.cpu + cpu) / 2, api: (one.api + api) / 2 }
  })

function summary(own: readonly Sample[], off: readonly Cpu[]): Summary {
  const ratios = (of: 'cpu' | 'api') => own.map((sample, round) => sample[of] / (off[round]?.[of] ?? NaN))
  const [cpu, api] = [ratios('cpu'), ratios('api')]
  return {
    cpu_us: rounded(median(own.map((sample) => sample.cpu)), 1),
    api_cpu_us: rounded(median(own.map((sample) => sample.api)), 1),
    ratio: rounded(median(cpu), 4),
    ratio_p25: rounded(percentile(cpu, 0.25), 4),
    ratio_p75: rounded(percentile(cpu, 0.75), 4),
    api_ratio: rounded(median(api), 4),
    api_ratio_p25: rounded(percentile(api, 0.25), 4),
    api_ratio_p75: rounded(percentile(api, 0.75), 4),
    wal_bytes: rounded(median(own.map((sample) => sample.wal)), 0),
    errors: own.reduce((sum, sample) => sum + sample.errors, 0),
  }
}
