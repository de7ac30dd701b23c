import { type Usdt, usdt } from '@quipu/core'
import {
  dayBefore,
  type Period,
  periodStatus,
  statementDayAt,
  type StatementMovement,
  type StatementSummary,
} from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { type Answer, operation } from '../openapi/operation.ts'
import { lastPage } from '../openapi/answers.ts'
import {
  parseStatement,
  parseStatementList,
  statement,
  statementListQuery,
  statementQuery,
  statementSummaryPage,
  statementSummaryToJson,
  statementToJson,
} from './statement.ts'

const rows: readonly StatementMovement[] = [
  { ...funding.creditedRow, payment: null },
  {
    ...funding.paidRow,
    payment: {
      target: example.quote.target,
      rate: example.quote.rate,
      fee: example.quote.fee,
      merchant: example.resolution.merchant,
      networkPaymentId: 'QN-20261120-000042',
    },
  },
]
const readAt = example.at(60)
const summaryOf = (period: Period, [opening, closing]: readonly [Usdt, Usdt]): StatementSummary => ({
  period,
  status: periodStatus(period, readAt),
  readAt,
  opening,
  closing,
})
const day = statementDayAt(readAt, 'UTC')
const nothing = usdt(0n)
const today = summaryOf(day, [nothing, funding.paidRow.balanceAfter])
const yesterday = summaryOf(dayBefore(day), [nothing, nothing])

const period = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?$/)
  .meta({ description: 'A month or a day in `timezone`.', examples: ['2026-11', '2026-11-20'] })

const list = operation({
  id: 'listStatements',
  tag: 'Wallet',
  summary: 'List daily statements, newest first',
  description:
    'One row for each day, from the day on which the tenant was created until today, without the transactions.',
  access: { scope: 'wallet:read' },
  query: statementListQuery,
  answers: lastPage(statementSummaryPage, [today, yesterday], statementSummaryToJson),
  refused: parseStatementList(example.tenant.id, 'from=2026-11-31&limit=500'),
})

const description =
  'The transactions in order, and the balances before the first and after the last one. With `format=csv` or `Accept: text/csv` the whole period as CSV, with the members of the rows as columns: a row `opening`, rows `transaction`, and a row `closing`, without which the text is incomplete; `status` of both balances says whether the period is `open` or `final`. A text that a spreadsheet would run as a formula gets an apostrophe before it.'

const answer: Answer = {
  description: 'A page of the period, or all of it as CSV.',
  schema: statement,
  examples: { today: statementToJson(example.tenant.id, { ...today, transactions: rows, next: null }) },
  otherMediaTypes: ['text/csv'],
}

const get = operation({
  id: 'getStatement',
  tag: 'Wallet',
  summary: 'Read the statement of a month or a day',
  description,
  access: { scope: 'wallet:read' },
  path: z.object({ period }),
  query: statementQuery,
  answers: { 200: answer },
  refused: parseStatement(example.tenant.id, '2026-11-20', 'format=pdf'),
  errors: ['STATEMENT_NOT_FOUND'],
})

const getOfTenant = operation({
  id: 'getTenantStatement',
  tag: 'Tenants',
  summary: 'Read a tenant’s statement of a month or a day',
  description,
  access: 'operator',
  path: z.object({ id: id('ten'), period }),
  query: statementQuery,
  answers: { 200: answer },
  refused: parseStatement(example.tenant.id, '2026-11-20', 'format=pdf'),
  errors: ['TENANT_NOT_FOUND', 'STATEMENT_NOT_FOUND'],
})

export const statementPaths: ZodOpenApiPathsObject = {
  '/v1/statements': { get: list },
  '/v1/statements/{period}': { get },
}

export const tenantStatementPaths: ZodOpenApiPathsObject = {
  '/operator/v1/tenants/{id}/statements/{period}': { get: getOfTenant },
}
