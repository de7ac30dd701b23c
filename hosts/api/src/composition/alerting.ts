import type { Clock, Ids } from '@quipu/core'
import type { OperatorAlertStore } from '@quipu/core/operator'
import { systemMonotonic, systemRandom, systemTimer } from '@quipu/core/system'
import { alertRelay, alertGatewayOf, type Logger, type NamedLoop } from '@quipu/runtime'
import { httpWebhookSender, signedGateway } from '@quipu/webhook-http'
import { alertKey, alertToJson } from '@quipu/wire'
import type { Alerting } from '../ports.ts'
import type { ApiSettings } from '../settings/settings.ts'

/** The alerts of this process, and the loops that send them. */
export type ProcessAlerts = Alerting & {
  readonly loops: (alerts: OperatorAlertStore) => readonly NamedLoop[]
  /** After the loops have stopped. */
  readonly stop: () => Promise<void>
}

/** The operator's gateway may have a private address: its URL is a setting. */
export function processAlerts(
  settings: ApiSettings,
  { log, ids, now }: { readonly log: Logger; readonly ids: Ids; readonly now: Clock },
): ProcessAlerts {
  const gateway = alertGatewayOf(settings)
  const relay = alertRelay({ log, ids, now, monotonic: systemMonotonic }, gateway !== undefined)
  const { raiseAlert } = relay
  if (gateway === undefined) return { raiseAlert, loops: () => [], stop: () => Promise.resolve() }
  const http = httpWebhookSender({ allowPrivate: true, userAgent: 'Quipu-Notices/1' })
  const { attempt, post } = signedGateway(http, gateway, now)
  const ports = { timer: systemTimer, random: systemRandom }
  return {
    raiseAlert,
    attempt,
    loops: (alerts) =>
      relay.loops(
        { ...ports, alerts, send: (message) => post(alertKey(message), alertToJson(message, gateway.installation)) },
        { repeatSeconds: settings.OPERATOR_ALERT_REPEAT_SECONDS },
      ),
    stop: http.stop,
  }
}
