/** What became of the mutants of one function. */
export type Counts = {
  /** The file of the function. */
  readonly migration: string
  readonly mutants: number
  readonly run: number
  readonly killed: number
  readonly explained: number
}

/** The document that has the table. */
export const tableFile = 'docs/testing.md'

const head =
  '| Migration | Functions | Mutants | Run | Killed | Explained | Survived |\n|-|-|-|-|-|-|-|\n'
const table = /\| Migration \| Functions \| Mutants \|.*\n(?:\|.*\n)*/

/** The document with the table of these functions, by migration. @throws Error when it has none */
export function withCounts(document: string, counts: readonly Counts[]): string {
  if (!table.test(document)) throw new Error(`${tableFile} has no table of mutated functions`)
  const mutated = counts.filter(({ mutants }) => mutants > 0)
  const byMigration = Map.groupBy(mutated, ({ migration }) => migration)
  const rows = [
    ...Array.from(byMigration, ([migration, of]) => rowOf(`\`${migration}\``, of)),
    rowOf('together', mutated),
  ]
  return document.replace(table, () => head + rows.join(''))
}

export const survivedOf = ({ run, killed, explained }: Omit<Counts, 'migration'>): number =>
  run - killed - explained

function rowOf(name: string, counts: readonly Counts[]): string {
  const sum = sumOf(counts)
  const { mutants, run, killed, explained } = sum
  const cells = [name, counts.length, mutants, run, killed, explained, survivedOf(sum)]
  return `| ${cells.join(' | ')} |\n`
}

export const sumOf = (counts: readonly Counts[]): Omit<Counts, 'migration'> => ({
  mutants: counts.reduce((sum, { mutants }) => sum + mutants, 0),
  run: counts.reduce((sum, { run }) => sum + run, 0),
  killed: counts.reduce((sum, { killed }) => sum + killed, 0),
  explained: counts.reduce((sum, { explained }) => sum + explained, 0),
})
