import { defaultScreenSettings, type RaiseAlert } from '@quipu/core'
import { z } from 'zod'
import type { Logger } from '../log/log.ts'
import { headerSecret, issueIf, type SettingIssue, whole } from './settings.ts'

/** The variables of every host that screens. */
export const screeningSettings = {
  SCREENING_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path of a list of addresses and names; senders, merchants and tenants are screened with it. Read again when it changes.',
    ),
  SCREENING_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .optional()
    .describe('URL of a screening provider, in place of `SCREENING_FILE`.'),
  SCREENING_TOKEN: headerSecret().optional().describe('Bearer token for `SCREENING_URL`.'),
  SCREENING_TIMEOUT_MS: whole(50, 10_000)
    .default(2_000)
    .describe('How long the provider may take; a later answer is none, and nothing passes.'),
  SCREENING_CLEAR_SECONDS: whole(1, 86_400)
    .default(defaultScreenSettings.clearSeconds)
    .describe(
      'How long a clear answer of the provider serves the same subject, and a decision of two people without a look at its case.',
    ),
}

type ScreeningSettings = {
  readonly SCREENING_FILE?: string | undefined
  readonly SCREENING_URL?: string | undefined
  readonly SCREENING_TOKEN?: string | undefined
  readonly SCREENING_TIMEOUT_MS?: number
}

/** Refuses two sources, and a token without a provider. */
export const screeningIssues = ({
  SCREENING_FILE: file,
  SCREENING_URL: url,
  SCREENING_TOKEN: token,
}: ScreeningSettings): readonly SettingIssue[] => [
  ...issueIf(file !== undefined && url !== undefined, 'SCREENING_URL', 'must not be set together with SCREENING_FILE'),
  ...issueIf(token !== undefined && url === undefined, 'SCREENING_TOKEN', 'needs SCREENING_URL'),
]

/** The options of `openScreening`, which reports each new list, and alerts one that is refused. */
export const screeningOptions = (
  settings: ScreeningSettings & { readonly SCREENING_TIMEOUT_MS: number },
  log: Logger,
  raiseAlert: RaiseAlert,
) => ({
  file: settings.SCREENING_FILE,
  url: settings.SCREENING_URL,
  token: settings.SCREENING_TOKEN,
  timeoutMs: settings.SCREENING_TIMEOUT_MS,
  onLoad: (list: { readonly list: string; readonly version: string; readonly entries: number }): void =>
    log.info(list, 'a new screening list is in force'),
  onRefused: (detail: string): void =>
    raiseAlert({ code: 'SCREENING_LIST_REFUSED', tenantId: null, subject: settings.SCREENING_FILE ?? '', detail }),
})
