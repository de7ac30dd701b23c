import { type Finding, ok, warn } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** Whether a gateway brings alerts to people. Alertmanager may do it instead: no process knows of it. */
export function gatewayFinding({ OPERATOR_ALERT_URL: url, ENVIRONMENT }: Partial<ReadSettings>): Finding {
  const check = 'alerts.gateway'
  if (url !== undefined) return ok(check, `alerts are sent to ${new URL(url).host}`)
  const detail = 'OPERATOR_ALERT_URL is not set: alerts are lines of the log alone'
  return ENVIRONMENT === 'production'
    ? warn(check, detail, 'Set it, or let Alertmanager notify people: docs/operations/alerts.md#the-gateway.')
    : ok(check, detail)
}
