import type { IRouter } from 'express'
import type { ReconciliationStore, RequestReconciliation } from '@quipu/core/operator'
import { parseReconciliation, parseReconciliationList, reconciliationRunToJson } from '@quipu/wire'
import { invalid } from '../../http/api-error.ts'
import { bind, idInPath } from '../../http/routing.ts'
import { allowed, allowedPage, allowedRecord } from '../allowed.ts'

export type ReconciliationRoutes = {
  readonly requestReconciliation: RequestReconciliation
  readonly reconciliations: Pick<ReconciliationStore, 'find' | 'list'>
}

/** Reconciliation runs: read by every role, requested by operators. */
export function reconciliationRoutes(
  router: IRouter,
  { requestReconciliation, reconciliations }: ReconciliationRoutes,
): void {
  bind(router, '/operator/v1/reconciliation-runs', {
    post: allowed('operator', {
      body: parseReconciliation,
      async handle(actor, { body }) {
        const requested = await requestReconciliation(actor, body)
        if (requested.type === 'opened') return { status: 202, json: reconciliationRunToJson(requested.run) }
        const latest = requested.latest.toISOString()
        throw invalid([{ field: 'to', message: `must be ${latest} or before: later payments have not settled` }])
      },
    }),
    get: allowedPage('viewer', {
      query: parseReconciliationList,
      list: (query) => reconciliations.list(query),
      toJson: reconciliationRunToJson,
    }),
  })

  bind(router, '/operator/v1/reconciliation-runs/:id', {
    get: allowedRecord('viewer', 'RUN_NOT_FOUND', (req) => reconciliations.find(runIdOf(req)), reconciliationRunToJson),
  })
}

const runIdOf = idInPath('rcn', 'RUN_NOT_FOUND')
