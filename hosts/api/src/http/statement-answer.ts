import type { Request } from 'express'
import { namedPeriod, type ReadStatements } from '@quipu/core/operator'
import { statementCsv, type StatementRequest, statementToJson } from '@quipu/wire'
import type { Answer } from './answer.ts'
import { ApiError } from './api-error.ts'
import { csvFile, isJson } from './csv-answer.ts'

/** The month or day in the path. */
export const statementNameOf = (req: Request): string => String(req.params['period'])

/**
 * A page of a period as JSON, or all of it as CSV, as the query or the header `Accept` says.
 *
 * @throws ApiError 404 for a period before the tenant was created, or that has not begun
 */
export async function statementAnswer(
  statements: ReadStatements,
  tenantId: string,
  req: Request,
  { format, timezone, page }: StatementRequest,
): Promise<Answer> {
  const period = namedPeriod(statementNameOf(req), timezone)
  if (period === undefined) throw noStatement(req)
  if (!isJson(req, format)) {
    const stream = await statements.stream(tenantId, period)
    if (stream === undefined) throw noStatement(req)
    const name = `statement-${period.name}-${timezone.replace('/', '-')}`
    return csvFile(name, stream.chunks, (chunks) => statementCsv({ ...stream, chunks }))
  }
  const statement = await statements.page(tenantId, period, page)
  if (statement === undefined) throw noStatement(req)
  return { status: 200, json: statementToJson(tenantId, statement), headers: { Vary: 'Accept' } }
}

/** A period is in the calendar, of the tenant's life, and has begun. */
function noStatement(req: Request): ApiError {
  const name = statementNameOf(req).slice(0, 100)
  const known = namedPeriod(name, 'UTC')
    ? name
    : `“${name}”, which is neither a month such as 2026-11 nor a day such as 2026-11-20`
  return new ApiError('STATEMENT_NOT_FOUND', { message: `There is no statement of ${known}.` })
}
