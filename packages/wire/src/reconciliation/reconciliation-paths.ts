import type { ReconciliationRun } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import {
  parseReconciliation,
  parseReconciliationList,
  reconciliationListQuery,
  reconciliationPage,
  reconciliationRequest,
  reconciliationRun,
  reconciliationRunToJson,
} from './reconciliation-run.ts'

const tag = 'Reconciliation'
const from = new Date('2026-11-19T00:00:00.000Z')
const to = new Date('2026-11-20T00:00:00.000Z')
/** A run that an operator has requested. */
export const requested: ReconciliationRun = {
  id: `rcn_${example.ulid('0H')}`,
  check: 'network',
  period: { from, to },
  scheduledFor: null,
  requestedBy: 'olivia',
  createdAt: example.at(0),
  position: from.getTime(),
  slices: 0,
  compared: 0,
  differences: 0,
  completedAt: null,
  failure: null,
  mac: null,
}
const completed: ReconciliationRun = {
  ...requested,
  id: `rcn_${example.ulid('0J')}`,
  scheduledFor: '2026-11-19',
  requestedBy: null,
  position: to.getTime(),
  slices: 48,
  compared: 41275,
  differences: 1,
  completedAt: example.at(60),
}

const request = operation({
  id: 'requestReconciliation',
  tag,
  summary: 'Request a reconciliation run',
  description:
    'A worker executes it slice by slice, beside the daily runs, and records what differs. Repeating a request opens another run.',
  access: 'operator',
  body: {
    schema: reconciliationRequest,
    examples: {
      network: { check: 'network', from: '2026-11-19T00:00:00Z', to: '2026-11-20T00:00:00Z' },
      chain: { check: 'chain' },
    },
  },
  answers: {
    202: {
      description: 'The run, which has not begun.',
      schema: reconciliationRun,
      examples: { requested: reconciliationRunToJson(requested) },
    },
  },
  refused: parseReconciliation({ check: 'network', from: '2026-11-19T00:00:00Z' }),
})

const list = operation({
  id: 'listReconciliationRuns',
  tag,
  summary: 'List reconciliation runs, newest first',
  access: 'operator',
  query: reconciliationListQuery,
  answers: lastPage(reconciliationPage, [requested, completed], reconciliationRunToJson),
  refused: parseReconciliationList('status=done&limit=0'),
})

const get = operation({
  id: 'getReconciliationRun',
  tag,
  summary: 'Read a reconciliation run and its progress',
  access: 'operator',
  path: z.object({ id: id('rcn') }),
  answers: ok('The run.', reconciliationRun, { completed: reconciliationRunToJson(completed) }),
  refused: parseNoQuery('expand=differences'),
  errors: ['RUN_NOT_FOUND'],
})

export const reconciliationPaths: ZodOpenApiPathsObject = {
  '/operator/v1/reconciliation-runs': { post: request, get: list },
  '/operator/v1/reconciliation-runs/{id}': { get },
}
