import { defaultPayoutSettings, quoteLifeSeconds } from '@quipu/core'
import {
  commonSettings,
  productionSettings,
  webhookIssues,
  webhookSettings,
  whole,
} from '@quipu/runtime'
import { z } from 'zod'
import { fundingIssues, fundingSettings } from './funding-settings.ts'
import { type OperatorToken, operatorRoles } from '../operator/operator-tokens.ts'
import { apiProductionIssues } from './production-settings.ts'
import { rateIssues, rateSettings } from './rate-settings.ts'

const limitRule = 'must be off or a whole number from 1 to 100000'
const limit = z
  .union([z.literal('off'), z.coerce.number(limitRule).int().min(1).max(100_000)])
  .optional()

const operatorToken = new RegExp(
  `^([A-Za-z0-9._@-]{1,64}):(${operatorRoles.join('|')}):([0-9a-f]{64})$`,
)
const operatorTokensRule = `must be a list of name:role:sha256, separated by commas; the roles are ${operatorRoles.join(', ')}`

const operatorTokens = z
  .string()
  .transform((text) => text.split(',').map((token) => operatorToken.exec(token.trim())))
  .refine((found) => !found.includes(null), operatorTokensRule)
  .transform((found) =>
    found.map((token): OperatorToken => {
      const [, name = '', role = '', hash = ''] = token ?? []
      return { name, role: role as OperatorToken['role'], hash }
    }),
  )

const app = {
  ENVIRONMENT: z
    .enum(['sandbox', 'production'], 'must be sandbox or production')
    .default('sandbox')
    .describe('In production there are no sandbox routes, and sandbox QRs are refused.'),
  QUOTE_LIFE_SECONDS: whole(quoteLifeSeconds.min, quoteLifeSeconds.max)
    .default(quoteLifeSeconds.default)
    .describe('How long a quote can be used.'),
  ANSWER_WITHIN_MS: whole(1_000, 120_000)
    .default(defaultPayoutSettings.answerWithinMs)
    .describe('An answer goes out by then, with `processing` if the network has not answered.'),
  LEASE_SECONDS: whole(3, 300)
    .default(defaultPayoutSettings.leaseSeconds)
    .describe(
      'How long a request owns its payout unless it renews, which it does at a third of it.',
    ),
  RESOLUTION_FRESH_SECONDS: whole(0, 3_600)
    .default(defaultPayoutSettings.resolutionFreshSeconds)
    .describe('How long a resolved QR need not be read again when it is paid.'),
  DEFAULT_DESCRIPTION: z
    .string()
    .max(60, 'must be at most 60 characters')
    .default(defaultPayoutSettings.defaultDescription)
    .describe('Sent with a payment when neither the QR nor the request describes it.'),
  RATE_LIMIT_READS: limit.describe(
    'GET requests a second of each tenant, or off. Default 100 in production, 25 in the sandbox.',
  ),
  RATE_LIMIT_WRITES: limit.describe(
    'Other requests a second of each tenant, or off. Default 100 in production, 25 in the sandbox.',
  ),
  RATE_LIMIT_FAILED_KEYS: limit.describe(
    'Requests a second with an unknown key or token of each source address, or off. Default 10. Good keys pass.',
  ),
  RATE_LIMIT_IPV6_PREFIX: whole(1, 128)
    .default(64)
    .describe('IPv6 addresses that share so many first bits count as one source address.'),
  TRUSTED_PROXIES: whole(0, 10)
    .default(0)
    .describe('How many proxies in front of the API are believed about the source address.'),
  DEPOSIT_MINIMUM: fundingSettings.DEPOSIT_MINIMUM,
  DEPOSIT_AUTO_LIMIT: fundingSettings.DEPOSIT_AUTO_LIMIT,
  FAUCET_SHARED_LIMIT: fundingSettings.FAUCET_SHARED_LIMIT,
  WEBHOOK_HEADER_PREFIX: webhookSettings.WEBHOOK_HEADER_PREFIX,
  EXAMPLE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Of the example server, without /v1: the page at /docs can send requests there too.'),
  OPERATOR_TOKENS: operatorTokens
    .default([])
    .describe('Who may use the operator listener: name:role:sha256-of-the-token, by commas.'),
}

const host = {
  ...commonSettings,
  HOST: z.string().default('127.0.0.1').describe('Address that the public listener binds.'),
  PORT: whole(0, 65_535).default(4000).describe('Port of the public listener; 0 picks a free one.'),
  OPERATOR_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the operator listener binds: one that the public cannot reach.'),
  OPERATOR_PORT: whole(0, 65_535)
    .default(4001)
    .describe('Port of the operator listener; 0 picks a free one.'),
  QR_NETWORK_CALLBACK_SECRET: z
    .string()
    .optional()
    .describe("Signs the network's callbacks; without it every callback is refused."),
  STOP_WITHIN_MS: whole(0, 600_000)
    .default(30_000)
    .describe('How long a stop waits for requests and payments under way.'),
}

/** What the apps need of the environment, whatever they run on. */
export const AppSettings = z.object(app)
export type AppSettings = z.output<typeof AppSettings>

/** The environment variables of the API. */
export const ApiSettings = z
  .object({
    ...host,
    ...app,
    ...rateSettings,
    ...fundingSettings,
    ...webhookSettings,
    ...productionSettings,
  })
  .superRefine(
    (settings, context) => {
      const complaints = [
        ...rateIssues(settings),
        ...fundingIssues(settings),
        ...webhookIssues(settings),
        ...apiProductionIssues(settings),
      ]
      for (const { variable, message } of complaints) {
        context.addIssue({ code: 'custom', path: [variable], message })
      }
    },
    { when: () => true }, // Beside what else is wrong, so that one run tells everything.
  )
export type ApiSettings = z.output<typeof ApiSettings>
