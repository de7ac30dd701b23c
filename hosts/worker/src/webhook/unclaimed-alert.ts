import type { RaiseAlert } from '@quipu/core'
import type { LoopTiming } from '../loop/system-timing.ts'

export type UnclaimedAlertPorts = Pick<LoopTiming, 'monotonic'> & { readonly raiseAlert: RaiseAlert }

const windowMs = 600_000

/**
 * Raises an alert when queued deliveries were not claimed twice within ten minutes, and not again until ten minutes
 * have passed without. A single time is left to the log: the long poll of a killed worker takes messages along.
 *
 * @returns notes the number of queued deliveries that were not claimed in time
 */
export function unclaimedAlert({ raiseAlert, monotonic }: UnclaimedAlertPorts, queueUrl: string) {
  let lastAt = Number.NEGATIVE_INFINITY
  let isRaised = false
  return (count: number): void => {
    const at = monotonic()
    const isRepeated = at - lastAt <= windowMs
    lastAt = at
    if (isRepeated && !isRaised) {
      const detail = `it takes messages and hands them over late, to others or not at all: ${count} more were not claimed`
      raiseAlert({ code: 'QUEUE_UNCLAIMED', tenantId: null, subject: queueUrl, detail })
    }
    isRaised = isRepeated
  }
}
