import { namedPeriod, type Timezone } from '@quipu/core/operator'
import { callApi, requireToken } from '../connection/call-api.ts'
import { type CommonOptions, timeoutMs } from '../connection/connection-options.ts'
import { type Connection, connectionOf } from '../connection/connection.ts'
import { download } from '../connection/download.ts'
import type { Context } from '../context.ts'
import { dayBefore } from '../day.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'
import { writeWhole } from '../output/whole-file.ts'

export type StatementOptions = CommonOptions & { readonly out?: string; readonly timezone: Timezone }

/** Whose statement, and of which month or day; by default yesterday. */
export type StatementOf = { readonly tenantId: string; readonly period: string | undefined }

/** Writes the statement to the file, or prints it. @throws ApiError, CommandError when it is incomplete */
export async function writeStatement(
  { tenantId, ...asked }: StatementOf,
  options: StatementOptions,
  { terminal, env }: Context,
): Promise<void> {
  const { timezone } = options
  const period = asked.period ?? dayBefore(new Date(), timezone)
  if (namedPeriod(period, timezone) === undefined)
    throw usageError(`${period} is neither a month such as 2026-11 nor a day such as 2026-11-20.`)
  const connection = await connectionOf(options, env)
  requireToken(connection)
  if (connection.notice !== undefined) terminal.error(`${connection.notice}\n`)
  const path = `/operator/v1/tenants/${encodeURIComponent(tenantId)}/statements/${period}?timezone=${encodeURIComponent(timezone)}`
  const chunks = options.json
    ? wholeJson(connection, path, timeoutMs(options.timeout))
    : complete(
        download(connection, { path: `${path}&format=csv`, accept: 'text/csv', timeoutMs: timeoutMs(options.timeout) }),
      )
  if (options.out === undefined) {
    for await (const chunk of chunks) terminal.out(chunk)
    return
  }
  await writeWhole(options.out, chunks, '--out')
  terminal.error(`The statement of ${period}, ${timezone}, is in ${options.out}.\n`)
}

/** Passes CSV on, and requires its row `closing`. @throws CommandError */
async function* complete(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let tail = ''
  for await (const chunk of chunks) {
    tail = `${tail}${chunk}`.slice(-1_000) // More than a row `closing`.
    yield chunk
  }
  if (!/(?:^|\n)closing,[^\n]*\n$/.test(tail))
    throw new CommandError(
      exitCodes.unavailable,
      'The statement is incomplete: it has no row `closing`. Repeat the command.',
    )
}

type Page = { readonly data: readonly unknown[]; readonly next_cursor: string | null }

/** The period as one object, without a cursor: the pages' rows together. */
async function* wholeJson(connection: Connection, path: string, timeout: number): AsyncGenerator<string> {
  const call = callApi(connection, timeout)
  const rows: unknown[] = []
  let [cursor, first]: [string | null, object] = [null, {}]
  do {
    const query = new URLSearchParams({ limit: '100', ...(cursor !== null && { cursor }) })
    const request = { method: 'get', path: `${path}&${query.toString()}`, headers: {}, body: undefined }
    const { data, next_cursor, ...summary } = (await call(request)).json as Page
    if (cursor === null) first = summary
    rows.push(...data)
    cursor = next_cursor
  } while (cursor !== null)
  yield `${JSON.stringify({ ...first, data: rows })}\n`
}
