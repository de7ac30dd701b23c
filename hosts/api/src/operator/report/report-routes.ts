import type { Clock } from '@quipu/core'
import type { ReadReports, Report } from '@quipu/core/operator'
import {
  csvTable,
  type Format,
  parseReport,
  type ReportRequest,
  reportToJson,
  revenueRow,
  revenueToJson,
  volumeRow,
  volumeToJson,
} from '@quipu/wire'
import type { IRouter, Request } from 'express'
import type { z } from 'zod'
import { csvAnswer, isJson } from '../../http/csv-answer.ts'
import { bind } from '../../http/routing.ts'
import type { Answer } from '../../http/answer.ts'
import { allowed } from '../allowed.ts'

export type ReportRoutes = { readonly reports: ReadReports; readonly now: Clock }

/** Reports of all tenants: read by every role. */
export function reportRoutes(router: IRouter, { reports, now }: ReportRoutes): void {
  const route = <Row>(
    name: string,
    read: (request: ReportRequest) => Promise<Report<Row>>,
    row: z.ZodType,
    rowToJson: (row: Row) => object,
  ): void =>
    bind(router, `/operator/v1/reports/${name}`, {
      get: allowed('viewer', {
        query: (search) => parseReport(search, now()),
        async handle(_actor, { req, query }) {
          const report = await read(query)
          const json = reportToJson(report, rowToJson, now())
          return reportAnswer(req, query.format, { json, row, name: `${name}-${query.period.name}` })
        },
      }),
    })
  route('revenue', ({ period, cut }) => reports.revenue(period, cut), revenueRow, revenueToJson)
  route('volume', ({ period, cut }) => reports.volume(period, cut), volumeRow, volumeToJson)
}

/** The rows as CSV, or all of it as JSON, as the query or the header `Accept` says. */
export function reportAnswer(
  req: Request,
  format: Format,
  {
    json,
    row,
    name,
  }: { readonly json: { readonly rows: readonly object[] }; readonly row: z.ZodType; readonly name: string },
): Answer {
  if (isJson(req, format)) return { status: 200, json, headers: { Vary: 'Accept' } }
  return csvAnswer(name.replaceAll(/[^\w.+-]+/g, '_'), csvTable(row), once(json.rows), (each) => each)
}

async function* once<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows
}
