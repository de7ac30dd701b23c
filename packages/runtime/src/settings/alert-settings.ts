import { defaultAlertRepeatSeconds } from '@quipu/core/operator'
import { z } from 'zod'
import { issueIf, type SettingIssue, whole } from './settings.ts'

/** Whether the sender of webhooks accepts the URL: it refuses what URL parsers differ about. */
const isSent = (url: string): boolean => !/^[^/]*\/\/[^/?#]*@|[#\\\s]/.test(url)

/** The URL of a gateway of the operator's. Its address may be private. */
export const gatewayUrl: z.ZodURL = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
  .refine(isSent, 'must have no user name, fragment or spaces')

/** The key of the signatures of messages to a gateway. */
export const gatewaySecret: z.ZodString = z.string().min(32, 'must have at least 32 characters: openssl rand -hex 32')

/** How API and worker notify the operator's people. */
export const alertSettings = {
  OPERATOR_ALERT_URL: gatewayUrl
    .optional()
    .describe(
      'Gateway that receives alerts, their ends and the daily digest, and passes them to people. Without it each alert is a line of the log alone.',
    ),
  OPERATOR_ALERT_SECRET: gatewaySecret
    .optional()
    .describe('Signs the messages to OPERATOR_ALERT_URL, as webhooks are. Required with it.'),
  OPERATOR_RUNBOOK_URL: gatewayUrl
    .optional()
    .describe(
      'Address of your copy of docs/operations/alerts.md, to which alerts link. Required with OPERATOR_ALERT_URL.',
    ),
  OPERATOR_ALERT_REPEAT_SECONDS: whole(60, 86_400)
    .default(defaultAlertRepeatSeconds)
    .describe('Seconds between two messages about an alert that lasts.'),
}

/** Refuses a gateway without a secret or runbooks. @param settings  before or after they are parsed */
export function alertIssues({
  OPERATOR_ALERT_URL: url,
  OPERATOR_ALERT_SECRET: secret,
  OPERATOR_RUNBOOK_URL: runbooks,
}: { readonly [Name in keyof typeof alertSettings]?: unknown }): readonly SettingIssue[] {
  if (url === undefined) return []
  const rule = 'is required with OPERATOR_ALERT_URL:'
  return [
    ...issueIf(secret === undefined, 'OPERATOR_ALERT_SECRET', `${rule} openssl rand -hex 32`),
    ...issueIf(
      runbooks === undefined,
      'OPERATOR_RUNBOOK_URL',
      `${rule} the address of your copy of docs/operations/alerts.md`,
    ),
  ]
}

/** The gateway of alerts, and what its messages say of the installation. */
export type AlertGateway = {
  readonly name: string
  readonly url: string
  readonly secret: string
  readonly headerPrefix: string
  readonly installation: {
    readonly environment: 'sandbox' | 'production'
    readonly cell: string | null
    readonly runbookUrl: string
  }
}

/** The gateway that the settings name; undefined without one. */
export function alertGatewayOf(settings: {
  readonly OPERATOR_ALERT_URL?: string | undefined
  readonly OPERATOR_ALERT_SECRET?: string | undefined
  readonly OPERATOR_RUNBOOK_URL?: string | undefined
  readonly WEBHOOK_HEADER_PREFIX: string
  readonly ENVIRONMENT: 'sandbox' | 'production'
  readonly CELL?: string | undefined
}): AlertGateway | undefined {
  const { OPERATOR_ALERT_URL: url, OPERATOR_ALERT_SECRET: secret, OPERATOR_RUNBOOK_URL: runbookUrl } = settings
  if (url === undefined || secret === undefined || runbookUrl === undefined) return undefined
  const installation = { environment: settings.ENVIRONMENT, cell: settings.CELL ?? null, runbookUrl }
  return { name: 'the gateway of alerts', url, secret, headerPrefix: settings.WEBHOOK_HEADER_PREFIX, installation }
}
