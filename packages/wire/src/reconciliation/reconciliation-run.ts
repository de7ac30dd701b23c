import {
  type ReconciliationQuery,
  type ReconciliationRequest,
  type ReconciliationRun,
  reconciliationChecks,
} from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { instant, members, oneOf, queryMembers } from '../json/fields.ts'
import { ceilToMs, instantToJson, parseInstant } from '../json/instant.ts'
import { rowToJson } from '../json/row-to-json.ts'
import { type Issue, mapParsed, parse, type Parsed, type Rule } from '../json/parsed.ts'
import { parseFilteredList } from '../list/filtered-list.ts'
import { type ListRequest, pageOf, pageParameters } from '../list/list.ts'

const check = oneOf(reconciliationChecks).meta({
  description:
    '`network`: payouts against the QR network’s statement; `chain`: deposits against the balances of top-up addresses.',
})

export const reconciliationRequest = members({
  check,
  from: instant
    .meta({
      description: 'For `network`, which requires it: payments at or after this instant.',
      examples: ['2026-11-19T00:00:00Z'],
    })
    .optional(),
  to: instant
    .meta({
      description:
        'For `network`, which requires it: payments before this instant, which is at least `RECONCILIATION_SETTLE_SECONDS` ago.',
      examples: ['2026-11-20T00:00:00Z'],
    })
    .optional(),
}).meta({ id: 'ReconciliationRequest' })

/** The longest period of one request. */
const daysMax = 31

/** Reads the body of `POST /operator/v1/reconciliation-runs`. */
export const parseReconciliation = (body: unknown): Parsed<ReconciliationRequest> =>
  mapParsed(parse(reconciliationRequest, body, periodOfCheck), ({ check, from, to }) => {
    const [first, last] = [read(from), read(to)]
    return check === 'chain' || !first || !last ? { check: 'chain' } : { check: 'network', from: first, to: last }
  })

const periodOfCheck: Rule = ({ check, from, to }) => {
  const issue = (field: string, message: string): Issue => ({ field, message })
  const ends = Object.entries({ from, to })
  if (check === 'chain')
    return ends
      .filter(([, at]) => at !== undefined)
      .map(([name]) => issue(name, 'is not allowed for chain, which compares the present balances'))
  if (check !== 'network') return []
  const missing = ends.filter(([, at]) => at === undefined)
  if (missing.length > 0) return missing.map(([name]) => issue(name, 'is required for network'))
  const [first, last] = [read(String(from)), read(String(to))]
  if (!first || !last) return []
  if (first >= last) return [issue('from', 'must be before to')]
  return last.getTime() - first.getTime() > daysMax * 86_400_000
    ? [issue('to', `must be at most ${daysMax} days after from`)]
    : []
}

function read(text: string | undefined): Date | undefined {
  const at = text === undefined ? undefined : parseInstant(text)
  return at && ceilToMs(at)
}

const count = z.int().min(0)

/** A run and its progress. */
export const reconciliationRun = z
  .object({
    id: idText('rcn'),
    check,
    status: z.enum(['running', 'completed']),
    from: time.nullable().meta({ description: 'Null for `chain`.' }),
    to: time.nullable().meta({ description: 'Exclusive. Null for `chain`.' }),
    reached: z
      .string()
      .meta({
        description:
          'Where the next slice begins: an instant for `network`, the index of a top-up address for `chain`.',
        examples: ['2026-11-19T12:30:00.000Z', '4250'],
      }),
    slices: count.meta({ description: 'Slices compared so far.' }),
    compared: count.meta({ description: 'Statement lines, or balances, compared so far.' }),
    differences: count.meta({ description: 'Differences found so far; `GET /operator/v1/differences` lists them.' }),
    failure: z
      .string()
      .nullable()
      .meta({ description: 'Why the last slice failed, which is repeated; null if it succeeded.' }),
    scheduled_for: z
      .string()
      .nullable()
      .meta({ description: 'The UTC day of a daily run; null if an operator requested it.', examples: ['2026-11-19'] }),
    requested_by: z.string().nullable().meta({ description: 'The name of the operator’s token.' }),
    created_at: time,
    completed_at: time.nullable(),
  })
  .meta({ id: 'ReconciliationRun' })
export type ReconciliationRunJson = z.output<typeof reconciliationRun>

export const reconciliationRunToJson = (run: ReconciliationRun): ReconciliationRunJson =>
  rowToJson(reconciliationRun, run, {
    status: run.completedAt ? 'completed' : 'running',
    from: run.period && instantToJson(run.period.from),
    to: run.period && instantToJson(run.period.to),
    reached: run.check === 'network' ? instantToJson(new Date(run.position)) : run.position.toString(),
  })

export const reconciliationPage = pageOf(reconciliationRun, 'ReconciliationRunPage')

export const reconciliationListQuery = queryMembers({
  check: oneOf(reconciliationChecks).optional(),
  status: oneOf(['running', 'completed']).optional(),
  ...pageParameters,
})

/** Reads the query of `GET /operator/v1/reconciliation-runs`. */
export const parseReconciliationList = (search: URLSearchParams | string): Parsed<ListRequest<ReconciliationQuery>> =>
  mapParsed(
    parseFilteredList(reconciliationListQuery, ['reconciliation_runs', 'operator'], search),
    ({ filters: { status, ...filters }, page, scope }) => ({
      query: { ...page, ...filters, ...(status && { isCompleted: status === 'completed' }) },
      scope,
    }),
  )
