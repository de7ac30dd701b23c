import { type Monotonic, type RaiseAlert, type Timer, Unavailable } from '@quipu/core'
import { type Fault, faultAlerts, type FindFaults, type LastingSeconds } from '@quipu/core/operator'
import { type Logger, type PollingLoop, pollingLoop } from '@quipu/runtime'

export type FaultWatchPorts = {
  readonly findFaults: FindFaults
  /** Keeps their alerts open, as long as they last. @throws Unavailable when the store cannot be written */
  readonly see: (alerted: readonly Fault[]) => Promise<void>
  readonly raiseAlert: RaiseAlert
  readonly log: Pick<Logger, 'info' | 'error'>
  readonly timer: Timer
  readonly monotonic: Monotonic
}

const pauseMs = 5_000

/**
 * Finds faults every `pauseMs` and alerts each one once, until it is stopped. The API watches, as a process
 * that has ended cannot report it. While the store does not answer, the faults found before stay open.
 */
export function faultWatch(
  { findFaults, see, raiseAlert, log, timer, monotonic }: FaultWatchPorts,
  lasting: LastingSeconds,
): PollingLoop {
  const alerts = faultAlerts(
    {
      raiseAlert,
      monotonic,
      ended: ({ code, subject }, seconds) =>
        log.info({ fault: code, subject, seconds }, 'the fault of an earlier alert has ended'),
    },
    lasting,
  )
  const watch = async (): Promise<void> => {
    const faults = await findFaults()
    // Each process raises the alert about its own clock.
    await see(alerts(faults.filter(({ code }) => code !== 'CLOCK_APART')))
  }
  return pollingLoop(async () => {
    await watch().catch((error: unknown) => {
      if (error instanceof Unavailable) return
      log.error({ err: error }, 'looking for faults failed; retrying')
    })
    return pauseMs
  }, timer)
}
