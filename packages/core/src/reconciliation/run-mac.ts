import { isMacOf, type KeyRing, macOf } from '../key-ring/key-ring.ts'
import { periodOfDay, type ReconciledSlice, type ReconciliationRun } from './run.ts'

/**
 * The keys of the MACs of runs, which are those of the top-up addresses' MACs. Undefined where no chain is configured:
 * every run is then taken for genuine.
 */
export type RunMacKeys = { readonly runMacKeys: KeyRing | undefined }

/**
 * The MAC of the run as it is after this slice: what the run says was compared, a process has compared. Write access
 * to the database alone does not suffice to complete a run.
 *
 * @param run  as it was claimed
 */
export const runMac = (keys: KeyRing, run: ReconciliationRun, slice: ReconciledSlice, at: Date): string =>
  macOf(
    keys,
    textOf({
      ...run,
      position: slice.position,
      slices: run.slices + 1,
      compared: run.compared + slice.compared,
      differences: run.differences + slice.differences,
      completedAt: slice.isLast ? at : null,
    }),
  )

/** Whether the run is as it was opened, for its whole day if it has one, or as a process left it after a slice. */
export function isGenuine({ runMacKeys }: RunMacKeys, run: ReconciliationRun): boolean {
  if (runMacKeys === undefined) return true
  if (run.slices > 0) return run.mac !== null && isMacOf(runMacKeys, textOf(run), run.mac)
  const { period, scheduledFor, position } = run
  const whole = scheduledFor !== null && period !== null ? periodOfDay(scheduledFor) : period
  return (
    position === (whole?.from.getTime() ?? 0) &&
    whole?.from.getTime() === period?.from.getTime() &&
    whole?.to.getTime() === period?.to.getTime()
  )
}

const textOf = (run: Omit<ReconciliationRun, 'mac' | 'failure'>): string =>
  JSON.stringify([
    'reconciliation run v1',
    run.id,
    run.check,
    run.period?.from ?? null,
    run.period?.to ?? null,
    run.scheduledFor,
    run.requestedBy,
    run.createdAt,
    run.position,
    run.slices,
    run.compared,
    run.differences,
    run.completedAt,
  ])
