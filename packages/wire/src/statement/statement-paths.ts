import { usdt } from '@quipu/core'
import type { StatementSummary } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { id } from '../json/identifier.ts'
import { cursorScope } from '../list/cursor.ts'
import { pageToJson } from '../list/list.ts'
import * as example from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { type Answer, operation } from '../openapi/operation.ts'
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

const rows = [funding.creditedRow, funding.paidRow]
const closing = funding.paidRow.balanceAfter
const dayBefore: StatementSummary = { date: '2026-11-19', status: 'closed', opening: usdt(0n), closing: usdt(0n) }
const today: StatementSummary = { date: '2026-11-20', status: 'open', opening: usdt(0n), closing }

const date = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)
  .meta({ description: 'A day in UTC.', examples: ['2026-11-20'] })

const list = operation({
  id: 'listStatements',
  tag: 'Wallet',
  summary: 'List daily statements, newest first',
  description:
    'One row for each day in UTC, from the day on which the tenant was created until today, without the transactions.',
  access: { scope: 'wallet:read' },
  query: statementListQuery,
  answers: {
    200: {
      description: 'A page.',
      schema: statementSummaryPage,
      examples: {
        last: pageToJson(
          { items: [today, dayBefore], next: null },
          statementSummaryToJson,
          cursorScope('statements', ''),
        ),
      },
    },
  },
  refused: parseStatementList(example.tenant.id, 'from=2026-11-31&limit=500'),
})

const description =
  'The transactions in order, and the balances before the first and after the last one. With `format=csv` or `Accept: text/csv` the whole day as CSV: a row `opening`, rows `transaction`, and a row `closing`, without which the text is incomplete. A text that begins with `=`, `+`, `-` or `@` gets an apostrophe before it, as spreadsheets would run it as a formula.'

const answer: Answer = {
  description: 'A page of the day, or the whole day as CSV.',
  schema: statement,
  examples: { today: statementToJson(example.tenant.id, { ...today, transactions: rows, next: null }) },
  otherMediaTypes: ['text/csv'],
}

const get = operation({
  id: 'getStatement',
  tag: 'Wallet',
  summary: 'Read the statement of a day',
  description,
  access: { scope: 'wallet:read' },
  path: z.object({ date }),
  query: statementQuery,
  answers: { 200: answer },
  refused: parseStatement(example.tenant.id, '2026-11-20', 'format=pdf'),
  errors: ['STATEMENT_NOT_FOUND'],
})

const getOfTenant = operation({
  id: 'getTenantStatement',
  tag: 'Tenants',
  summary: 'Read a tenant’s statement of a day',
  description,
  access: 'operator',
  path: z.object({ id: id('ten'), date }),
  query: statementQuery,
  answers: { 200: answer },
  refused: parseStatement(example.tenant.id, '2026-11-20', 'format=pdf'),
  errors: ['TENANT_NOT_FOUND', 'STATEMENT_NOT_FOUND'],
})

export const statementPaths: ZodOpenApiPathsObject = {
  '/v1/wallets/statements': { get: list },
  '/v1/wallets/statements/{date}': { get },
}

export const tenantStatementPaths: ZodOpenApiPathsObject = {
  '/operator/v1/tenants/{id}/statements/{date}': { get: getOfTenant },
}
