import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSurvivor, type Mutant, type MutantText, textOf } from './mutant.ts'

/** The list of mutants that no test can kill, from the root. */
export const explainedFile = 'packages/config/explained-mutants.json'

/** A mutant that changes no behaviour, and why. */
export type ExplainedMutant = MutantText & { readonly file: string; readonly reason: string }

export const readExplained = (root: string): readonly ExplainedMutant[] =>
  JSON.parse(readFileSync(join(root, explainedFile), 'utf8')) as readonly ExplainedMutant[]

export type Explained = {
  /** Survivors that the list does not name. */
  readonly unexplained: readonly Mutant[]
  readonly explained: readonly Mutant[]
  /** Entries of these files whose mutant did not survive, or is none. */
  readonly stale: readonly ExplainedMutant[]
}

/**
 * Divides the survivors by the list.
 *
 * @param mutants  all mutants of their files
 * @param sourceOf  the text of a file
 */
export function explain(
  list: readonly ExplainedMutant[],
  mutants: readonly Mutant[],
  sourceOf: (file: string) => string,
): Explained {
  const files = new Set(mutants.map(({ file }) => file))
  const stale = new Set(list.filter(({ file }) => files.has(file)))
  const unexplained: Mutant[] = []
  const explained: Mutant[] = []
  for (const each of mutants.filter(isSurvivor)) {
    const { code, mutant } = textOf(each, sourceOf(each.file))
    const entry = list.find(
      (one) => one.file === each.file && one.code === code && one.mutant === mutant,
    )
    if (entry) stale.delete(entry)
    const part = entry ? explained : unexplained
    part.push(each)
  }
  return { unexplained, explained, stale: [...stale] }
}
