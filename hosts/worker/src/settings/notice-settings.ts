import { gatewaySecret, gatewayUrl, type SettingIssue } from '@quipu/runtime'

/** How the worker notifies tenants' technical contacts. */
export const noticeSettings = {
  TENANT_NOTICE_URL: gatewayUrl
    .optional()
    .describe(
      'Mail gateway that receives notices to tenants’ technical contacts. Without it each notice is a line of the log.',
    ),
  TENANT_NOTICE_SECRET: gatewaySecret.optional().describe('Signs the notices to TENANT_NOTICE_URL. Required with it.'),
}

/** Refuses a gateway without a secret. */
export const noticeIssues = (settings: {
  readonly TENANT_NOTICE_URL?: unknown
  readonly TENANT_NOTICE_SECRET?: unknown
}): readonly SettingIssue[] =>
  settings.TENANT_NOTICE_URL !== undefined && settings.TENANT_NOTICE_SECRET === undefined
    ? [{ variable: 'TENANT_NOTICE_SECRET', message: 'is required with TENANT_NOTICE_URL: openssl rand -hex 32' }]
    : []
