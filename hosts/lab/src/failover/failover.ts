import path from 'node:path'
import { patroniFaultNames } from '../chaos/plan.ts'
import { flag, list, OptionError, whole } from '../run/options.ts'
import { subjectOf } from '../run/subject.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { runPatroni } from './patroni-failover.ts'
import { planOf, type Plan } from './plan.ts'
import { type FailoverReport, runFailover } from './run-failover.ts'
import { runSplits } from './run-splits.ts'
import { makeTemplate } from '../run/template.ts'

type Done = { readonly plan: Plan; readonly seconds: number; readonly report: FailoverReport | Error }

/** Fail-overs to a stalled synchronous standby, each from its own seed. */
export const subject = subjectOf(
  {
    runs: whole('how many fail-overs', { from: 1, otherwise: 50 }),
    seed: whole('the seed of the first one; later ones count up', { otherwise: 0 }),
    parallel: whole('how many at once; they mostly wait', { from: 1, otherwise: 2 }),
    patroni: flag('a cluster of three nodes under Patroni, one fault after another'),
    split: flag('with --patroni: splits of a cell instead; the first one whole, the others ended at every step'),
    faults: list('the faults of --patroni; all by default', patroniFaultNames),
  },
  async ({ runs, seed: first, parallel, patroni, split, faults }, about) => {
    const { say } = about
    if (split && !patroni) throw new OptionError('--split needs --patroni.')
    if (split) return runSplits({ runs, seed: first }, about)
    if (patroni) return runPatroni({ runs, seed: first, faults, isRestored: true }, about)
    if (faults) throw new OptionError('--faults needs --patroni.')
    await using folder = await temporaryFolder('failover')
    const template = path.join(folder.path, 'template')
    await makeTemplate(template)
    const seeds = Array.from({ length: runs }, (_, number) => first + number)
    const done: Done[] = []
    const work = async (): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const plan = planOf(seed)
        const startedAt = performance.now()
        const report = await runFailover(plan, { template, folder: folder.path }).catch(asError)
        const seconds = Math.round((performance.now() - startedAt) / 1_000)
        done.push({ plan, seconds, report })
        say(
          `seed ${seed}: ${plan.load}, ${plan.fault}, ${seconds} s, ${failuresOf({ plan, seconds, report }).length} failures`,
        )
      }
    }
    await Promise.all(Array.from({ length: parallel }, work))
    return reportOf(done)
  },
)

function reportOf(done: readonly Done[]) {
  const reports = done.flatMap(({ report }) => (report instanceof Error ? [] : [report]))
  const sum = (name: 'orders' | 'answered' | 'payments' | 'webhooks'): number =>
    reports.reduce((total, report) => total + report[name], 0)
  return {
    result: {
      runs: done.length,
      orders: sum('orders'),
      answered: sum('answered'),
      payments: sum('payments'),
      webhooks: sum('webhooks'),
      slowest_ms: Math.max(0, ...reports.map(({ slowestMs }) => slowestMs)),
    },
    failures: done.flatMap(failuresOf),
    tables: [{ columns, rows: done.map(rowOf) }],
  }
}

const columns = ['Seed', 'Load', 'Fault', 'Stalled, ms', 'Orders', 'Payments', 'Slowest answer, ms', 'Answers']

function rowOf({ plan: { seed, load, fault, stallMs }, report }: Done): readonly (string | number)[] {
  if (report instanceof Error) return [seed, load, fault, stallMs ?? '', '', '', '', '']
  const { orders, payments, slowestMs, answers } = report
  const counts = Object.entries(answers).map(([status, count]) => `${count} × ${status}`)
  return [seed, load, fault, stallMs ?? '', orders, payments, slowestMs, counts.toSorted().join(', ')]
}

const failuresOf = ({ plan: { seed }, report }: Done): readonly string[] =>
  report instanceof Error
    ? [`seed ${seed}: ${report.stack ?? report.message}`]
    : report.violations.map(({ kind, detail }) => `seed ${seed}: ${kind}: ${detail}`)

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
