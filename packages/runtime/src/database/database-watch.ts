import type { RaiseAlert, Monotonic, Timer } from '@quipu/core'
import { withTimeout } from '@quipu/core/adapter'
import { clockDifferenceMaxMs, type DatabaseClock, type DatabaseTime } from './database-clock.ts'
import type { Logger } from '../log/log.ts'
import { type PollingLoop, pollingLoop } from '../process/polling-loop.ts'

export type DatabaseWatchPorts = {
  /** Makes a durable write. */
  readonly ping: () => Promise<DatabaseTime>
  /** Why a durable write that has no answer has none. Does not reject. */
  readonly whySilent: () => Promise<string>
  /** Whether a standby is required, and the server required none when it was last looked at. */
  readonly isStandbyMissing: () => boolean
  readonly clock: DatabaseClock
  readonly raiseAlert: RaiseAlert
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly timer: Timer
  readonly monotonic: Monotonic
}

export type DatabaseWatch = PollingLoop & {
  /** Resolves after the first ping, also when it fails. */
  readonly compared: Promise<void>
}

/** A server that requires no standby is noticed within 5 s, the ping included. */
const pauseMs = 4_000
const pauseAfterFailureMs = 1_000
/** Writes that stay unconfirmed for this long raise an alert. */
const alertAfterMs = 5_000
const explainWithinMs = 2_000
const noAnswer = 'no answer'

/**
 * Makes a durable write every `pauseMs` and compares the clocks. Raises one alert when writes stay unconfirmed, one
 * when the server requires no standby, and one when the clocks differ, and logs the end of each.
 */
export function databaseWatch(ports: DatabaseWatchPorts): DatabaseWatch {
  const { ping, whySilent, isStandbyMissing, clock, timer, monotonic } = ports
  const commit = commitAlert(ports)
  const standby = standbyAlert(ports)
  const apart = clockAlert(ports)
  const { promise: compared, resolve: endFirstPing } = Promise.withResolvers<void>()

  const watch = async (): Promise<number> => {
    const startedAt = monotonic()
    const written = ping().then(
      (time) => time,
      (error: unknown) => String(error),
    )
    const result = await withTimeout(timer, alertAfterMs, written)
    standby.check()
    if (typeof result !== 'object') {
      if (!isStandbyMissing()) commit.failed(startedAt, await explained(result))
      return pauseAfterFailureMs
    }
    commit.confirmed()
    clock.compare(result)
    apart.check()
    return pauseMs
  }
  /** Behind a proxy a lost session says nothing of the server: another session does. */
  const explained = async (failure: string | undefined): Promise<string> => {
    const seen = (await withTimeout(timer, explainWithinMs, whySilent())) ?? noAnswer
    if (failure === undefined) return seen
    return seen === noAnswer || failure.includes(seen) ? failure : `${failure}; another session: ${seen}`
  }
  const loop = pollingLoop(() => watch().finally(endFirstPing), timer)
  return { ...loop, compared }
}

function commitAlert({ raiseAlert, log, monotonic }: DatabaseWatchPorts) {
  let failingSince: number | undefined
  let isRaised = false
  return {
    failed(startedAt: number, reason: string): void {
      if (failingSince === undefined) log.warn({ reason }, 'the database confirms no write')
      failingSince ??= startedAt
      if (isRaised || monotonic() - failingSince < alertAfterMs) return
      isRaised = true
      const detail = `no durable write confirmed for ${alertAfterMs / 1000} s: ${reason}`
      raiseAlert({ code: 'DATABASE_CANNOT_COMMIT', tenantId: null, subject: 'database', detail })
    },
    confirmed(): void {
      if (isRaised && failingSince !== undefined) {
        const seconds = Math.round((monotonic() - failingSince) / 1000)
        log.info({ seconds }, 'the database confirms writes again; requests succeed again')
      }
      failingSince = undefined
      isRaised = false
    },
  }
}

function standbyAlert({ isStandbyMissing, raiseAlert, log, monotonic }: DatabaseWatchPorts) {
  let since: number | undefined
  return {
    check(): void {
      if (isStandbyMissing()) {
        if (since !== undefined) return
        since = monotonic()
        const detail = 'no standby is required by the server: nothing is acknowledged until it names one'
        raiseAlert({ code: 'STANDBY_NOT_REQUIRED', tenantId: null, subject: 'database', detail })
      } else if (since !== undefined) {
        const seconds = Math.round((monotonic() - since) / 1000)
        since = undefined
        log.info({ seconds }, 'the server requires a standby again; requests succeed again')
      }
    },
  }
}

function clockAlert({ clock, raiseAlert, log }: DatabaseWatchPorts) {
  let isRaised = false
  return {
    check(): void {
      const aheadMs = clock.aheadMs()
      const seconds = (Math.abs(aheadMs) / 1000).toFixed(1)
      if (!isRaised && Math.abs(aheadMs) >= clockDifferenceMaxMs) {
        isRaised = true
        const side = aheadMs > 0 ? 'ahead of' : 'behind'
        const detail = `the process's clock is ${seconds} s ${side} the database's; the process uses the database's`
        raiseAlert({ code: 'CLOCK_APART', tenantId: null, subject: 'clock', detail })
      } else if (isRaised && Math.abs(aheadMs) < clockDifferenceMaxMs / 2) {
        isRaised = false
        log.info({ seconds }, "the process's clock agrees with the database's again; the process uses its own")
      }
    },
  }
}
