import type { Result } from './plant-fault.ts'
import type { PlantedFault } from './planted-fault.ts'

/** The document that has the table of planted faults. */
export const tableFile = 'docs/testing.md'

const head = '| Fault | What it breaks | Where | Kind | Found by | Seconds |\n|-|-|-|-|-|-|\n'
const table = /\| Fault \| What it breaks \|.*\n(?:\|.*\n)*/

/** The columns that a run measures. */
type Measured = { readonly foundBy: string; readonly seconds: string }

/**
 * The document with the table of these faults. A fault without a new result keeps what its row says.
 *
 * @throws Error when the document has no such table
 */
export function withResults(
  document: string,
  faults: readonly PlantedFault[],
  results: ReadonlyMap<string, Result>,
): string {
  if (!table.test(document)) throw new Error(`${tableFile} has no table of planted faults`)
  const earlier = measuredIn(document)
  const rows = faults.map((fault) => {
    const result = results.get(fault.name)
    return row(fault, result ? measuredOf(result) : earlier.get(fault.name))
  })
  const written = document.replace(table, () => head + rows.join(''))
  return written.replace(summary, () => summaryOf(measuredIn(written)))
}

const summary = /^\d+ of \d+ are found.*$/m

/** How many are found, and the slowest. */
export function summaryOf(measured: ReadonlyMap<string, Measured>): string {
  const found = Array.from(measured).filter(([, { foundBy }]) => foundBy.startsWith('`'))
  const [name, slowest] = found.toSorted(
    ([, a], [, b]) => Number(b.seconds) - Number(a.seconds),
  )[0] ?? ['', undefined]
  const count = `${found.length} of ${measured.size} are found`
  return slowest ? `${count}; the slowest, \`${name}\`, within ${slowest.seconds} s.` : `${count}.`
}

/** The first four columns of each row, which follow from the patch. */
export const describedColumns = ({ name, breaks, files, kind }: PlantedFault): string =>
  `| \`${name}\` | ${breaks} | ${files.map((path) => `\`${path}\``).join(', ')} | ${kind} |`

const row = (fault: PlantedFault, measured: Measured = { foundBy: '', seconds: '' }): string =>
  `${describedColumns(fault)} ${measured.foundBy} | ${measured.seconds} |\n`

function measuredOf(result: Result): Measured {
  if (result.type === 'broken') return { foundBy: 'not planted', seconds: '' }
  const seconds = result.seconds.toFixed(0)
  if (result.type === 'not found') return { foundBy: 'nothing', seconds }
  const { file, test, runs } = result.by
  const cases = runs === undefined ? '' : ` (random case ${runs})`
  return { foundBy: `\`${file}\`: ${test.replaceAll('|', '/')}${cases}`, seconds }
}

/** The rows of the document's table, by the fault's name. */
export function measuredIn(document: string): ReadonlyMap<string, Measured> {
  const lines = table.exec(document)?.[0].trim().split('\n').slice(2) ?? []
  return new Map(
    lines.map((line) => {
      const cells = line.split(' | ')
      const name = cells[0]?.replaceAll(/[|` ]/g, '') ?? ''
      return [
        name,
        { foundBy: cells[4] ?? '', seconds: cells[5]?.replaceAll(/[| ]/g, '') ?? '' },
      ] as const
    }),
  )
}
