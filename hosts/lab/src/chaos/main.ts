import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { repository } from '@quipu/local/testing'
import { makeTemplate } from '../failover/setup.ts'
import { canMount } from './fault/disk.ts'
import { readOptions } from './options.ts'
import { checkOutEarlierVersion, migrateEarlierVersion } from './system/earlier-version.ts'
import { type Episode, episodesOf } from './plan.ts'
import { episodesIn, reportOf, tableOf } from './report.ts'
import { type EpisodeReport, runEpisode } from './run-episode.ts'

// `chaos [--seed N] [--minutes M] [--faults a,b] [--overlap K] [--from E] [--upgrade-from commit] [--earlier a.json,b.json] [--out folder]`
// injects faults into real processes under load. The exit code is 1 after a violation; the logs of its episode are in
// the folder.

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Time of load between two steps. */
const quietMs = 1_500

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  const { minutes, out, faults: wanted, earlier, upgradeFrom, ...chosen } = options
  if (process.platform !== 'linux') throw new Error('Chaos needs Linux: it limits file descriptors.')
  const faults = wanted.filter((fault) => fault !== 'disk-full' || canMount())
  if (faults.length < wanted.length) print('disk-full is left out: only root may mount a small disk.')
  const plan = { ...chosen, faults }
  const earlierEpisodes = await Promise.all(
    earlier.map(async (file) => episodesIn(file, await readFile(file, 'utf8'), plan)),
  )
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-chaos-'))
  await chmod(folder, 0o755) // Root runs PostgreSQL as another user.
  await mkdir(out, { recursive: true })
  try {
    const from = faults.includes('upgrade') ? upgradeFrom : undefined
    const root = from === undefined ? repository : path.join(folder, 'earlier')
    if (from !== undefined) checkOutEarlierVersion(from, root)
    const template = path.join(folder, 'template')
    await makeTemplate(template, from === undefined ? undefined : (url) => migrateEarlierVersion(root, url))
    const endsAt = performance.now() + minutes * 60_000
    const reports: EpisodeReport[] = []
    for (const episode of episodesOf(plan)) {
      if (performance.now() >= endsAt) break
      const logs = path.join(out, `logs-${episode.seed}`)
      const system = { template, root, print, logs, quietMs }
      reports.push(await run(episode, { ...system, folder: path.join(folder, `${episode.seed}`) }))
    }
    const report = reportOf(plan, [...earlierEpisodes.flat(), ...reports])
    await writeFile(path.join(out, 'report.json'), JSON.stringify(report, null, 2))
    print(tableOf(report))
    print(`The report is ${path.join(out, 'report.json')}.`)
    if (report.violations.length > 0) process.exitCode = 1
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

async function run(episode: Episode, options: Parameters<typeof runEpisode>[1]): Promise<EpisodeReport> {
  print(`episode ${episode.seed}: ${episode.steps.map((step) => step.join(' + ')).join(', ')}`)
  const report = await runEpisode(episode, options)
  const { seconds, orders, payments, deposits, events, violations } = report
  const counts = `${orders} orders, ${payments} payments at the network, ${deposits} deposits, ${events} events`
  print(`${violations.length === 0 ? '✓' : '✗'} episode ${episode.seed}: ${seconds} s, ${counts}`)
  for (const { kind, detail } of violations) print(`    ${kind}: ${detail}`)
  if (violations.length > 0) print(`    logs: ${options.logs}`)
  return report
}

await main()
