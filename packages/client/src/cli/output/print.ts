import { details, table } from '../../terminal.ts'
import type { CommandCall } from '../connection/command-call.ts'

type Printing = Pick<CommandCall, 'context' | 'json'>

/** Prints an object: its members, one a line, or JSON. */
export function printOne({ context: { terminal }, json }: Printing, value: object): void {
  const lines = json
    ? [JSON.stringify(value, null, 2)]
    : details(value as Readonly<Record<string, unknown>>, terminal.columns)
  terminal.out(`${lines.join('\n')}\n`)
}

/** Prints rows as a table. Says which columns a narrow terminal hides. */
export function printRows(
  { context: { terminal } }: Printing,
  rows: readonly object[],
  columns: readonly string[],
): void {
  const { lines, hidden } = table(rows as readonly Readonly<Record<string, unknown>>[], columns, terminal.columns)
  terminal.out(`${lines.join('\n')}\n`)
  if (hidden.length > 0) terminal.error(`Hidden columns: ${hidden.join(', ')} (--json shows all)\n`)
}
