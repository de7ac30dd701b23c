import type { Clock } from '@quipu/core'
import type { ReadReports, Report } from '@quipu/core/operator'
import {
  csvMediaType,
  csvTable,
  parseReport,
  type ReportRequest,
  reportToJson,
  revenueRow,
  revenueToJson,
  volumeRow,
  volumeToJson,
} from '@quipu/wire'
import type { IRouter, Request } from 'express'
import { bind } from '../../http/routing.ts'
import type { Answer } from '../../http/answer.ts'
import { allowed } from '../allowed.ts'

export type ReportRoutes = { readonly reports: ReadReports; readonly now: Clock }

/** Reports of all tenants: read by every role. */
export function reportRoutes(router: IRouter, { reports, now }: ReportRoutes): void {
  const route = <Row>(
    name: string,
    read: (request: ReportRequest) => Promise<Report<Row>>,
    row: Parameters<typeof csvTable>[0],
    rowToJson: (row: Row) => object,
  ): void =>
    bind(router, `/operator/v1/reports/${name}`, {
      get: allowed('viewer', {
        query: (search) => parseReport(search, now()),
        async handle(_actor, { req, query }) {
          const report = await read(query)
          const json = reportToJson(report, rowToJson, now())
          return reportAnswer(req, query.format, { json, table: csvTable(row), name: `${name}-${query.period.name}` })
        },
      }),
    })
  route('revenue', ({ period, cut }) => reports.revenue(period, cut), revenueRow, revenueToJson)
  route('volume', ({ period, cut }) => reports.volume(period, cut), volumeRow, volumeToJson)
}

type Shown = {
  readonly json: { readonly rows: readonly object[] }
  readonly table: ReturnType<typeof csvTable>
  /** Of the file. */
  readonly name: string
}

/** The rows as CSV, or all of it as JSON, as the query or the header `Accept` says. */
export function reportAnswer(req: Request, format: ReportRequest['format'], { json, table, name }: Shown): Answer {
  const accepted = /(?:^|,)\s*text\/csv\s*(?:[;,]|$)/i.test(req.headers.accept ?? '') ? 'csv' : 'json'
  if ((format ?? accepted) === 'json') return { status: 200, json, headers: { Vary: 'Accept' } }
  const headers = {
    'Content-Type': csvMediaType,
    'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.+-]+/g, '_')}.csv"`,
    Vary: 'Accept',
  }
  return { status: 200, headers, text: table.header + json.rows.map((row) => table.line(row)).join('') }
}
