import type { Request } from 'express'
import { type ReadStatements, statementDay } from '@quipu/core/operator'
import { statementCsv, type StatementRequest, statementToJson } from '@quipu/wire'
import type { Answer } from './answer.ts'
import { ApiError } from './api-error.ts'
import { csvHeaders, isJson } from './csv-answer.ts'

/** The date in the path. */
export const statementDateOf = (req: Request): string => String(req.params['date'])

/**
 * A page of a day as JSON, or the whole day as CSV, as the query or the header `Accept` says.
 *
 * @throws ApiError 404 for a day before the tenant was created, or that has not begun
 */
export async function statementAnswer(
  statements: ReadStatements,
  tenantId: string,
  req: Request,
  { format, page }: StatementRequest,
): Promise<Answer> {
  const day = statementDay(statementDateOf(req))
  if (day === undefined) throw noStatement(req)
  if (!isJson(req, format)) {
    const stream = await statements.stream(tenantId, day)
    if (stream === undefined) throw noStatement(req)
    return { status: 200, headers: csvHeaders(`statement-${day.date}`), chunks: statementCsv(day, stream) }
  }
  const statement = await statements.page(tenantId, day, page)
  if (statement === undefined) throw noStatement(req)
  const json = statementToJson(tenantId, statement)
  return { status: 200, json, headers: { Vary: 'Accept' } }
}

/** A day is a date that exists, of the tenant's life, that has begun. */
function noStatement(req: Request): ApiError {
  const date = statementDateOf(req).slice(0, 100)
  const day = statementDay(date) ? date : `“${date}”, which is no date such as 2026-11-20`
  return new ApiError('STATEMENT_NOT_FOUND', { message: `There is no statement of ${day}.` })
}
