import type { SettingIssue } from '@quipu/runtime'
import { z } from 'zod'

/** Whether the sender of webhooks accepts the URL: it refuses what URL parsers differ about. */
const isSent = (url: string): boolean => !/^[^/]*\/\/[^/?#]*@|[#\\\s]/.test(url)

/** How the worker notifies tenants' technical contacts. */
export const noticeSettings = {
  TENANT_NOTICE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
    .refine(isSent, 'must have no user name, fragment or spaces')
    .optional()
    .describe(
      'Mail gateway that receives notices to tenants’ technical contacts. Without it each notice is a line of the log.',
    ),
  TENANT_NOTICE_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters: openssl rand -hex 32')
    .optional()
    .describe('Signs the notices to TENANT_NOTICE_URL. Required with it.'),
}

/** Refuses a gateway without a secret. */
export const noticeIssues = (settings: {
  readonly TENANT_NOTICE_URL?: unknown
  readonly TENANT_NOTICE_SECRET?: unknown
}): readonly SettingIssue[] =>
  settings.TENANT_NOTICE_URL !== undefined && settings.TENANT_NOTICE_SECRET === undefined
    ? [{ variable: 'TENANT_NOTICE_SECRET', message: 'is required with TENANT_NOTICE_URL: openssl rand -hex 32' }]
    : []
