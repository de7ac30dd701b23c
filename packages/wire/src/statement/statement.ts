import { toDecimal } from '@quipu/core'
import {
  type Statement,
  type StatementDay,
  statementDay,
  type StatementListQuery,
  type StatementPageQuery,
  type StatementSummary,
} from '@quipu/core/operator'
import { z } from 'zod'
import { matching, members, oneOf } from '../json/fields.ts'
import { usdtAmount } from '../json/money.ts'
import { mapParsed, type Parsed, type Rule } from '../json/parsed.ts'
import { walletTransaction, walletTransactionToJson } from '../ledger/wallet-transaction.ts'
import { cursorScope, encodeCursor } from '../list/cursor.ts'
import { type ListRequest, pageOf, pageParameters, readPage } from '../list/list.ts'
import { parseQuery } from '../json/query.ts'

const dateRule = 'must be a date of the calendar, such as 2026-11-20'

/** A day in UTC. */
const date = matching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, dateRule)
  .refine((text) => statementDay(text) !== undefined)
  .meta({ format: 'date', examples: ['2026-11-20'] })

const dateText = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)
  .meta({ format: 'date', examples: ['2026-11-20'] })

const summaryMembers = {
  date: dateText.meta({ description: 'A day in UTC.' }),
  status: z
    .enum(['open', 'closed'])
    .meta({ description: '`closed` ten minutes after the day has ended: from then on nothing in it changes.' }),
  currency: z.literal('USDT'),
  opening_balance: usdtAmount.meta({
    description: 'The wallet’s `total` at the start of the day: the closing balance of the day before.',
  }),
  closing_balance: usdtAmount.meta({
    description: 'The wallet’s `total` at the end of the day; of today, at this moment.',
  }),
}

/** A day of a wallet. */
export const statementSummary = z.object(summaryMembers).meta({ id: 'StatementSummary' })
export type StatementSummaryJson = z.output<typeof statementSummary>

export const statementSummaryToJson = (summary: StatementSummary): StatementSummaryJson => ({
  date: summary.date,
  status: summary.status,
  currency: 'USDT',
  opening_balance: toDecimal(summary.opening),
  closing_balance: toDecimal(summary.closing),
})

export const statementSummaryPage = pageOf(statementSummary, 'StatementSummaryPage')

/** A day of a wallet with its transactions. */
export const statement = z
  .object({
    ...summaryMembers,
    data: z
      .array(walletTransaction)
      .meta({ description: 'Oldest first. A page can have fewer rows than `limit`, also none.' }),
    next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
  })
  .meta({ id: 'Statement' })
export type StatementJson = z.output<typeof statement>

export const statementToJson = (tenantId: string, page: Statement): StatementJson => ({
  ...statementSummaryToJson(page),
  data: page.transactions.map(walletTransactionToJson),
  next_cursor: page.next && encodeCursor(page.next, dayScope(tenantId, page.date)),
})

const dayScope = (tenantId: string, day: string) => cursorScope('wallet_transactions', tenantId, { statement: day })

/** The query of `GET /v1/wallets/statements`. */
export const statementListQuery = members(
  {
    from: date.meta({ description: 'This day or later.' }).optional(),
    to: date.meta({ description: 'This day or earlier.' }).optional(),
    ...pageParameters,
  },
  'in the query',
)

export type StatementListRequest = Omit<ListRequest, 'query'> & { readonly query: StatementListQuery }

/** Reads the query of `GET /v1/wallets/statements`. */
export function parseStatementList(tenantId: string, search: URLSearchParams | string): Parsed<StatementListRequest> {
  const parsed = parseQuery(statementListQuery, search, inOrder)
  if (!parsed.ok) return parsed
  const { from, to, ...page } = parsed.value
  const scope = cursorScope('statements', tenantId, { ...(from && { from }), ...(to && { to }) })
  return mapParsed(readPage(page, scope), ({ limit, after }) => ({
    query: { limit, ...dayMember('from', from), ...dayMember('to', to), ...dayMember('after', after?.id) },
    scope,
  }))
}

const inOrder: Rule = ({ from, to }) => {
  const areDays = [from, to].every((day) => typeof day === 'string' && statementDay(day))
  return areDays && String(from) > String(to) ? [{ field: 'from', message: 'must not be after to' }] : []
}

const dayMember = <Name extends string>(
  name: Name,
  text: string | undefined,
): { readonly [N in Name]?: StatementDay } => {
  const day = text === undefined ? undefined : statementDay(text)
  return (day ? { [name]: day } : {}) as { [N in Name]?: StatementDay }
}

/** The position of a day in the list of days. */
export const statementPosition = (day: StatementDay | null) => day && { createdAt: day.start, id: day.date }

/** The query of `GET /v1/wallets/statements/{date}`. */
export const statementQuery = members(
  {
    format: oneOf(['json', 'csv'])
      .optional()
      .meta({
        description:
          '`csv` is the whole day without pages. Without `format`, the header `Accept: text/csv` selects it.',
      }),
    ...pageParameters,
  },
  'in the query',
)

export type StatementRequest = { readonly format: 'json' | 'csv' | undefined; readonly page: StatementPageQuery }

/** Reads the query of `GET /v1/wallets/statements/{date}`. `day` binds the cursor. */
export function parseStatement(
  tenantId: string,
  day: string,
  search: URLSearchParams | string,
): Parsed<StatementRequest> {
  const parsed = parseQuery(statementQuery, search, wholeAsCsv)
  if (!parsed.ok) return parsed
  const { format, ...page } = parsed.value
  return mapParsed(readPage(page, dayScope(tenantId, day)), (query) => ({ format, page: query }))
}

const wholeAsCsv: Rule = ({ format, ...page }) =>
  format === 'csv'
    ? (['limit', 'cursor'] as const)
        .filter((field) => page[field] !== undefined)
        .map((field) => ({ field, message: 'must be left out with format=csv' }))
    : []
