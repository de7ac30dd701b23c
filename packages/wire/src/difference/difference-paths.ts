import { bob } from '@quipu/core'
import type { Difference } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import {
  difference,
  differenceClosure,
  differenceListQuery,
  differencePage,
  differenceToJson,
  parseDifferenceClosure,
  parseDifferenceList,
} from './difference.ts'

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
