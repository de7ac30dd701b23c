import {
  type Clock,
  type Ids,
  type Monotonic,
  type RaiseAlert,
  type RandomBytes,
  type Timer,
  Unavailable,
} from '@quipu/core'
import { retryDelayMs, withTimeout } from '@quipu/core/adapter'
import {
  type AlertMessage,
  type HandOverResult,
  noticeRetryPolicy,
  type NoticeResult,
  type OperatorAlertStore,
  type RecordedAlert,
  sendAlert,
} from '@quipu/core/operator'
import { logAlert, type Logger } from '../log/log.ts'
import { type NamedLoop, namedLoop } from '../process/named-loop.ts'
import { pollingLoop } from '../process/polling-loop.ts'

/** The ports of `alertRelay`. */
export type AlertRelayPorts = {
  readonly log: Logger
  readonly ids: Ids
  readonly now: Clock
  readonly monotonic: Monotonic
}

/** The ports of its loops. */
export type AlertLoopPorts = {
  readonly alerts: OperatorAlertStore
  /** Posts to the operator's gateway. Never throws. */
  readonly send: (message: AlertMessage) => Promise<NoticeResult>
  readonly timer: Timer
  readonly random: RandomBytes
}

/** The alerts of one process, on their way to the log, the outbox and the gateway. */
export type AlertRelay = {
  readonly raiseAlert: RaiseAlert
  /** Without a gateway there are none: alerts are lines of the log. */
  loops(ports: AlertLoopPorts, settings: { readonly repeatSeconds: number }): readonly NamedLoop[]
}

const pollMs = 1_000
/** An alert that is not recorded in this time is sent by this process. */
const recordWithinMs = 3_000
/** Alerts that wait to be recorded; further ones are in the log alone. */
const pendingMax = 1_000
/** Sends of this process between two attempts to record. */
const directMax = 10

type Pending = { readonly alert: RecordedAlert; readonly attempts: number; readonly nextTryAt: number }

/**
 * Takes the alerts that a process raises: each is a line of the log, and a row of the outbox, which the loop
 * `operator_alerts` of any process sends. While the database does not take it, this process sends it itself, under the
 * same id, so that the gateway drops the double.
 *
 * @param isOn  whether a gateway is set
 */
export function alertRelay({ log, ids, now, monotonic }: AlertRelayPorts, isOn: boolean): AlertRelay {
  const pending = new Map<string, Pending>()
  const write = logAlert(log)
  return {
    raiseAlert(alert) {
      write(alert)
      if (!isOn || pending.size >= pendingMax) return
      const raisedAt = now()
      const id = ids.next('alt', raisedAt)
      pending.set(id, { alert: { ...alert, id, raisedAt, isSent: false }, attempts: 0, nextTryAt: 0 })
    },
    loops(ports, settings) {
      if (!isOn) return []
      const record = recordLoop(ports, { pending, log, monotonic })
      const refused = ({ id, code }: AlertMessage, detail: string): void =>
        log.error({ alert_id: id, code, detail }, 'the gateway can never send an alert; the log alone has it')
      const send = sendAlert({ ...ports, refused }, settings)
      return [namedLoop('alert_records', record), namedLoop('operator_alerts', outboxLoop(send, ports.timer, log))]
    },
  }
}

type Relay = { readonly pending: Map<string, Pending>; readonly log: Logger; readonly monotonic: Monotonic }

function recordLoop({ alerts, send, timer, random }: AlertLoopPorts, { pending, log, monotonic }: Relay) {
  const isRecorded = (waiting: readonly Pending[]): Promise<boolean | undefined> => {
    const written = alerts.record(waiting.map(({ alert }) => alert)).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof Unavailable)) log.error({ err: error }, 'recording an alert failed; retrying')
        return false
      },
    )
    return withTimeout(timer, recordWithinMs, written)
  }
  const sendItself = async ({ alert, attempts }: Pending): Promise<void> => {
    const { isSent: _, ...raised } = alert
    const result = await send({ ...raised, status: 'raised', sequence: 0, endedAt: null, further: 0 })
    const [jitter = 0] = random(1)
    const nextTryAt = monotonic() + retryDelayMs(noticeRetryPolicy, attempts + 1, jitter / 256)
    const isSent = result.type !== 'failed'
    pending.set(alert.id, { alert: { ...alert, isSent }, attempts: attempts + 1, nextTryAt })
    if (result.type === 'failed') log.warn({ alert_id: alert.id, detail: result.detail }, notAcceptedText)
  }
  return pollingLoop(async () => {
    const waiting = [...pending.values()]
    if (waiting.length === 0) return pollMs
    if ((await isRecorded(waiting)) === true) {
      for (const { alert } of waiting) pending.delete(alert.id)
      return 0
    }
    const due = waiting.filter(({ alert, nextTryAt }) => !alert.isSent && nextTryAt <= monotonic())
    for (const each of due.slice(0, directMax)) await sendItself(each)
    return pollMs
  }, timer)
}

const notAcceptedText = 'the gateway did not accept an alert; it is sent again'

const outboxLoop = (send: () => Promise<HandOverResult<AlertMessage>>, timer: Timer, log: Logger) =>
  pollingLoop(async () => {
    try {
      const result = await send()
      if (result.type === 'idle') return pollMs
      const { id, code, status } = result.message
      const about = { alert_id: id, code, status }
      if (result.type === 'accepted') log.info(about, 'the gateway accepted an alert')
      if (result.type === 'failed') log.warn({ ...about, detail: result.detail }, notAcceptedText)
      return result.type === 'failed' ? pollMs : 0
    } catch (error) {
      if (!(error instanceof Unavailable)) log.error({ err: error }, 'sending alerts failed; retrying')
      return pollMs
    }
  }, timer)
