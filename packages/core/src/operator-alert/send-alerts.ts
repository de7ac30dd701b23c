import { checkSettings } from '../check-settings.ts'
import type { DailyTaskStore } from '../daily-task/ports.ts'
import type { RandomBytes } from '../ids.ts'
import { handOver, handOverLeaseSeconds as leaseSeconds, type HandOverResult } from '../notice/hand-over.ts'
import type { NoticeResult } from '../notice/ports.ts'
import { dayAt, type Timezone, timezones } from '../period/period.ts'
import type { Clock } from '../time.ts'
import type { AlertMessage, OperatorAlertStore } from './ports.ts'

/** The time between two messages about what lasts. */
export const defaultAlertRepeatSeconds = 14_400

/** The ports of `sendAlert`. */
export type SendAlertPorts = {
  readonly alerts: Pick<OperatorAlertStore, 'claim' | 'accept' | 'retry'>
  /** Never throws. A repetition has the same id, sequence and status. */
  readonly send: (message: AlertMessage) => Promise<NoticeResult>
  readonly refused: (message: AlertMessage, detail: string) => void
  readonly random: RandomBytes
}

/**
 * Sends the next message about an alert to the operator's gateway, at least once; one that fails is repeated without end.
 *
 * @example
 * ```ts
 * const send = async () => ({ type: 'accepted' }) as const
 * const gateway = { send, refused: () => undefined }
 * const next = sendAlert({ ...ports, alerts: ports.operatorAlerts, ...gateway }, { repeatSeconds: defaultAlertRepeatSeconds })
 * console.log((await next()).type) // idle
 * ```
 */
export function sendAlert(
  { alerts, ...ports }: SendAlertPorts,
  settings: { readonly repeatSeconds: number },
): () => Promise<HandOverResult<AlertMessage>> {
  checkSettings('sendAlert', settings, { repeatSeconds: 'positive' })
  return handOver({
    ...ports,
    claim: async () => {
      const claimed = await alerts.claim(leaseSeconds, settings.repeatSeconds)
      return (
        claimed && {
          ...claimed,
          accept: () => alerts.accept(claimed.claim),
          retry: (inMs) => alerts.retry(claimed.claim, inMs),
        }
      )
    },
  })
}

/** When the digest of each day is sent. */
export type DigestTime = { readonly hour: number; readonly timezone: Timezone }

/** The day whose digest is due: today once its hour has passed, yesterday before. */
export const digestDay = (now: Date, { hour, timezone }: DigestTime): string =>
  dayAt(new Date(now.getTime() - hour * 3_600_000), timezone)

/** The ports of `sendDigest`. */
export type SendDigestPorts = {
  readonly dailyTasks: DailyTaskStore
  /** Reads and sends the digest. @throws Unavailable when it cannot be read: it is due again after the lease */
  readonly send: (day: string) => Promise<NoticeResult>
  readonly refused: (day: string, detail: string) => void
  readonly random: RandomBytes
  readonly now: Clock
}

/**
 * Sends the digest of the day to the operator's gateway, once a day by all processes together.
 *
 * @example
 * ```ts
 * const send = async () => ({ type: 'accepted' }) as const
 * const gateway = { send, refused: () => undefined }
 * const digest = sendDigest({ ...ports, ...gateway }, { hour: 7, timezone: 'America/La_Paz' })
 * console.log((await digest()).type, (await digest()).type) // accepted idle
 * ```
 */
export function sendDigest(
  { dailyTasks, now, ...ports }: SendDigestPorts,
  time: DigestTime,
): () => Promise<HandOverResult<string>> {
  checkSettings('sendDigest', time, { hour: { min: 0, max: 23 }, timezone: timezones })
  return handOver({
    ...ports,
    claim: async () => {
      const day = digestDay(now(), time)
      const claimed = await dailyTasks.claim({ task: 'digest', day, missedDays: 0, leaseSeconds })
      return (
        claimed && {
          message: day,
          failedAttempts: claimed.failedAttempts,
          accept: () => dailyTasks.accept(claimed.claim),
          retry: (inMs) => dailyTasks.retry(claimed.claim, inMs),
        }
      )
    },
  })
}
