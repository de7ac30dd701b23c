import type { NamedKey } from '@quipu/core'
import { z } from 'zod'
import type { Logger } from '../log/log.ts'
import { standbyChoices } from './database-settings.ts'
import type { SettingIssue } from './settings.ts'

/** Each override of `PRODUCTION_OVERRIDES`, and what it allows in production. */
const allowances = {
  'plain-http': 'http:// URLs of the QR network, the chain, rate sources and the gateways of mails and alerts',
  'fixed-rate': 'RATE_SOURCE=fixed',
  'one-rate-source': 'RATE_SOURCE=http-json, which no other source contradicts',
  'no-rate-band': 'rates without RATE_MIN and RATE_MAX',
  'one-person': 'one operator alone to move large amounts',
  'unverified-openhub': 'QR_NETWORK=openhub, which was never tried against ATC',
  'weak-token': 'a short or patterned QR_NETWORK_TOKEN',
  'limits-off': 'rate limits that are off',
  'open-operator-host': 'an operator listener on all interfaces',
} as const
export type ProductionOverride = keyof typeof allowances

const names = Object.keys(allowances) as ProductionOverride[]

/** The variable that API and worker share. */
export const productionSettings = {
  PRODUCTION_OVERRIDES: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(names, `must be a list of ${names.join(', ')}, separated by commas`)))
    .default([])
    .describe(`Allows what production otherwise refuses, by commas: ${names.join(', ')}. Each start logs them.`),
}

/** Settings before or after they are parsed: a variable that failed to parse is missing or raw. */
export type ProductionSettings = {
  readonly ENVIRONMENT?: unknown
  readonly PRODUCTION_OVERRIDES?: readonly ProductionOverride[] | undefined
  readonly DATABASE_STANDBY?: unknown
}

/** Whether this is production without the override. */
export const isRefused = (settings: ProductionSettings, override: ProductionOverride): boolean =>
  settings.ENVIRONMENT === 'production' && !(settings.PRODUCTION_OVERRIDES ?? []).includes(override)

/** The end of a message about settings that an override allows. */
export const unlessOverridden = (override: ProductionOverride): string =>
  `in production, unless PRODUCTION_OVERRIDES has ${override}`

const urls = [
  'QR_NETWORK_URL',
  'OPENHUB_URL',
  'TRON_NODE_URL',
  'TRON_SOLIDITY_NODE_URL',
  'TRON_VERIFIER_URL',
  'TRON_VERIFIER_SOLIDITY_URL',
  'TENANT_NOTICE_URL',
  'OPERATOR_ALERT_URL',
] as const
const keys = ['ADDRESS_MAC_KEY', 'WEBHOOK_SECRET_KEY', 'AUDIT_CHECKPOINT_KEY'] as const
const texts = [
  'QR_NETWORK_TOKEN',
  'QR_NETWORK_CALLBACK_SECRET',
  'OPENHUB_CLIENT_SECRET',
  'OPENHUB_BASIC_TOKEN',
  'TENANT_NOTICE_SECRET',
  'OPERATOR_ALERT_SECRET',
] as const

type Shared = { readonly [Name in (typeof urls | typeof keys | typeof texts)[number]]?: unknown }

/** Reports the shared variables that production refuses; each message says what to set instead. */
export function productionIssues(settings: Shared & ProductionSettings): readonly SettingIssue[] {
  if (settings.ENVIRONMENT !== 'production') return []
  return [
    ...plainUrls(settings),
    ...sameProvider(settings),
    ...weakKeys(settings),
    ...weakTexts(settings),
    ...sameSecrets(settings),
  ]
}

export const isPlainHttp = (url: unknown): boolean => typeof url === 'string' && /^http:/i.test(url)

function plainUrls(settings: Shared & ProductionSettings): readonly SettingIssue[] {
  if (!isRefused(settings, 'plain-http')) return []
  const message = `must begin with https:// ${unlessOverridden('plain-http')}`
  return urls.filter((variable) => isPlainHttp(settings[variable])).map((variable) => ({ variable, message }))
}

/** The second provider must be independent of the first. */
function sameProvider(settings: Shared): readonly SettingIssue[] {
  const hosts = [settings.TRON_NODE_URL, settings.TRON_SOLIDITY_NODE_URL].map(hostOf)
  const message = 'must be of another provider than TRON_NODE_URL in production'
  return (['TRON_VERIFIER_URL', 'TRON_VERIFIER_SOLIDITY_URL'] as const)
    .filter((variable) => {
      const host = hostOf(settings[variable])
      return host !== undefined && hosts.includes(host)
    })
    .map((variable) => ({ variable, message }))
}

const hostOf = (url: unknown): string | undefined => (typeof url === 'string' ? URL.parse(url)?.host : undefined)

/** 32 random bytes have fewer than 16 distinct values with a probability of 3·10⁻¹⁷. */
const isRandom = (key: Uint8Array): boolean => new Set(key).size >= 16

/** The keys of a variable: one, a ring, or none. */
function keysOf(value: unknown): readonly Uint8Array[] {
  if (value instanceof Uint8Array) return [value]
  return Array.isArray(value) ? (value as readonly NamedKey[]).map(({ key }) => key) : []
}

function weakKeys(settings: Shared): readonly SettingIssue[] {
  const message = 'must be random in production: openssl rand -hex 32'
  return keys
    .filter((variable) => !keysOf(settings[variable]).every(isRandom))
    .map((variable) => ({ variable, message }))
}

/** 16 random digits in hex have fewer than 5 distinct ones with a probability of 10⁻⁶. */
const isPattern = (secret: string): boolean => new Set(secret).size < 5

/** Whether a secret has fewer characters than that, or hardly different ones. */
export const isWeak = (secret: unknown, length: number): boolean =>
  typeof secret === 'string' && (secret.length < length || isPattern(secret))

/** 128 bits in hex. */
export const secretLength = 32

export const strongSecret: string = `must have at least ${secretLength} characters, and no pattern, in production: openssl rand -hex 32, and give it to the other side`

/** The network makes its token up. */
const tokenLength = 16

function* weakTexts(settings: Shared & ProductionSettings): Generator<SettingIssue> {
  if (isWeak(settings.QR_NETWORK_TOKEN, tokenLength) && isRefused(settings, 'weak-token')) {
    const message = `must have at least ${tokenLength} characters, and no pattern, ${unlessOverridden('weak-token')}: get another one from the network`
    yield { variable: 'QR_NETWORK_TOKEN', message }
  }
  for (const variable of ['TENANT_NOTICE_SECRET', 'OPERATOR_ALERT_SECRET'] as const)
    if (isWeak(settings[variable], secretLength)) yield { variable, message: strongSecret }
}

function sameSecrets(settings: Shared): readonly SettingIssue[] {
  const first = new Map<string, string>()
  return [...keys, ...texts].flatMap((variable) => {
    const other = secretsOf(settings[variable])
      .map((secret) => {
        const taken = first.get(secret)
        first.set(secret, variable)
        return taken
      })
      .find((taken) => taken !== undefined)
    return other === undefined
      ? []
      : [{ variable, message: `must differ from ${other} in production: openssl rand -hex 32` }]
  })
}

function secretsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value.toLowerCase()]
  return keysOf(value).map((key) => Buffer.from(key).toString('hex'))
}

/** Reports that production has no choice about its standby. */
export const standbyIssues = ({ ENVIRONMENT, DATABASE_STANDBY }: ProductionSettings): readonly SettingIssue[] =>
  ENVIRONMENT === 'production' && DATABASE_STANDBY === undefined
    ? [{ variable: 'DATABASE_STANDBY', message: `is required in production: ${standbyChoices.join(', ')}` }]
    : []

/** Logs each override that is in effect. */
export function logOverrides(log: Logger, settings: ProductionSettings): void {
  if (settings.ENVIRONMENT !== 'production') return
  for (const override of settings.PRODUCTION_OVERRIDES ?? []) {
    log.warn(
      { override },
      `production allows ${allowances[override]}; to refuse it, remove ${override} from PRODUCTION_OVERRIDES`,
    )
  }
  if (settings.DATABASE_STANDBY === 'none')
    log.warn(
      { override: 'DATABASE_STANDBY=none' },
      'production allows that answered payments are lost with the machine of the database; to refuse it, set DATABASE_STANDBY to required or managed',
    )
}
