import { defaultResumeSettings, type KeyRing } from '@quipu/core'
import { defaultLedgerCheckSeconds } from '@quipu/core/operator'
import {
  alertIssues,
  alertSettings,
  auditSettings,
  commonSettings,
  flag,
  networkIssues,
  networkSettings,
  processFaultSettings,
  productionIssues,
  productionSettings,
  type SettingIssue,
  screeningIssues,
  screeningSettings,
  standbyIssues,
  tracingSettings,
  tronIssues,
  tronSettings,
  webhookIssues,
  webhookSettings,
  whole,
  type WithTron,
} from '@quipu/runtime'
import { genesisBlockIds } from '@quipu/tron'
import { z } from 'zod'
import { checkSettings, liquidityIssues } from './check-settings.ts'
import { digestSettings } from './digest-settings.ts'
import { deliverySettings } from './delivery-settings.ts'
import { listenerSettings } from './listener-settings.ts'
import { noticeIssues, noticeSettings } from './notice-settings.ts'
import { dustIssues, scanSettings, verifierIssues } from './scan-settings.ts'

/** The worker's environment variables. */
export const WorkerSettings = z
  .object({
    ...commonSettings,
    ...networkSettings,
    ...tronSettings,
    ...scanSettings,
    ...webhookSettings,
    ...deliverySettings,
    ...auditSettings,
    ...screeningSettings,
    ...checkSettings,
    ...noticeSettings,
    ...alertSettings,
    ...digestSettings,
    ...listenerSettings,
    ...processFaultSettings,
    ...tracingSettings,
    ...productionSettings,
    ENVIRONMENT: z
      .enum(['sandbox', 'production'], 'must be sandbox or production')
      .default('sandbox')
      .describe('A sandbox never watches the real chain, and production never a test chain.'),
    WORKER_CONCURRENCY: whole(1, 1000)
      .default(16)
      .describe('Payouts that this process settles concurrently; the same number of deposits and of faucet sends.'),
    LEDGER_CHECK_SECONDS: whole(1, 3600)
      .default(defaultLedgerCheckSeconds)
      .describe(
        'Seconds after which each wallet is compared with its postings again, and the credits of a day with the chain. LEDGER_UNCHECKED_SECONDS must be well above it.',
      ),
    WORKER_IDLE_MS: whole(10, 60_000).default(250).describe('Pause in milliseconds when nothing is due.'),
    PAYOUT_LEASE_SECONDS: whole(3, 300)
      .default(defaultResumeSettings.leaseSeconds)
      .describe('How long a payout stays leased to a worker that has stopped responding.'),
    STOP_WITHIN_MS: whole(0, 600_000)
      .default(30_000)
      .describe('How long a stop waits for claimed items; a status call may take 2/3 of PAYOUT_LEASE_SECONDS.'),
    SQS_QUEUE_URL: z
      .url('must be the URL of a standard queue')
      .optional()
      .describe('Queue that wakes workers for deliveries; without it they poll the database.'),
    SQS_DEAD_LETTER_URL: z
      .url('must be the URL of the dead-letter queue of SQS_QUEUE_URL')
      .optional()
      .describe('Queue of messages that were received too often; the worker raises an alert when it has some.'),
    SQS_ENDPOINT: z
      .url('must be a URL')
      .optional()
      .describe('URL of an SQS that is not at AWS. The AWS SDK finds region and credentials.'),
    SQS_FAIR_QUEUES: flag.describe('Sends the tenant as the message group, for queues with fairness between groups.'),
  })
  .superRefine(
    (settings, context) => {
      const issues = [
        ...standbyIssues(settings),
        ...networkIssues(settings),
        ...tronIssues(settings, genesisBlockIds.mainnet),
        ...verifierIssues(settings),
        ...dustIssues(settings),
        ...screeningIssues(settings),
        ...webhookIssues(settings),
        ...productionIssues(settings),
        ...checkpointIssues(settings),
        ...liquidityIssues(settings),
        ...noticeIssues(settings),
        ...alertIssues(settings),
      ]
      for (const { variable, message } of issues) context.addIssue({ code: 'custom', path: [variable], message })
    },
    { when: () => true }, // One run reports these and all other issues.
  )
export type WorkerSettings = z.output<typeof WorkerSettings>

/** Checkpoints are log lines of the level `info`. */
const checkpointIssues = (settings: {
  readonly AUDIT_CHECKPOINT_KEY?: Uint8Array | undefined
  readonly LOG_LEVEL?: string
}): readonly SettingIssue[] =>
  settings.AUDIT_CHECKPOINT_KEY !== undefined &&
  ['warn', 'error', 'fatal', 'silent'].includes(settings.LOG_LEVEL ?? 'info')
    ? [{ variable: 'LOG_LEVEL', message: 'must write info lines for AUDIT_CHECKPOINT_KEY' }]
    : []

/** Settings of a worker that watches a chain. */
export type TronWorkerSettings = WithTron<WorkerSettings>

/** Settings of a worker that sends webhooks. */
export type WebhookWorkerSettings = WorkerSettings & { readonly WEBHOOK_SECRET_KEY: KeyRing }

export const sendsWebhooks = (settings: WorkerSettings): settings is WebhookWorkerSettings =>
  settings.WEBHOOK_DELIVERY === 'on' && settings.WEBHOOK_SECRET_KEY !== undefined

/** Settings of a worker that a queue wakes. */
export type QueueWorkerSettings = WebhookWorkerSettings & { readonly SQS_QUEUE_URL: string }

export const usesQueue = <Settings extends WorkerSettings>(
  settings: Settings,
): settings is Settings & { readonly SQS_QUEUE_URL: string } => settings.SQS_QUEUE_URL !== undefined
