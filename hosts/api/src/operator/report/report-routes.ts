import type { Clock } from '@quipu/core'
import { forecastLiquidity, type Report, zoneOffsetMs } from '@quipu/core/operator'
import {
  balanceLine,
  csvTable,
  exposureToJson,
  liquidityToJson,
  parseLiquidity,
  parseNoQuery,
  parseTrialBalance,
  trialBalanceToJson,
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
import type { Reporting } from '../../ports.ts'
import { allowed } from '../allowed.ts'

export type ReportRoutes = Omit<Reporting, 'treasury' | 'ids'> & { readonly now: Clock }

/** Reports of all tenants or of one: read by every role. */
export function reportRoutes(router: IRouter, ports: ReportRoutes): void {
  const { reports, now } = ports
  balanceRoutes(router, ports)
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
  route('revenue', ({ period, cut, tenantId }) => reports.revenue(period, cut, tenantId), revenueRow, revenueToJson)
  route('volume', ({ period, cut, tenantId }) => reports.volume(period, cut, tenantId), volumeRow, volumeToJson)
}

function balanceRoutes(router: IRouter, { trialBalance, exposure, liquidity, floor }: ReportRoutes): void {
  bind(router, '/operator/v1/reports/trial-balance', {
    get: allowed('viewer', {
      query: parseTrialBalance,
      async handle(_actor, { req, query: { at, timezone, format } }) {
        const json = trialBalanceToJson(await trialBalance(at), timezone)
        return reportAnswer(req, format, { json, row: balanceLine, name: `trial-balance-${json.at}` })
      },
    }),
  })
  bind(router, '/operator/v1/reports/exposure', {
    get: allowed('viewer', {
      query: parseNoQuery,
      handle: async () => ({ status: 200, json: exposureToJson(await exposure()) }),
    }),
  })
  bind(router, '/operator/v1/reports/liquidity', {
    get: allowed('viewer', {
      query: parseLiquidity,
      async handle(_actor, { query: { timezone } }) {
        const readings = await liquidity()
        const forecast = forecastLiquidity(readings, floor, zoneOffsetMs(timezone))
        return { status: 200, json: liquidityToJson(forecast, { newest: readings.at(-1) ?? null, floor, timezone }) }
      },
    }),
  })
}

/** The rows as CSV, or all of it as JSON, as the query or the header `Accept` says. */
function reportAnswer(
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
