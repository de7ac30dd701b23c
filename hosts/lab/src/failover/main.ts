import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readOptions } from './options.ts'
import { planOf, type Plan } from './plan.ts'
import { type FailoverReport, runFailover } from './run-failover.ts'
import { makeTemplate } from './setup.ts'
import type { ViolationKind } from '../agreement/answer-log.ts'

// `failover [--runs N] [--seed N] [--parallel N]` runs fail-overs to a stalled synchronous standby.
// Each run has its own seed; `--runs 1 --seed S` repeats the run with seed S.

const print = (line: string): void => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-failover-'))
  await chmod(folder, 0o755) // Root runs PostgreSQL as another user.
  try {
    const template = path.join(folder, 'template')
    await makeTemplate(template)
    const seeds = Array.from({ length: options.runs }, (_, number) => options.seed + number)
    const totals = newTotals()
    const work = async (): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const plan = planOf(seed)
        const startedAt = performance.now()
        const report = await runFailover(plan, { template, folder }).catch(asError)
        addTo(totals, report)
        printReport(plan, report, (performance.now() - startedAt) / 1000)
      }
    }
    await Promise.all(Array.from({ length: options.parallel }, work))
    print(JSON.stringify(totals))
    if (totals.broken > 0 || Object.keys(totals.violations).length > 0) process.exitCode = 1
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

/** Sums over all runs, printed as the last line. */
type Totals = {
  runs: number
  /** Runs that threw an error. */
  broken: number
  orders: number
  answered: number
  payments: number
  webhooks: number
  slowestMs: number
  violations: Partial<Record<ViolationKind, number>>
}

const newTotals = (): Totals => ({
  runs: 0,
  broken: 0,
  orders: 0,
  answered: 0,
  payments: 0,
  webhooks: 0,
  slowestMs: 0,
  violations: {},
})

function addTo(totals: Totals, report: FailoverReport | Error): void {
  totals.runs++
  if (report instanceof Error) {
    totals.broken++
    return
  }
  totals.orders += report.orders
  totals.answered += report.answered
  totals.payments += report.payments
  totals.webhooks += report.webhooks
  totals.slowestMs = Math.max(totals.slowestMs, report.slowestMs)
  for (const { kind } of report.violations) totals.violations[kind] = (totals.violations[kind] ?? 0) + 1
}

function printReport(plan: Plan, report: FailoverReport | Error, seconds: number): void {
  const { seed, load, fault, stallMs } = plan
  const head = `seed ${seed}: ${load}, ${fault}, stalled for ${stallMs} ms, ${seconds.toFixed(1)} s`
  if (report instanceof Error) {
    print(`✗ ${head}: ${report.stack ?? report.message}`)
    return
  }
  const { orders, answered, payments, webhooks, answers, slowestMs, violations } = report
  const statuses = Object.entries(answers)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([status, count]) => `${count} × ${status}`)
  const counts = `${orders} orders, ${answered} payouts answered, ${payments} payments at the network, ${webhooks} webhooks, slowest answer ${slowestMs} ms`
  print(`${violations.length === 0 ? '✓' : '✗'} ${head}: ${counts}; ${statuses.join(', ')}`)
  for (const { kind, detail } of violations) print(`    ${kind}: ${detail}`)
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

await main()
