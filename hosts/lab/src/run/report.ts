import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

export type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] }

/** The findings of a run. */
export type Report = {
  /** Counts and measurements, by name. JSON has null for what was not measured. */
  readonly result: Readonly<Record<string, unknown>>
  /** Breaches, each with the steps that lead to it. */
  readonly failures: readonly string[]
  readonly tables?: readonly Table[]
  /** Further members of the report's file. */
  readonly details?: unknown
}

/** The members of a result that are not 0, or not empty, and must be. */
export const mustBeZero = (result: Report['result'], names: readonly string[]): readonly string[] =>
  names
    .filter((name) => !isZero(result[name]))
    .map((name) => `${name} must be 0, and is ${JSON.stringify(result[name])}`)

const isZero = (value: unknown): boolean => value === 0 || (Array.isArray(value) && value.length === 0)

/** A table in Markdown. */
const tableLines = ({ columns, rows }: Table): readonly string[] => [
  `| ${columns.join(' | ')} |`,
  `|${'-|'.repeat(columns.length)}`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
]

/**
 * Writes the whole report to `<subject>.json` in the folder, and prints its tables and failures. The last line is the
 * result as JSON, with the number of failures.
 */
export async function publish(
  report: Report,
  { subject, out, options, say }: { subject: string; out: string; options: unknown; say: (line: string) => void },
): Promise<void> {
  const { result, failures, tables = [] } = report
  const file = path.join(out, `${subject.replace(':', '-')}.json`)
  await mkdir(out, { recursive: true })
  await writeFile(file, JSON.stringify({ subject, options, ...report }, null, 2))
  for (const table of tables) for (const line of [...tableLines(table), '']) say(line)
  for (const failure of failures) say(`✗ ${failure}`)
  say(`The report is ${file}.`)
  say(JSON.stringify({ ...result, failures: failures.length }))
}
