import { type Clock, type RaiseAlert, type Timer, Unavailable } from '@quipu/core'
import { differenceAlert, type DifferenceStore } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

export type DifferenceAlertsPorts = {
  readonly differences: Pick<DifferenceStore, 'listChanged'>
  readonly raiseAlert: RaiseAlert
  readonly now: Clock
  readonly timer: Timer
  readonly report: (error: unknown) => void
}

const pageSize = 100
const idleMs = 1_000
const pauseAfterFailureMs = 5_000

/** How long before its start a process still raises what is closed or gone by now: no worker may have run. */
const missedMs = 3_600_000

/**
 * Raises an alert for each new difference of any check, whether it is open, closed or gone by now, and again when it
 * has changed.
 *
 * A restarted process raises the alerts of all open differences again, and of those of the last hour. An unavailable database is not
 * reported: the next poll tries again.
 */
export function raiseDifferences({ differences, raiseAlert, now, timer, report }: DifferenceAlertsPorts): PollingLoop {
  const since = new Date(now().getTime() - missedMs)
  let last = 0n

  const raisePage = async (): Promise<number> => {
    const page = await differences.listChanged(last, since, pageSize)
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
