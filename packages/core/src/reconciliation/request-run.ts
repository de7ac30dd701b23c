import { authorized, type Operator } from '../access/operator.ts'
import type { NewReconciliationRun, ReconciledPeriod, ReconciliationRun } from './run.ts'
import { type OpenRunPorts, type ReconciliationTiming, reconciliationTimingShape } from './schedule-runs.ts'
import type { RestoreStore } from '../restore/ports.ts'
import { checkSettings } from '../check-settings.ts'

/** The ports of `requestReconciliation`. */
export type RequestReconciliationPorts = OpenRunPorts & { readonly restores: Pick<RestoreStore, 'gate'> }

/** The request of an operator. */
export type ReconciliationRequest =
  /** `to` is exclusive. */
  ({ readonly check: 'network' } & ReconciledPeriod) | { readonly check: 'chain' }

/** The new run; or the latest end of a period, when the requested one ends later. */
export type RequestedReconciliation =
  | { readonly type: 'opened'; readonly run: ReconciliationRun }
  | { readonly type: 'not_settled'; readonly latest: Date }

/** Requests a run. */
export type RequestReconciliation = (
  operator: Operator,
  request: ReconciliationRequest,
) => Promise<RequestedReconciliation>

/**
 * Opens a run that a worker then executes slice by slice.
 *
 * @throws Unavailable when the outcome of the write is unknown; a repeated request opens another run
 * @throws Unauthorized without the active token of an operator
 * @example
 * ```ts
 * const request = requestReconciliation(ports, defaultReconciliationTiming)
 * const requested = await request(ana, { check: 'chain' })
 * if (requested.type === 'opened') console.log(requested.run.check, requested.run.completedAt) // chain null
 * ```
 */
export function requestReconciliation(
  ports: RequestReconciliationPorts,
  settings: ReconciliationTiming,
): RequestReconciliation {
  checkSettings('requestReconciliation', settings, reconciliationTimingShape)
  const { settleSeconds } = settings
  return async (operator, request) => {
    const createdAt = ports.now()
    // While payments are halted nothing new settles, and the halt lasts until this run has been compared.
    const { halt } = await ports.restores.gate()
    const latest = new Date(createdAt.getTime() - (halt === null ? settleSeconds : 0) * 1_000)
    const period = periodOf(request)
    if (period !== null && period.to > latest) return { type: 'not_settled', latest }
    const run: NewReconciliationRun = {
      id: ports.ids.next('rcn', createdAt),
      check: request.check,
      period,
      scheduledFor: null,
      requestedBy: operator.person,
      createdAt,
      position: period === null ? 0 : period.from.getTime(),
    }
    authorized(await ports.reconciliations.open(run, operator))
    const none = { slices: 0, compared: 0, differences: 0, completedAt: null, failure: null, mac: null }
    return { type: 'opened', run: { ...run, ...none } }
  }
}

const periodOf = (request: ReconciliationRequest): ReconciledPeriod | null =>
  request.check === 'network' ? { from: request.from, to: request.to } : null
