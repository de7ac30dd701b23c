/** What became of the mutants of one function. */
export type Counts = {
  readonly name: string
  readonly mutants: number
  readonly run: number
  readonly killed: number
  readonly explained: number
}

/** The document that has the table. */
export const tableFile = 'docs/testing.md'

const head = '| Function | Mutants | Run | Killed | Explained | Survived |\n|-|-|-|-|-|-|\n'
const table = /\| Function \| Mutants \| Run \|.*\n(?:\|.*\n)*/

/** The document with the table of these functions. @throws Error when it has none */
export function withCounts(document: string, counts: readonly Counts[]): string {
  if (!table.test(document)) throw new Error(`${tableFile} has no table of mutated functions`)
  const run = counts.filter((each) => each.run > 0)
  const rows = [
    ...run.map((each) => rowOf(`\`${each.name}\``, each)),
    rowOf('together', sumOf(run)),
  ]
  return document.replace(table, () => head + rows.join(''))
}

export const survivedOf = ({ run, killed, explained }: Counts): number => run - killed - explained

const rowOf = (name: string, counts: Counts): string => {
  const { mutants, run, killed, explained } = counts
  return `| ${[name, mutants, run, killed, explained, survivedOf(counts)].join(' | ')} |\n`
}

export const sumOf = (counts: readonly Counts[]): Counts => ({
  name: '',
  mutants: counts.reduce((sum, { mutants }) => sum + mutants, 0),
  run: counts.reduce((sum, { run }) => sum + run, 0),
  killed: counts.reduce((sum, { killed }) => sum + killed, 0),
  explained: counts.reduce((sum, { explained }) => sum + explained, 0),
})
