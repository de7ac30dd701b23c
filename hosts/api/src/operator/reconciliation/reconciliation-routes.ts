import type { IRouter } from 'express'
import type { ReconciliationStore, RequestReconciliation } from '@quipu/core/operator'
import { isId, parseReconciliation, parseReconciliationList, reconciliationRunToJson } from '@quipu/wire'
import { ApiError, invalid } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'

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
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const id = String(req.params['id'])
        const run = isId('rcn', id) ? await reconciliations.find(id) : undefined
        if (!run) throw new ApiError('RUN_NOT_FOUND')
        return { status: 200, json: reconciliationRunToJson(run) }
      },
    }),
  })
}
