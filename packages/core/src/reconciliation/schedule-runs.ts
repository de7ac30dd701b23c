import { type Ids } from '../ids.ts'
import type { Clock } from '../time.ts'
import type { ReconciliationStore } from './ports.ts'
import type { NewReconciliationRun, ReconciledPeriod, ReconciliationCheck } from './run.ts'
import { checkSettings, type SettingsShape } from '../check-settings.ts'

/** The ports of `scheduleReconciliation` and `requestReconciliation`. */
export type OpenRunPorts = {
  readonly reconciliations: Pick<ReconciliationStore, 'open' | 'lastScheduled' | 'find'>
  readonly ids: Ids
  readonly now: Clock
}

/** How long after its end a period of the statement is compared: until then payments settle, and lines are late. */
export type ReconciliationTiming = { readonly settleSeconds: number }

/** The required members of `ReconciliationTiming`. */
export const reconciliationTimingShape: SettingsShape<ReconciliationTiming> = { settleSeconds: 'number' }

/** An hour. */
export const defaultReconciliationTiming: ReconciliationTiming = { settleSeconds: 3_600 }

const dayMs = 86_400_000
/** Networks keep a statement for a limited time. */
const daysBackMax = 7

/**
 * Opens the runs that are due: `network` for each UTC day that ended and has none, a week back at most; `chain`
 * for today, once the previous one has completed. Idempotent, by any number of processes.
 *
 * @example
 * ```ts
 * const schedule = scheduleReconciliation(ports, defaultReconciliationTiming)
 * await schedule(['network', 'chain'])
 * const { items } = await ports.reconciliations.list({ limit: 10 })
 * console.log(items.length) // 2
 * ```
 */
export function scheduleReconciliation(
  ports: OpenRunPorts,
  settings: ReconciliationTiming,
): (checks: readonly ReconciliationCheck[]) => Promise<void> {
  checkSettings('scheduleReconciliation', settings, reconciliationTimingShape)
  const { settleSeconds } = settings
  return async (checks) => {
    const at = ports.now()
    const today = dayOf(at)
    const settled = dayOf(new Date(at.getTime() - settleSeconds * 1_000)) - 1
    for (const check of checks) {
      const last = await ports.reconciliations.lastScheduled(check)
      const lastDay = last?.scheduledFor ? dayOf(new Date(last.scheduledFor)) : undefined
      if (check === 'chain') {
        if (last === undefined || (last.completedAt !== null && lastDay !== today))
          await open(ports, { check, at, day: today, period: null, position: 0 })
        continue
      }
      const first = lastDay === undefined ? settled : Math.max(lastDay, settled - daysBackMax) + 1
      for (let day = first; day <= settled; day++)
        await open(ports, { check, at, day, period: periodOfDay(day), position: day * dayMs })
    }
  }
}

type DueRun = Pick<NewReconciliationRun, 'check' | 'period' | 'position'> & { readonly at: Date; readonly day: number }

const open = ({ reconciliations, ids }: OpenRunPorts, { at, day, ...run }: DueRun): Promise<unknown> =>
  reconciliations.open({
    ...run,
    id: ids.next('rcn', at),
    scheduledFor: new Date(day * dayMs).toISOString().slice(0, 10),
    requestedBy: null,
    createdAt: at,
  })

/** The number of the UTC day. */
const dayOf = (at: Date): number => Math.floor(at.getTime() / dayMs)

const periodOfDay = (day: number): ReconciledPeriod => ({
  from: new Date(day * dayMs),
  to: new Date((day + 1) * dayMs),
})
