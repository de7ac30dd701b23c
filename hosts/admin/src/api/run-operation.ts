import { details, isObject, memberAt, table } from '@quipu/client/terminal'
import type { ApiAnswer, ApiRequest, CallApi } from '../connection/call-api.ts'
import { progressLine, type Terminal } from '../terminal.ts'
import { ageColumn } from './columns.ts'
import type { Operation } from './operations.ts'
import { ageOf, shownRow } from './shown-row.ts'

/** How the answer is printed. */
export type Printing = {
  readonly json: boolean
  /** For a list: follow the cursors to the last page. */
  readonly all: boolean
  readonly columns: readonly string[]
  /** For one object: the member that is printed alone, with dots into objects. */
  readonly only: string | undefined
}

type Page = { readonly data: readonly unknown[]; readonly next_cursor: string | null }

/** Calls the API and prints its answer. @throws ApiError, CommandError */
export async function runOperation(
  { operation, request, printing }: { operation: Operation; request: ApiRequest; printing: Printing },
  call: CallApi,
  terminal: Terminal,
): Promise<void> {
  if (operation.row !== undefined) return runList(request, printing, call, terminal)
  printAnswer(await call(request), printing, terminal)
}

/** Prints one answer: as JSON, or its members one a line, or its text. */
function printAnswer(answer: ApiAnswer, { json, only }: Pick<Printing, 'json' | 'only'>, terminal: Terminal): void {
  if (answer.text === '') return terminal.error('Done.\n')
  if (only !== undefined) terminal.out(withEnd(memberText(answer.json, only)))
  else if (json || !isObject(answer.json)) terminal.out(withEnd(answer.text))
  else terminal.out(withEnd(details(answer.json, terminal.columns).join('\n')))
  const next = nextStep(answer)
  if (next !== undefined) terminal.error(`${next}\n`)
}

/** A text as it is, another value as JSON. */
function memberText(answer: unknown, member: string): string {
  const value = memberAt(answer, member)
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

const withEnd = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`)

/** The step after the request: keep a key that is shown once, and have a proposal approved. */
function nextStep({ status, json }: ApiAnswer): string | undefined {
  const answer = (json ?? {}) as Readonly<Record<'id' | 'key' | 'proposal_id', unknown>>
  const keep = typeof answer.key === 'string' ? ['The key is printed only here: hand it over by a secure channel.'] : []
  const proposal = [answer.id, answer.proposal_id].find(isProposalId)
  const approve =
    status === 202 && proposal !== undefined
      ? [`Another operator approves it: quipu-admin proposals approve ${proposal}`]
      : []
  const steps = [...keep, ...approve]
  return steps.length === 0 ? undefined : steps.join('\n')
}

const isProposalId = (id: unknown): id is string => typeof id === 'string' && id.startsWith('prp_')

async function runList(request: ApiRequest, printing: Printing, call: CallApi, terminal: Terminal): Promise<void> {
  const progress = progressLine(terminal)
  const rows: unknown[] = []
  let cursor: string | null = null
  do {
    const answer: ApiAnswer = await call(cursor === null ? request : withCursor(request, cursor))
    if (!printing.all && printing.json) return terminal.out(withEnd(answer.text))
    const page = answer.json as Page
    rows.push(...page.data)
    cursor = page.next_cursor
    if (printing.all) progress.update(`${rows.length} read`)
  } while (printing.all && cursor !== null)
  progress.end()
  if (printing.json) return terminal.out(`${JSON.stringify({ data: rows, next_cursor: cursor })}\n`)
  printRows(rows.filter(isObject), printing.columns, terminal)
  if (cursor !== null) terminal.error(`There are more: repeat with --all, or with --cursor ${cursor}\n`)
}

function withCursor(request: ApiRequest, cursor: string): ApiRequest {
  const url = new URL(request.path, 'http://host')
  url.searchParams.set('cursor', cursor)
  return { ...request, path: `${url.pathname}${url.search}` }
}

function printRows(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[],
  terminal: Terminal,
): void {
  if (rows.length === 0) return terminal.error('None.\n')
  const now = Date.now()
  const shown = rows.map((row) =>
    terminal.columns === undefined ? { ...row, [ageColumn]: ageOf(row['created_at'], now) } : shownRow(row, now),
  )
  const { lines, hidden } = table(shown, columns, terminal.columns)
  terminal.out(`${lines.join('\n')}\n`)
  if (hidden.length > 0) terminal.error(`Too wide for this terminal: ${hidden.join(', ')} (--columns, --json)\n`)
}
