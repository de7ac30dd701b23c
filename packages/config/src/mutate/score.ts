import type { Explained } from './explained-mutants.ts'
import type { Recorded } from './record.ts'

export type Score = {
  readonly folder: string
  readonly mutants: number
  readonly killed: number
  readonly survived: number
  readonly explained: number
  readonly minutes: number
}

/** @param results  all mutants of the folder; those that do not load do not count */
export function scoreOf(
  folder: string,
  results: readonly Recorded[],
  { unexplained, explained }: Explained,
): Score {
  const counted = results.filter(({ status }) => status !== 'refused' && status !== 'pending')
  return {
    folder,
    mutants: counted.length,
    killed: counted.filter(({ status }) => status === 'killed').length,
    survived: unexplained.length,
    explained: explained.length,
    minutes: results.reduce((sum, { seconds }) => sum + seconds, 0) / 60,
  }
}

export function sumOf(folder: string, scores: readonly Score[]): Score {
  const sum = (column: Exclude<keyof Score, 'folder'>): number =>
    scores.reduce((total, score) => total + score[column], 0)
  return {
    folder,
    mutants: sum('mutants'),
    killed: sum('killed'),
    survived: sum('survived'),
    explained: sum('explained'),
    minutes: sum('minutes'),
  }
}

/** Killed mutants per hundred of those that tests can kill. */
export function percent({ mutants, killed, explained }: Score): string {
  const killable = mutants - explained
  return killable === 0 ? '–' : `${((100 * killed) / killable).toFixed(1)} %`
}

/** A row of the table in docs/testing.md. */
export const rowOf = (score: Score): string => {
  const { folder, mutants, killed, survived, explained, minutes } = score
  return `| \`${folder}\` | ${mutants} | ${killed} | ${survived} | ${explained} | ${percent(score)} | ${minutes.toFixed(0)} |`
}
