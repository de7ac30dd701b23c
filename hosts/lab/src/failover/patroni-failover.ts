import path from 'node:path'
import { mulberry32 } from '@quipu/contracts/simulation'
import { repository } from '@quipu/local/testing'
import { patroniFaultsHere, patroniStarter } from '../chaos/patroni.ts'
import { type Episode, type PatroniFault, shuffled } from '../chaos/plan.ts'
import { reportOf } from '../chaos/report.ts'
import { type EpisodeOptions, type EpisodeReport, runEpisode } from '../chaos/run-episode.ts'
import type { Rate } from '../load/load.ts'
import type { Report } from '../run/report.ts'
import type { Run } from '../run/subject.ts'
import { drillRestore } from './restore-drill.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'

/** Fail-overs that are compared at once. */
const perEpisode = 11
/** The figures of each tenant: enough that a second without payouts is a fault's, with three of them. */
const rate: Rate = { writers: 3, readers: 1, reserve: 0, quoters: 0, twice: 0.05, pauseMs: [50, 200] }

type Scale = Pick<EpisodeOptions, 'processes' | 'receivers' | 'quietMs'>

const whole: Scale = { processes: 2, receivers: [['ok'], ['ok', 'error'], ['ok', 'cut']], quietMs: 2_000 }
/** One of everything, for a test. */
export const sample: Scale = { processes: 1, receivers: [['ok']], quietMs: 500 }

export type PatroniOptions = {
  readonly runs: number
  readonly seed: number
  readonly faults: readonly PatroniFault[] | undefined
  /** Whether each episode ends with a restore to a moment. */
  readonly isRestored: boolean
  /** The processes and tenants on the cluster; by default two of each process, and three tenants. */
  readonly scale?: Scale
}

/** Fail-overs of a Patroni cluster under load, each fault as often as the others. */
export async function runPatroni(
  { runs, seed, faults: chosen, isRestored, scale = whole }: PatroniOptions,
  { say, out }: Run,
): Promise<Report> {
  const startDatabase = patroniStarter()
  const faults = patroniFaultsHere(chosen, say)
  await using folder = await temporaryFolder('patroni')
  const reports: EpisodeReport[] = []
  for (const episode of episodesOf(faults, runs, seed)) {
    say(`episode ${episode.seed}: ${episode.steps.flat().join(', ')}`)
    const logs = path.join(out, `patroni-${episode.seed}`)
    const own = path.join(folder.path, `${episode.seed}`)
    const options = {
      ...(isRestored && { afterwards: drilling(say) }),
      ...scale,
      root: repository,
      network: 'http' as const,
      folder: own,
      startDatabase,
      say,
      logs,
      rate,
    }
    const report = await runEpisode(episode, options)
    const { orders, promotions, violations } = report
    say(`episode ${episode.seed}: ${orders} orders, ${promotions} promotions, ${violations.length} violations`)
    for (const { kind, detail } of violations) say(`  ${kind}: ${detail}`)
    reports.push(report)
  }
  return reportOf({ seed, faults, overlap: 1, from: 0 }, reports)
}

const drilling =
  (say: Run['say']): Required<EpisodeOptions>['afterwards'] =>
  async (system, load) => {
    const { patroni } = system.database
    if (!patroni) return []
    const { recoveredMs, violations } = await drillRestore(system, patroni, load)
    say(`  restored to a moment: halted ${recoveredMs} ms after the loss of every node`)
    return violations
  }

function episodesOf(faults: readonly PatroniFault[], runs: number, seed: number): readonly Episode[] {
  const random = mulberry32(seed)
  const rounds = Array.from({ length: Math.ceil(runs / faults.length) }, () => shuffled(faults, random))
  const steps = rounds
    .flat()
    .slice(0, runs)
    .map((fault) => [fault] as const)
  return Array.from({ length: Math.ceil(runs / perEpisode) }, (_, number) => ({
    seed: seed * 1_000 + number,
    steps: steps.slice(number * perEpisode, (number + 1) * perEpisode),
  }))
}
