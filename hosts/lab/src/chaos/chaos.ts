import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { repository } from '@quipu/local/testing'
import { makeTemplate } from '../run/template.ts'
import { flag, list, oneOf, OptionError, text, whole } from '../run/options.ts'
import { copyRelease } from '../run/release-sources.ts'
import { subjectOf } from '../run/subject.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { startPair } from './system/database.ts'
import { networkKinds, type NetworkKind } from '../run/network-kind.ts'
import { canMount } from '../run/disk.ts'
import { patroniFaultsHere, patroniStarter } from './patroni.ts'
import { pairFaults } from './fault/database-faults.ts'
import {
  chaosPatroniFaultNames,
  type Episode,
  episodesOf,
  type FaultName,
  faultNames,
  openHubFaultNames,
} from './plan.ts'
import { episodesIn, reportOf } from './report.ts'
import { chaosRate, type EpisodeOptions, type EpisodeReport, runEpisode } from './run-episode.ts'
import { chaosReceivers } from './system/tenants.ts'
import { migrateEarlierVersion } from './system/earlier-version.ts'

/** Time of load between two steps. */
const quietMs = 1_500

export const optionKinds = {
  seed: whole('determines the faults, their order, targets and lengths, but not the interleaving', { otherwise: 1 }),
  minutes: whole('no episode starts after this time; one takes two to three minutes', { from: 1, otherwise: 10 }),
  faults: list('the faults to choose from; all by default', [
    ...faultNames,
    ...openHubFaultNames,
    ...chaosPatroniFaultNames,
  ]),
  network: oneOf('the QR network', networkKinds),
  patroni: flag('the database is a cluster of three nodes under Patroni'),
  overlap: whole('the greatest number of faults that overlap in a step', { from: 2, otherwise: 2 }),
  from: whole('the episode of the plan to begin with', { otherwise: 0 }),
  'upgrade-from': text('a commit: each episode starts as that version, and its upgrade under load is the first step'),
  earlier: list('reports of other parts of the plan, whose episodes count in this report'),
}

/** Faults in real processes under load. */
export const subject = subjectOf(optionKinds, async (options, { say, out }) => {
  const { minutes, network, earlier = [], 'upgrade-from': upgradeFrom, seed, overlap, from } = options
  if (process.platform !== 'linux') throw new OptionError('Chaos needs Linux: it limits file descriptors.')
  const faults = faultsOf(options, say)
  const plan = { seed, overlap, from, faults }
  const earlierEpisodes = await Promise.all(
    earlier.map(async (file) => episodesIn(file, await readFile(file, 'utf8'), plan)),
  )
  await using folder = await temporaryFolder('chaos')
  const root = upgradeFrom === undefined ? repository : path.join(folder.path, 'earlier')
  if (upgradeFrom !== undefined) copyRelease(upgradeFrom, root)
  const migrate = upgradeFrom === undefined ? undefined : (url: string) => migrateEarlierVersion(root, url)
  const startDatabase = options.patroni ? patroniStarter(migrate) : await pairStarter(folder.path, migrate)
  const endsAt = performance.now() + minutes * 60_000
  const reports: EpisodeReport[] = []
  for (const episode of episodesOf(plan)) {
    if (performance.now() >= endsAt) break
    const logs = path.join(out, `chaos-${episode.seed}`)
    const own = path.join(folder.path, `${episode.seed}`)
    const load = { rate: chaosRate, receivers: chaosReceivers }
    reports.push(await run(episode, { ...load, network, startDatabase, root, say, logs, quietMs, folder: own }))
  }
  return reportOf(plan, [...earlierEpisodes.flat(), ...reports])
})

async function pairStarter(folder: string, migrate: ((url: string) => Promise<void>) | undefined) {
  const template = path.join(folder, 'template')
  await makeTemplate(template, migrate)
  return (home: string) => startPair(template, home)
}

type Chosen = {
  readonly faults: readonly FaultName[] | undefined
  readonly patroni: boolean
  readonly network: NetworkKind
  readonly 'upgrade-from': string | undefined
}

/** The faults that are possible here. @throws OptionError */
function faultsOf(
  { faults, patroni, network, 'upgrade-from': from }: Chosen,
  say: (line: string) => void,
): readonly FaultName[] {
  if (faults?.includes('upgrade') === true && from === undefined)
    throw new OptionError('The fault upgrade needs --upgrade-from and a commit of this clone.')
  const ofPair = faultNames.filter((fault) => patroni && fault in pairFaults)
  const ofCluster = patroni ? patroniFaultsHere(chaosPatroniFaultNames, say) : []
  const ofOther: readonly FaultName[] = network === 'http' ? [] : ['callbacks-wrong']
  const ofBoth = faultNames.filter((fault) => !ofPair.includes(fault) && !ofOther.includes(fault))
  const possible = [...ofBoth, ...(network === 'openhub' ? openHubFaultNames : []), ...ofCluster]
  const wanted = possible.filter((fault) => faults?.includes(fault) ?? (fault !== 'upgrade' || from !== undefined))
  if (!wanted.includes('disk-full') || canMount()) return wanted
  say('disk-full is left out: only root may mount a small disk.')
  return wanted.filter((fault) => fault !== 'disk-full')
}

async function run(episode: Episode, options: EpisodeOptions): Promise<EpisodeReport> {
  const { say, logs } = options
  say(`episode ${episode.seed}: ${episode.steps.map((step) => step.join(' + ')).join(', ')}`)
  const report = await runEpisode(episode, options)
  const { seconds, orders, payments, settledByPeople, returned, deposits, events, violations } = report
  const counts = `${orders} orders, ${payments} payments at the network, ${settledByPeople} settled by people, ${returned} returned, ${deposits} deposits, ${events} events`
  say(`episode ${episode.seed}: ${seconds} s, ${counts}, ${violations.length} violations`)
  if (violations.length > 0) say(`  its logs are in ${logs}`)
  return report
}
