import { formatRate, toDecimal, type Usdt, usdt } from '@quipu/core'
import {
  namedPeriod,
  type Period,
  type Statement,
  type StatementListQuery,
  type StatementPageQuery,
  type StatementMovement,
  type StatementSummary,
  type Timezone,
  timezones,
  dayBefore,
  periodStatus,
  statementDayAt,
} from '@quipu/core/operator'
import { z } from 'zod'
import { matching, oneOf, queryMembers } from '../json/fields.ts'
import { bobMoney, rateText, usdtAmount, usdtMoney } from '../json/money.ts'
import { moneyToJson } from '../json/money-to-json.ts'
import { mapParsed, type Parsed, type Rule } from '../json/parsed.ts'
import { parseQuery } from '../json/query.ts'
import { walletTransaction, walletTransactionToJson } from '../ledger/wallet-transaction.ts'
import { cursorScope, encodeCursor } from '../list/cursor.ts'
import { type Format, formatParameter } from '../list/list-format.ts'
import { type ListRequest, pageOf, pageParameters, readPage } from '../list/list.ts'
import { periodMembers, periodToJson } from '../period/period.ts'
import { networkPaymentId } from '../payout/payout.ts'
import { merchantToJson } from '../quote/merchant-to-json.ts'
import { merchant } from '../quote/qr.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { type Answer, operation } from '../openapi/operation.ts'
import { lastPage } from '../openapi/answers.ts'

const dateRule = 'must be a date of the calendar, such as 2026-11-20'

/** A day. */
const date = matching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, dateRule)
  .refine((text) => namedPeriod(text, 'UTC') !== undefined)
  .meta({ format: 'date', examples: ['2026-11-20'] })

const timezone = oneOf(timezones)
  .optional()
  .meta({ description: 'Where a day or a month begins, and the zone of a CSV’s instants.', default: 'UTC' })

const summaryMembers = {
  ...periodMembers,
  currency: z.literal('USDT'),
  opening_balance: usdtAmount.meta({
    description: 'The wallet’s `total` at the start: the closing balance of the period before.',
  }),
  closing_balance: usdtAmount.meta({
    description: 'The wallet’s `total` at the end; of an open period, at this moment.',
  }),
}

/** A period of a wallet. */
export const statementSummary = z
  .object(summaryMembers)
  .meta({ id: 'StatementSummary', description: 'A period of a wallet in sums.' })
export type StatementSummaryJson = z.output<typeof statementSummary>

export const statementSummaryToJson = ({
  period,
  readAt,
  opening,
  closing,
}: StatementSummary): StatementSummaryJson => ({
  ...periodToJson(period, readAt),
  currency: 'USDT',
  opening_balance: toDecimal(opening),
  closing_balance: toDecimal(closing),
})

const statementSummaryPage = pageOf(statementSummary, 'StatementSummaryPage')

const { created_at, ...moved } = walletTransaction.shape

/** A movement of money, and how its payout was priced. */
export const statementRow = z
  .object({
    ...moved,
    target: bobMoney
      .nullable()
      .meta({ description: 'What the merchant got; null but for a payout, as the next four.' }),
    rate: rateText.nullable().meta({ description: 'BOB per USDT.' }),
    fee: usdtMoney.nullable().meta({ description: 'Included in `amount`.' }),
    merchant: merchant.nullable(),
    network_payment_id: networkPaymentId,
    created_at,
  })
  .meta({ id: 'StatementRow', description: 'A movement of a statement, with the payout that caused it.' })
export type StatementRowJson = z.output<typeof statementRow>

export function statementRowToJson(row: StatementMovement): StatementRowJson {
  const { created_at: at, ...others } = walletTransactionToJson(row)
  const { payment } = row
  return {
    ...others,
    target: payment && moneyToJson(payment.target),
    rate: payment && formatRate(payment.rate),
    fee: payment && moneyToJson(payment.fee),
    merchant: payment?.merchant ? merchantToJson(payment.merchant) : null,
    network_payment_id: payment && payment.networkPaymentId,
    created_at: at,
  }
}

/** A period of a wallet with its transactions. */
export const statement = z
  .object({
    ...summaryMembers,
    data: z
      .array(statementRow)
      .meta({ description: 'Oldest first. A page can have fewer rows than `limit`, also none.' }),
    next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
  })
  .meta({ id: 'Statement' })
export type StatementJson = z.output<typeof statement>

export const statementToJson = (tenantId: string, page: Statement): StatementJson => ({
  ...statementSummaryToJson(page),
  data: page.transactions.map(statementRowToJson),
  next_cursor: page.next && encodeCursor(page.next, periodScope(tenantId, page.period)),
})

const periodScope = (tenantId: string, { name, timezone: zone }: Pick<Period, 'name' | 'timezone'>) =>
  cursorScope('wallet_transactions', tenantId, { statement: name, timezone: zone })

const statementListQuery = queryMembers({
  from: date.meta({ description: 'This day or later.' }).optional(),
  to: date.meta({ description: 'This day or earlier.' }).optional(),
  timezone,
  ...pageParameters,
})

export type StatementListRequest = Omit<ListRequest, 'query'> & { readonly query: StatementListQuery }

/** Reads the query of `GET /v1/statements`. */
export function parseStatementList(tenantId: string, search: URLSearchParams | string): Parsed<StatementListRequest> {
  const parsed = parseQuery(statementListQuery, search, inOrder)
  if (!parsed.ok) return parsed
  const { from, to, timezone: zone = 'UTC', ...page } = parsed.value
  const scope = cursorScope('statements', tenantId, { timezone: zone, ...(from && { from }), ...(to && { to }) })
  const day = dayIn(zone)
  return mapParsed(readPage(page, scope), ({ limit, after }) => ({
    query: { limit, timezone: zone, ...day('from', from), ...day('to', to), ...day('after', after?.id) },
    scope,
  }))
}

const inOrder: Rule = ({ from, to }) => {
  const areDays = [from, to].every((day) => typeof day === 'string' && namedPeriod(day, 'UTC'))
  return areDays && String(from) > String(to) ? [{ field: 'from', message: 'must not be after to' }] : []
}

const dayIn =
  (zone: Timezone) =>
  <Name extends string>(name: Name, text: string | undefined): { readonly [N in Name]?: Period } => {
    const day = text === undefined ? undefined : namedPeriod(text, zone)
    return (day ? { [name]: day } : {}) as { [N in Name]?: Period }
  }

/** The position of a day in the list of days. */
export const statementPosition = (day: Period | null) => day && { createdAt: day.from, id: day.name }

const statementQuery = queryMembers({ ...formatParameter, timezone, ...pageParameters })

/** The query of a statement. */
export type StatementRequest = {
  readonly format: Format
  readonly timezone: Timezone
  readonly page: StatementPageQuery
}

/** Reads the query of `GET /v1/statements/{period}`. The period's name binds the cursor. */
export function parseStatement(
  tenantId: string,
  name: string,
  search: URLSearchParams | string,
): Parsed<StatementRequest> {
  const parsed = parseQuery(statementQuery, search, wholeAsCsv)
  if (!parsed.ok) return parsed
  const { format, timezone: zone = 'UTC', ...page } = parsed.value
  const scope = periodScope(tenantId, { name, timezone: zone })
  return mapParsed(readPage(page, scope), (query) => ({ format, timezone: zone, page: query }))
}

const wholeAsCsv: Rule = ({ format, ...page }) =>
  format === 'csv'
    ? (['limit', 'cursor'] as const)
        .filter((field) => page[field] !== undefined)
        .map((field) => ({ field, message: 'must be left out with format=csv' }))
    : []

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
  summary: { en: 'List daily statements, newest first', es: 'Listar extractos diarios, los más nuevos primero' },
  description: {
    en: 'One row for each day, from the day on which the tenant was created until today, without the transactions.',
    es: 'Una fila por día, desde el alta de la empresa hasta hoy, sin las transacciones.',
  },
  access: { scope: 'wallet:read' },
  query: statementListQuery,
  answers: lastPage(statementSummaryPage, [today, yesterday], statementSummaryToJson),
  refused: parseStatementList(example.tenant.id, 'from=2026-11-31&limit=500'),
})

const description = {
  en: 'The transactions in order, and the balances before the first and after the last one. With `format=csv` or `Accept: text/csv` the whole period as CSV, with the members of the rows as columns: a row `opening`, rows `transaction`, and a row `closing`, without which the text is incomplete; `status` of both balances says whether the period is `open` or `final`. A text that a spreadsheet would run as a formula gets an apostrophe before it.',
  es: 'Las transacciones en orden, y los saldos antes de la primera y después de la última. Con `format=csv` o `Accept: text/csv`, el período entero como CSV, con los miembros de las filas como columnas: una fila `opening`, filas `transaction` y una fila `closing`, sin la cual el texto está incompleto; el `status` de ambos saldos dice si el período está `open` o `final`. Un texto que una hoja de cálculo ejecutaría como fórmula lleva un apóstrofo delante.',
}

const answer: Answer = {
  description: { en: 'A page of the period, or all of it as CSV.', es: 'Una página del período, o todo en CSV.' },
  schema: statement,
  examples: { today: statementToJson(example.tenant.id, { ...today, transactions: rows, next: null }) },
  otherMediaTypes: ['text/csv'],
}

const get = operation({
  id: 'getStatement',
  tag: 'Wallet',
  summary: { en: 'Read the statement of a month or a day', es: 'Leer el extracto de un mes o de un día' },
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
  description: description.en,
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
