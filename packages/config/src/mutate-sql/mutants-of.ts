import { conditionEdits } from './condition-edits.ts'
import { type Edit, sqlBody } from './sql-body.ts'
import type { SqlFunction } from './sql-functions.ts'
import { statementEdits } from './statement-edits.ts'
import { tokenEdits } from './token-edits.ts'

/** A function with one change. */
export type SqlMutant = {
  readonly of: SqlFunction
  /** The statement that replaces the function. */
  readonly sql: string
  /** The line of the change in the migration. */
  readonly line: number
  /** What it replaces, on one line, and by what. */
  readonly from: string
  readonly to: string
  /** Which of the equal changes in the function it is, from 1. */
  readonly nth: number
}

/** Every function with one change, in the order of the text. */
export function mutantsOf(of: SqlFunction): readonly SqlMutant[] {
  const body = sqlBody(of)
  const edits = [...tokenEdits(body), ...conditionEdits(body), ...statementEdits(body)]
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end)
  const seen = new Map<string, number>()
  const written = new Set([of.text])
  return sorted.flatMap((edit) => {
    const sql = of.text.slice(0, edit.start) + edit.to + of.text.slice(edit.end)
    if (written.has(sql)) return []
    written.add(sql)
    const { from, to } = shown(of, edit)
    const nth = (seen.get(`${from}→${to}`) ?? 0) + 1
    seen.set(`${from}→${to}`, nth)
    return [{ of, sql, line: lineAt(of, edit.start), from, to, nth }]
  })
}

const lineAt = ({ text, line }: SqlFunction, offset: number): number =>
  line + text.slice(0, offset).split('\n').length - 1

const shown = ({ text }: SqlFunction, { start, end, to }: Edit) => ({
  from: oneLine(text.slice(start, end)),
  to: oneLine(to),
})

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
