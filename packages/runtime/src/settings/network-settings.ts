import { type Bob, defaultResumeSettings, parseMoney } from '@quipu/core'
import { z } from 'zod'
import { isRefused, type ProductionSettings, unlessOverridden } from './production-settings.ts'
import { flag, headerSecret, type SettingIssue, whole } from './settings.ts'

const webUrl = (what: string): z.ZodURL =>
  z.url({ protocol: /^https?$/, error: `is required: the http(s) URL of ${what}` })
const digits = (min: number, max: number): z.ZodString =>
  z.string().regex(new RegExp(`^\\d{${min},${max}}$`), `must be ${min} to ${max} digits`)
const path = (fallback: string): z.ZodDefault<z.ZodString> =>
  z
    .string()
    .regex(/^[\w/.~-]{1,255}$/, 'must be the path of a URL, without a query')
    .default(fallback)

/** The variables of the QR network that API, worker and doctor share. */
export const networkSettings = {
  QR_NETWORK: z
    .enum(['http', 'openhub'], 'must be http or openhub')
    .default('http')
    .describe(
      'The QR network: `http` speaks the contract of `@quipu/qr-network`, `openhub` is OpenHub of ATC, which production refuses without an override.',
    ),
  QR_NETWORK_URL: webUrl('the QR network').optional().describe('URL of the QR network; required with `http`.'),
  QR_NETWORK_IDENTITY: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without blanks')
    .optional()
    .describe(
      'Which QR network and account it is, equal in all processes; default: `QR_NETWORK_URL`, or the URL and a digest of the account at OpenHub. Set it where processes reach one network by several URLs. Another one than the database knows halts payments.',
    ),
  NETWORK_CATCH_UP_PER_SECOND: whole(1, 1000)
    .default(defaultResumeSettings.catchUpPerSecond)
    .describe(
      'Payouts a second that all processes together query at the network when it answers again after an outage.',
    ),
  QR_NETWORK_TOKEN: headerSecret().optional().describe('Bearer token for the QR network; required with `http`.'),
  OPENHUB_URL: webUrl('OpenHub').optional().describe('Base URL of OpenHub; only it says whether it is a sandbox.'),
  OPENHUB_CLIENT_ID: headerSecret().optional().describe('Client id of the App at OpenHub.'),
  OPENHUB_CLIENT_SECRET: z.string().optional().describe('Client secret of the App at OpenHub.'),
  OPENHUB_BASIC_TOKEN: headerSecret()
    .optional()
    .describe('The value after `Basic`, where ATC gives it in place of a client secret.'),
  OPENHUB_NIT: digits(7, 20).optional().describe('NIT that the account at OpenHub belongs to.'),
  OPENHUB_SOURCE_ACCOUNT: digits(8, 20).optional().describe('Account at OpenHub that pays.'),
  OPENHUB_QR_PATH: path('payout/sync/v3/qr').describe('Path of the QR payouts below `OPENHUB_URL`.'),
  OPENHUB_ACCOUNTS_PATH: path('cuentas-comercios/v1/cuentas').describe('Path of the accounts below `OPENHUB_URL`.'),
  OPENHUB_TOKEN_PATH: path('oauth-client-credentials/access-token').describe('Path of the token below `OPENHUB_URL`.'),
  OPENHUB_SCAN_TIMEOUT_MS: whole(1_000, 120_000).default(40_000).describe('Deadline of reading a QR at OpenHub.'),
  OPENHUB_CONFIRM_TIMEOUT_MS: whole(1_000, 300_000).default(90_000).describe('Deadline of an order at OpenHub.'),
  OPENHUB_GLOSA_MAX: whole(1, 255).default(100).describe('Longest description sent to OpenHub, in characters.'),
  OPENHUB_QR_OPERATIONS: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.string().min(1, 'must be names, separated by commas')))
    .optional()
    .describe(
      'The `tipoOperacion` of QR payouts in the debits, by commas; required in production. Others without the id of a payout are left out of the statement.',
    ),
  OPENHUB_GATEWAY_REFUSAL_IS_NOT_SENT: flag.describe(
    'Whether an order answered 401, 403 or 404 by the gateway never arrived. Only by the word of ATC.',
  ),
  OPENHUB_UNPAID_AFTER_SECONDS: whole(3_600, 2_592_000)
    .optional()
    .describe(
      'Seconds after which absence from the debits proves that an order was not paid. Only by the written word of ATC; unset, two people settle it.',
    ),
  OPENHUB_PAYMENT_CAP_BOB: z
    .string()
    .refine((text) => parseMoney('BOB', text) !== undefined, 'must be an amount of BOB such as 500.00')
    .transform((text): Bob | undefined => parseMoney('BOB', text))
    .optional()
    .describe(
      'Largest order that OpenHub gets, in BOB; required in production. A larger one ends `AMOUNT_EXCEEDS_PROVIDER_LIMIT`.',
    ),
}

type NetworkSettings = {
  readonly [Name in keyof typeof networkSettings]?: z.output<(typeof networkSettings)[Name]> | undefined
}

const secrets = ['OPENHUB_CLIENT_SECRET', 'OPENHUB_BASIC_TOKEN'] as const

/** Reports the variables that the chosen network needs and lacks, and those that production refuses. */
export function* networkIssues(
  settings: { readonly [Name in keyof NetworkSettings]?: unknown } & ProductionSettings & {
      readonly QR_NETWORK_CALLBACK_SECRET?: unknown
    },
): Generator<SettingIssue> {
  if ((settings.QR_NETWORK ?? 'http') === 'http') {
    const required = {
      QR_NETWORK_URL: 'the http(s) URL of the QR network',
      QR_NETWORK_TOKEN: 'the bearer token for the QR network',
    }
    yield* missing(settings, required, 'is required')
    return
  }
  const required = {
    OPENHUB_URL: 'the http(s) URL of OpenHub',
    OPENHUB_CLIENT_ID: 'the client id of the App',
    OPENHUB_NIT: 'the NIT of the account',
    OPENHUB_SOURCE_ACCOUNT: 'the account that pays',
  }
  yield* missing(settings, required, 'is required with QR_NETWORK=openhub')
  const given = secrets.filter((name) => settings[name] !== undefined)
  if (given.length !== 1)
    yield { variable: secrets[0], message: 'is required with QR_NETWORK=openhub, or OPENHUB_BASIC_TOKEN in its place' }
  if (settings.QR_NETWORK_CALLBACK_SECRET !== undefined)
    yield {
      variable: 'QR_NETWORK_CALLBACK_SECRET',
      message: 'must be unset with QR_NETWORK=openhub, which does not call back',
    }
  if (isRefused(settings, 'unverified-openhub'))
    yield { variable: 'QR_NETWORK', message: `must not be openhub ${unlessOverridden('unverified-openhub')}` }
  if (settings.ENVIRONMENT !== 'production') return
  const inProduction = {
    OPENHUB_QR_OPERATIONS: 'the tipoOperacion of QR payouts in the debits',
    OPENHUB_PAYMENT_CAP_BOB: 'the largest order in BOB',
  }
  yield* missing(settings, inProduction, 'is required in production with QR_NETWORK=openhub')
}

function* missing(
  settings: { readonly [Name in keyof NetworkSettings]?: unknown },
  required: Partial<Readonly<Record<keyof NetworkSettings, string>>>,
  rule: string,
): Generator<SettingIssue> {
  for (const [variable, what] of Object.entries(required))
    if (settings[variable as keyof NetworkSettings] === undefined) yield { variable, message: `${rule}: ${what}` }
}

/** The options of the adapter that these settings choose; a check has found that none is missing. */
export type NetworkChoice =
  | {
      readonly type: 'http'
      readonly options: { readonly url: string; readonly token: string; readonly identity: string | undefined }
    }
  | { readonly type: 'openhub'; readonly options: OpenHubChoice }

type OpenHubChoice = {
  readonly url: string
  readonly identity: string | undefined
  readonly credentials: { readonly clientId: string } & (
    | { readonly clientSecret: string }
    | { readonly basicToken: string }
  )
  readonly nit: string
  readonly sourceAccount: string
  readonly qrPath: string | undefined
  readonly accountsPath: string | undefined
  readonly tokenPath: string | undefined
  readonly scanTimeoutMs: number | undefined
  readonly confirmTimeoutMs: number | undefined
  readonly descriptionMax: number | undefined
  readonly qrOperations: readonly string[] | undefined
  readonly isGatewayRefusalNotSent: boolean | undefined
  readonly unpaidAfterSeconds: number | undefined
  readonly paymentCap: Bob | undefined
}

/** @returns undefined when a variable of the chosen network is missing: another check names it */
export function networkChoice(settings: NetworkSettings): NetworkChoice | undefined {
  const { QR_NETWORK_IDENTITY: identity } = settings
  if (settings.QR_NETWORK === 'http') {
    const { QR_NETWORK_URL: url, QR_NETWORK_TOKEN: token } = settings
    return url === undefined || token === undefined ? undefined : { type: 'http', options: { url, token, identity } }
  }
  const {
    OPENHUB_URL: url,
    OPENHUB_CLIENT_ID: clientId,
    OPENHUB_NIT: nit,
    OPENHUB_SOURCE_ACCOUNT: sourceAccount,
  } = settings
  const { OPENHUB_CLIENT_SECRET: clientSecret, OPENHUB_BASIC_TOKEN: basicToken } = settings
  const secret = clientSecret !== undefined ? { clientSecret } : basicToken !== undefined ? { basicToken } : undefined
  if (url === undefined || clientId === undefined || nit === undefined || sourceAccount === undefined || !secret)
    return undefined
  return {
    type: 'openhub',
    options: {
      url,
      identity,
      credentials: Object.assign({ clientId }, secret),
      nit,
      sourceAccount,
      qrPath: settings.OPENHUB_QR_PATH,
      accountsPath: settings.OPENHUB_ACCOUNTS_PATH,
      tokenPath: settings.OPENHUB_TOKEN_PATH,
      scanTimeoutMs: settings.OPENHUB_SCAN_TIMEOUT_MS,
      confirmTimeoutMs: settings.OPENHUB_CONFIRM_TIMEOUT_MS,
      descriptionMax: settings.OPENHUB_GLOSA_MAX,
      qrOperations: settings.OPENHUB_QR_OPERATIONS,
      isGatewayRefusalNotSent: settings.OPENHUB_GATEWAY_REFUSAL_IS_NOT_SENT,
      unpaidAfterSeconds: settings.OPENHUB_UNPAID_AFTER_SECONDS,
      paymentCap: settings.OPENHUB_PAYMENT_CAP_BOB,
    },
  }
}

/** The chosen network of settings that a program has started with. */
export function chosenNetwork(settings: NetworkSettings): NetworkChoice {
  const choice = networkChoice(settings)
  if (!choice) throw new TypeError('the settings of the QR network were not checked')
  return choice
}
