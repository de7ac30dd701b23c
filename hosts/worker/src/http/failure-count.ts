import type { Clock, Timer } from '@quipu/core'
import type { AuditLog } from '@quipu/core/operator'
import { failedLogins, type Logger, rateLimiter } from '@quipu/runtime'
import { background } from '@quipu/core/system'
import type { WorkerAppPorts } from './worker-app.ts'

export type FailureCountPorts = {
  readonly audit: Pick<AuditLog, 'recordFailedLogins'>
  readonly now: Clock
  readonly timer: Timer
  readonly log: Pick<Logger, 'error'>
}

/** A second from one address: as many as at the API, unless that is set. */
const failuresPerSecond = 10

/** Records failed logins at the worker's port in the audit log, as the API does, and limits them by address. */
export function failureCount(ports: FailureCountPorts): WorkerAppPorts['countFailure'] {
  const { audit, now, timer, log } = ports
  const report = (err: unknown): void => log.error({ err }, 'a failed login was not recorded; the next one will be')
  const { run: inBackground } = background(report, timer)
  const record = failedLogins({ audit, now, timer, inBackground })
  const limiter = rateLimiter(failuresPerSecond, now)
  return (source) => {
    record(source)
    return limiter.take(source)
  }
}
