import { startPatroni } from '../patroni/cluster.ts'
import { hasNamespaces } from '../patroni/network.ts'
import { findPrograms } from '../patroni/programs.ts'
import { canMount } from '../run/disk.ts'
import { OptionError } from '../run/options.ts'
import type { Run } from '../run/subject.ts'
import { type PatroniFault, patroniFaultNames } from './plan.ts'
import type { ChaosDatabase } from './system/database.ts'

/** @throws OptionError that names each missing program, with the way to install it */
export function patroniStarter(migrate?: (url: string) => Promise<void>): (folder: string) => Promise<ChaosDatabase> {
  const programs = findPrograms()
  if (!('patroni' in programs)) throw new OptionError(['--patroni needs these programs.', ...programs].join('\n'))
  return (folder) => startPatroni(folder, programs, migrate)
}

/** The faults of a cluster that are possible here. */
export function patroniFaultsHere(
  chosen: readonly PatroniFault[] = patroniFaultNames,
  say: Run['say'],
): readonly PatroniFault[] {
  const isLeftOut = (fault: PatroniFault): boolean =>
    (fault === 'primary-disk-full' && !canMount()) ||
    ((fault.startsWith('cut-') || fault === 'lose-patroni-and-standby') && !hasNamespaces)
  for (const fault of chosen.filter(isLeftOut)) say(`${fault} is left out: only root may make it.`)
  return chosen.filter((fault) => !isLeftOut(fault))
}
