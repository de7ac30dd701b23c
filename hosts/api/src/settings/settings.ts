import { defaultPayoutSettings, quoteLifeSeconds } from '@quipu/core'
import { attemptTimeoutSeconds } from '@quipu/core/adapter'
import { defaultPricing } from '@quipu/core/operator'
import {
  alertIssues,
  alertSettings,
  auditSettings,
  commonSettings,
  issueIf,
  networkIssues,
  networkSettings,
  productionSettings,
  reconciliationSettings,
  replicaSettings,
  screeningIssues,
  screeningSettings,
  type SettingIssue,
  standbyIssues,
  tracingSettings,
  webhookIssues,
  webhookSettings,
  whole,
} from '@quipu/runtime'
import { z } from 'zod'
import { exposureIssues, exposureSettings } from './exposure-settings.ts'
import { faultSettings } from './fault-settings.ts'
import { fundingIssues, fundingSettings } from './funding-settings.ts'
import { proposalSettings } from './proposal-settings.ts'
import { apiProductionIssues } from './production-settings.ts'
import { rateIssues, rateSettings } from './rate-settings.ts'
import { signInIssues, signInSettings } from './sign-in-settings.ts'
import { sweepIssues, sweepSettings } from './sweep-settings.ts'
import { webhookSources } from './webhook-source-setting.ts'

export { httpRateSources, rateSource } from './rate-settings.ts'
export { faultLimits } from './fault-settings.ts'

/** Requests a second: per tenant in each environment, and with unknown keys per source address. */
export const defaultRateLimits = { production: 100, sandbox: 25, failedKeys: 10 } as const
const defaultPerTenant = `Default ${defaultRateLimits.production} in production, ${defaultRateLimits.sandbox} in the sandbox.`

const limitRule = 'must be off or a whole number from 1 to 100000'
const limit = z.union([z.literal('off'), z.coerce.number(limitRule).int().min(1).max(100_000)]).optional()

const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((url) => url.replace(/\/+$/, ''))
  .optional()

const app = {
  ENVIRONMENT: z
    .enum(['sandbox', 'production'], 'must be sandbox or production')
    .default('sandbox')
    .describe('Production has no sandbox routes and refuses sandbox QRs.'),
  QUOTE_LIFE_SECONDS: whole(quoteLifeSeconds.min, quoteLifeSeconds.max)
    .default(quoteLifeSeconds.default)
    .describe('How long a quote is valid.'),
  ANSWER_WITHIN_MS: whole(1_000, 120_000)
    .default(defaultPayoutSettings.answerWithinMs)
    .describe(
      `Deadline of every request. A QR is read, and a payment awaited, for 39/40 of it; a payout is then answered as \`processing\`. With webhooks it is above ${attemptTimeoutSeconds} s.`,
    ),
  REQUEST_LEASE_SECONDS: whole(3, 300)
    .default(defaultPayoutSettings.leaseSeconds)
    .describe('Lease of a request on its payout; the request renews it after a third of this time.'),
  RESOLUTION_FRESH_SECONDS: whole(0, 3_600)
    .default(defaultPayoutSettings.resolutionFreshSeconds)
    .describe('How long a resolution is reused for a payment instead of reading the QR again.'),
  DEFAULT_DESCRIPTION: z
    .string()
    .max(60, 'must be at most 60 characters')
    .default(defaultPayoutSettings.defaultDescription)
    .describe('Description of a payment when neither the QR nor the request has one.'),
  DEFAULT_MARGIN_BPS: whole(0, 5_000)
    .default(defaultPricing.marginBps)
    .describe('The margin of a tenant that is created without one, in basis points off the bid.'),
  RATE_LIMIT_READS: limit.describe(`GET requests a second per tenant, or off. ${defaultPerTenant}`),
  RATE_LIMIT_WRITES: limit.describe(`Other requests a second per tenant, or off. ${defaultPerTenant}`),
  RATE_LIMIT_FAILED_KEYS: limit.describe(
    `Requests a second with an unknown key or token per source address, or off. Default ${defaultRateLimits.failedKeys}. Valid keys are not limited.`,
  ),
  RATE_LIMIT_IPV6_PREFIX: whole(1, 128)
    .default(64)
    .describe('IPv6 addresses with a common prefix of this many bits count as one source address.'),
  TRUSTED_PROXIES: whole(0, 10)
    .default(0)
    .describe('Number of proxies in front of the API whose X-Forwarded-For is trusted.'),
  DEPOSIT_MINIMUM: fundingSettings.DEPOSIT_MINIMUM,
  DEPOSIT_AUTO_LIMIT: fundingSettings.DEPOSIT_AUTO_LIMIT,
  FAUCET_SHARED_LIMIT: fundingSettings.FAUCET_SHARED_LIMIT,
  WEBHOOK_HEADER_PREFIX: webhookSettings.WEBHOOK_HEADER_PREFIX,
  WEBHOOK_ATTEMPTS: webhookSettings.WEBHOOK_ATTEMPTS,
  WEBHOOK_MAX_DELAY_SECONDS: webhookSettings.WEBHOOK_MAX_DELAY_SECONDS,
  WEBHOOK_SOURCE_ADDRESSES: webhookSources,
  EXAMPLE_URL: webUrl.describe('URL of the example server, without /v1; the page at /docs can send requests to it.'),
  DOCS_URL: webUrl.describe(
    'URL of the page at /docs as tenants reach it. Set, every error has a doc_url that links to the part about its code.',
  ),
  OPERATOR_DOCS_URL: webUrl.describe(
    'URL of the page at /docs of the operator listener. Set, every error of the operator API has a doc_url.',
  ),
  ...proposalSettings,
  ...signInSettings,
  ...faultSettings,
  ...auditSettings,
  ...reconciliationSettings,
  ...exposureSettings,
  SCREENING_CLEAR_SECONDS: screeningSettings.SCREENING_CLEAR_SECONDS,
  NETWORK_CATCH_UP_PER_SECOND: networkSettings.NETWORK_CATCH_UP_PER_SECOND,
}

const host = {
  ...commonSettings,
  ...alertSettings,
  ...networkSettings,
  ...replicaSettings,
  HOST: z.string().default('127.0.0.1').describe('Address that the public listener binds.'),
  PORT: whole(0, 65_535).default(4000).describe('Port of the public listener; 0 picks a free one.'),
  OPERATOR_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the operator listener binds; the public must not reach it.'),
  OPERATOR_PORT: whole(0, 65_535).default(4001).describe('Port of the operator listener; 0 picks a free one.'),
  QR_NETWORK_CALLBACK_SECRET: z
    .string()
    .optional()
    .describe("Key of the signatures of the network's callbacks; without it every callback is refused."),
  OPENHUB_SANDBOX_QR_URL: webUrl.describe(
    'URL that issues test QRs for the sandbox routes with `QR_NETWORK=openhub`: the admin port of the simulator.',
  ),
  DRAIN_SECONDS: whole(0, 600)
    .default(5)
    .describe(
      'How long a stop answers /readyz with 503 and serves on, before the ports close. Longer than load balancers take to see it.',
    ),
  STOP_WITHIN_MS: whole(0, 600_000)
    .default(30_000)
    .describe('How long a stop then waits for running requests and payments.'),
}

/** The settings that `createApp` needs, whatever its ports are. */
export const AppSettings = z.object(app)
export type AppSettings = z.output<typeof AppSettings>

/** The environment variables of the API. */
export const ApiSettings = z
  .object({
    ...host,
    ...app,
    ...rateSettings,
    ...screeningSettings,
    ...fundingSettings,
    ...sweepSettings,
    ...tracingSettings,
    ...webhookSettings,
    ...productionSettings,
  })
  .superRefine(
    (settings, context) => {
      const issues = [
        ...standbyIssues(settings),
        ...networkIssues(settings),
        ...rateIssues(settings),
        ...screeningIssues(settings),
        ...fundingIssues(settings),
        ...sweepIssues(settings),
        ...exposureIssues(settings),
        ...webhookIssues(settings),
        ...answerIssues(settings),
        ...alertIssues(settings),
        ...signInIssues(settings),
        ...apiProductionIssues(settings),
      ]
      for (const { variable, message } of issues) {
        context.addIssue({ code: 'custom', path: [variable], message })
      }
    },
    { when: () => true }, // Also after other issues, so that one start reports them all.
  )
export type ApiSettings = z.output<typeof ApiSettings>

/** A test event awaits its receiver within the request. */
const answerIssues = (settings: AppSettings & { readonly WEBHOOK_SECRET_KEY?: unknown }): readonly SettingIssue[] =>
  issueIf(
    settings.WEBHOOK_SECRET_KEY !== undefined && settings.ANSWER_WITHIN_MS <= attemptTimeoutSeconds * 1000,
    'ANSWER_WITHIN_MS',
    `must be above ${attemptTimeoutSeconds} s with WEBHOOK_SECRET_KEY: a test event awaits its receiver that long`,
  )
