import { type Money, toDecimal, bob } from '@quipu/core'
import {
  type ClosureNote,
  type Difference,
  differenceChecks,
  type DifferenceQuery,
  differenceStatuses,
} from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { members, oneOf, queryMembers, text } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { instantToJson } from '../json/instant.ts'
import { rowToJson } from '../json/row-to-json.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { parseList } from '../list/filtered-list.ts'
import { type ListRequest, pageOf, pageParameters } from '../list/list.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'

const amount = z
  .object({
    currency: z.enum(['USDT', 'BOB']),
    amount: z
      .string()
      .regex(/^-?(?:0|[1-9][0-9]*)\.(?:[0-9]{6}|[0-9]{2})$/)
      .meta({ examples: ['100.000000'] }),
  })
  .meta({ id: 'DifferenceAmount', description: 'USDT with six, BOB with two fraction digits; possibly negative.' })

const check = z
  .enum(differenceChecks)
  .meta({
    description:
      '`ledger`: the ledger against its sources; `audit`: the audit log; `network`: payouts against the QR network’s statement; `chain`: balances of top-up addresses against the ledger; `liquidity`: the balance at the network against its floor.',
  })

/** A difference that a check has found. */
export const difference = z
  .object({
    id: idText('dif'),
    check,
    kind: z.string().meta({ description: 'A code for this sort of difference.', examples: ['available'] }),
    status: z.enum(differenceStatuses).meta({ description: '`gone`: a later run did not find it any more.' }),
    tenant_id: idText('ten').nullable(),
    subject: z.string().meta({ description: 'The id of what differs.' }),
    detail: z.string(),
    expected: amount.nullable(),
    found: amount.nullable(),
    found_at: time,
    last_seen_at: time.meta({ description: 'When a run of the check last found it.' }),
    gone_at: time.nullable(),
    closed_by: z.string().nullable().meta({ description: 'The name of the operator’s token.' }),
    closed_at: time.nullable(),
    close_reason: z.string().nullable(),
    adjustment_proposal_id: idText('prp').nullable().meta({ description: 'The executed proposal that corrected it.' }),
  })
  .meta({ id: 'Difference' })
export type DifferenceJson = z.output<typeof difference>

export const differenceToJson = (stored: Difference): DifferenceJson =>
  rowToJson(difference, stored, {
    expected: amountToJson(stored.expected),
    found: amountToJson(stored.found),
    closed_by: stored.closure?.by ?? null,
    closed_at: stored.closure && instantToJson(stored.closure.at),
    close_reason: stored.closure?.reason ?? null,
    adjustment_proposal_id: stored.closure?.proposalId ?? null,
  })

const amountToJson = (money: Money | null): z.output<typeof amount> | null =>
  money && { currency: money.currency, amount: toDecimal(money) }

const differencePage = pageOf(difference, 'DifferencePage')

const differenceListQuery = queryMembers({
  status: oneOf(differenceStatuses).optional(),
  check: oneOf(differenceChecks).optional(),
  tenant_id: id('ten').optional(),
  subject: text(1, 512)
    .meta({ description: 'The id of what differs.', examples: ['po_01K6HZ8M00000000000000000A'] })
    .optional(),
  ...pageParameters,
})

/** Reads the query of `GET /operator/v1/differences`. */
export const parseDifferenceList = (search: URLSearchParams | string): Parsed<ListRequest<DifferenceQuery>> =>
  parseList(differenceListQuery, ['differences', 'operator'], search)

const differenceClosure = members({
  reason: text(1, 500).meta({ examples: ['The network paid twice and has taken it back.'] }),
  adjustment_proposal_id: id('prp')
    .optional()
    .meta({ description: 'The executed proposal that corrected it, of the same tenant.' }),
}).meta({ id: 'DifferenceClosureRequest' })

/** Reads the body of `POST /operator/v1/differences/{id}/close`. */
export const parseDifferenceClosure = (body: unknown): Parsed<ClosureNote> =>
  mapParsed(parse(differenceClosure, body), ({ reason, adjustment_proposal_id: proposalId = null }) => ({
    reason,
    proposalId,
  }))

const tag = 'Differences'
const path = z.object({ id: id('dif') })

const open: Difference = {
  id: `dif_${example.ulid('0H')}`,
  check: 'network',
  kind: 'other_amount',
  scope: '2026-11-20',
  tenantId: example.tenant.id,
  subject: `po_${example.ulid('0C')}`,
  detail: 'paid 105.00 BOB instead of 100.00 BOB: 5.00 BOB off',
  expected: bob(100_00n),
  found: bob(105_00n),
  foundAt: example.at(0),
  lastSeenAt: example.at(3_600),
  goneAt: null,
  closure: null,
  status: 'open',
  change: 1n,
}
const closed: Difference = {
  ...open,
  status: 'closed',
  closure: {
    by: 'omar',
    at: example.at(7200),
    proposalId: null,
    reason: 'The network paid twice and has taken it back.',
  },
}

const list = operation({
  id: 'listDifferences',
  tag,
  summary: 'List differences, newest first',
  description: 'With `status=open`: what is off and nobody has closed.',
  access: 'operator',
  query: differenceListQuery,
  answers: lastPage(differencePage, [open], differenceToJson),
  refused: parseDifferenceList('status=pending&limit=0'),
})

const get = operation({
  id: 'getDifference',
  tag,
  summary: 'Read a difference',
  access: 'operator',
  path,
  answers: ok('The difference.', difference, { open: differenceToJson(open), closed: differenceToJson(closed) }),
  refused: parseNoQuery('expand=tenant'),
  errors: ['DIFFERENCE_NOT_FOUND'],
})

const close = operation({
  id: 'closeDifference',
  tag,
  summary: 'Close a difference with a reason, or with the proposal that corrected it',
  description:
    'The check no longer alerts it, until it changes: then it opens a new one. The same operator can safely repeat the request.',
  access: 'operator',
  path,
  body: {
    schema: differenceClosure,
    examples: {
      explained: { reason: 'The network paid twice and has taken it back.' },
      corrected: { reason: 'Adjusted.', adjustment_proposal_id: `prp_${example.ulid('0G')}` },
    },
  },
  answers: ok('The difference.', difference, { closed: differenceToJson(closed) }),
  refused: parseDifferenceClosure({ reason: '' }),
  errors: [
    'DIFFERENCE_NOT_FOUND',
    'PROPOSAL_NOT_FOUND',
    'DIFFERENCE_NOT_OPEN',
    'PROPOSAL_NOT_EXECUTED',
    'PROPOSAL_OF_ANOTHER_TENANT',
  ],
})

export const differencePaths: ZodOpenApiPathsObject = {
  '/operator/v1/differences': { get: list },
  '/operator/v1/differences/{id}': { get },
  '/operator/v1/differences/{id}/close': { post: close },
}
