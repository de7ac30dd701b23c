import { type RaiseAlert, type Timer, Unavailable } from '@quipu/core'
import { differenceAlert, type DifferenceStore } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

export type DifferenceAlertsPorts = {
  readonly differences: Pick<DifferenceStore, 'listChanged'>
  readonly raiseAlert: RaiseAlert
  readonly timer: Timer
  readonly report: (error: unknown) => void
}

const pageSize = 100
const idleMs = 1_000
const pauseAfterFailureMs = 5_000

/**
 * Raises an alert for each open difference of any check, and again when it has changed.
 *
 * A restarted process raises the alerts of all open differences again. An unavailable database is not
 * reported: the next poll tries again.
 */
export function raiseDifferences({
  differences,
  raiseAlert,
  timer,
  report,
}: DifferenceAlertsPorts): PollingLoop {
  let last = 0n

  const raisePage = async (): Promise<number> => {
    const page = await differences.listChanged(last, pageSize)
    for (const { check, kind, tenantId, subject, detail, change } of page) {
      raiseAlert({ code: differenceAlert({ check, kind }), tenantId, subject, detail })
      last = change
    }
    return page.length < pageSize ? idleMs : 0
  }
  const poll = (): Promise<number> =>
    raisePage().catch((error: unknown) => {
      if (!(error instanceof Unavailable)) report(error)
      return pauseAfterFailureMs
    })
  return pollingLoop(poll, timer)
}
