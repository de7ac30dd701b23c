import { formatRate, toDecimal } from '@quipu/core'
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
} from '@quipu/core/operator'
import { z } from 'zod'
import { matching, members, oneOf } from '../json/fields.ts'
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
import { merchant } from '../quote/resolution.ts'

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
export const statementSummary = z.object(summaryMembers).meta({ id: 'StatementSummary' })
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

export const statementSummaryPage = pageOf(statementSummary, 'StatementSummaryPage')

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
  .meta({ id: 'StatementRow' })
export type StatementRowJson = z.output<typeof statementRow>

export function statementRowToJson(row: StatementMovement): StatementRowJson {
  const { created_at: at, ...others } = walletTransactionToJson(row)
  const { payment } = row
  return {
    ...others,
    target: payment && moneyToJson(payment.target),
    rate: payment && formatRate(payment.rate),
    fee: payment && moneyToJson(payment.fee),
    merchant: payment?.merchant ? { name: payment.merchant.name, bank_code: payment.merchant.bankCode } : null,
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

/** The query of `GET /v1/statements`. */
export const statementListQuery = members(
  {
    from: date.meta({ description: 'This day or later.' }).optional(),
    to: date.meta({ description: 'This day or earlier.' }).optional(),
    timezone,
    ...pageParameters,
  },
  'in the query',
)

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

/** The query of `GET /v1/statements/{period}`. */
export const statementQuery = members({ ...formatParameter, timezone, ...pageParameters }, 'in the query')

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
