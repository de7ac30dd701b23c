import { type Ids } from '../ids.ts'
import type { Clock } from '../time.ts'
import type { ReconciliationStore } from './ports.ts'
import { type NewReconciliationRun, periodOfDay, type ReconciliationCheck, type ReconciliationRun } from './run.ts'
import { isGenuine, type RunMacKeys } from './run-mac.ts'
import type { RaiseAlert } from '../alert.ts'
import { checkSettings, type SettingsShape } from '../check-settings.ts'

/** The ports of `requestReconciliation`, and some of `scheduleReconciliation`. */
export type OpenRunPorts = {
  readonly reconciliations: Pick<ReconciliationStore, 'open'>
  readonly ids: Ids
  readonly now: Clock
}

/** The ports of `scheduleReconciliation`. */
export type ScheduleRunsPorts = OpenRunPorts &
  RunMacKeys & { readonly reconciliations: Pick<ReconciliationStore, 'lastScheduled'>; readonly raiseAlert: RaiseAlert }

/** How long after its end a period of the statement is compared: until then payments settle, and lines are late. */
export type ReconciliationTiming = { readonly settleSeconds: number }

/** The required members of `ReconciliationTiming`. */
export const reconciliationTimingShape: SettingsShape<ReconciliationTiming> = { settleSeconds: 'number' }

/** The timing where no setting says another. */
export const defaultReconciliationTiming: ReconciliationTiming = { settleSeconds: 3_600 }

const dayMs = 86_400_000
/** Networks keep a statement for a limited time. */
const daysBackMax = 7

/**
 * Opens the runs that are due: `network` for each UTC day that ended and has none, a week back at most; `chain`
 * for today, once the previous one has completed. A completed run that is not genuine is replaced, with an alert.
 * Idempotent, by any number of processes.
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
  ports: ScheduleRunsPorts,
  settings: ReconciliationTiming,
): (checks: readonly ReconciliationCheck[]) => Promise<void> {
  checkSettings('scheduleReconciliation', settings, reconciliationTimingShape)
  const { settleSeconds } = settings
  return async (checks) => {
    const at = ports.now()
    const today = dayOf(at)
    const settled = dayOf(new Date(at.getTime() - settleSeconds * 1_000)) - 1
    for (const check of checks) {
      const known = await ports.reconciliations.lastScheduled(check, today - settled + daysBackMax)
      const runs = new Map(known.map((run) => [dayOf(new Date(run.scheduledFor ?? 0)), run]))
      if (check === 'chain') {
        const [last] = known
        if (last === undefined || (last.completedAt !== null && (isForged(ports, last) || !runs.has(today))))
          await open(ports, { check, at, day: today, replaced: runs.get(today) })
        continue
      }
      const first = Math.max(Math.min(settled, ...runs.keys()), settled - daysBackMax + 1)
      for (let day = first; day <= settled; day++) {
        const run = runs.get(day)
        if (run === undefined || isForged(ports, run)) await open(ports, { check, at, day, replaced: run })
      }
    }
  }
}

/** Whether it is completed, though no process completed it. */
const isForged = (ports: RunMacKeys, run: ReconciliationRun): boolean =>
  run.completedAt !== null && !isGenuine(ports, run)

type DueRun = Pick<NewReconciliationRun, 'check'> & {
  readonly at: Date
  readonly day: number
  readonly replaced: ReconciliationRun | undefined
}

async function open(
  { reconciliations, ids, raiseAlert }: ScheduleRunsPorts,
  { check, at, day, replaced }: DueRun,
): Promise<void> {
  const scheduledFor = new Date(day * dayMs).toISOString().slice(0, 10)
  const period = check === 'network' ? periodOfDay(scheduledFor) : null
  const position = period?.from.getTime() ?? 0
  const run = { id: ids.next('rcn', at), check, period, scheduledFor, requestedBy: null, createdAt: at, position }
  const result = await reconciliations.open(run, undefined, replaced?.id)
  if (result === 'opened' && replaced)
    raiseAlert({
      code: 'RECONCILIATION_EMPTY',
      subject: check,
      tenantId: null,
      detail: `${replaced.id} was completed by no process; ${run.id} compares its day`,
    })
}

/** The number of the UTC day. */
const dayOf = (at: Date): number => Math.floor(at.getTime() / dayMs)
