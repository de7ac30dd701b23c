import { sha256 } from '@quipu/core/adapter'
import {
  isPlainHttp,
  isRefused,
  productionIssues,
  type ProductionSettings,
  type SettingIssue,
  unlessOverridden,
} from '@quipu/runtime'
import type { OperatorToken } from '../operator/operator-tokens.ts'

type CheckedSettings = ProductionSettings & {
  readonly RATE_SOURCE?: unknown
  readonly RATE_SOURCES?: readonly { readonly url: string }[] | undefined
  readonly RATE_LIMIT_READS?: unknown
  readonly RATE_LIMIT_WRITES?: unknown
  readonly RATE_LIMIT_FAILED_KEYS?: unknown
  readonly OPERATOR_HOST?: unknown
  readonly OPERATOR_TOKENS?: readonly OperatorToken[]
  readonly QR_NETWORK_CALLBACK_SECRET?: unknown
}

/** Reports the API's variables that production refuses; each message says what to set instead. */
export function apiProductionIssues(settings: CheckedSettings): readonly SettingIssue[] {
  if (settings.ENVIRONMENT !== 'production') return []
  return [
    ...productionIssues(settings),
    ...rates(settings),
    ...limits(settings),
    ...operatorHost(settings),
    ...operatorTokens(settings),
    ...callbackSecret(settings),
  ]
}

function* rates(settings: CheckedSettings): Generator<SettingIssue> {
  if (settings.RATE_SOURCE === 'fixed' && isRefused(settings, 'fixed-rate')) {
    const message = `must not be fixed ${unlessOverridden('fixed-rate')}: use composite`
    yield { variable: 'RATE_SOURCE', message }
  }
  const sources = settings.RATE_SOURCES ?? []
  if (sources.some(({ url }) => isPlainHttp(url)) && isRefused(settings, 'plain-http')) {
    const message = `must have https:// URLs only ${unlessOverridden('plain-http')}`
    yield { variable: 'RATE_SOURCES', message }
  }
  if (new Set(sources.map(({ url }) => withoutFragment(url))).size < sources.length) {
    const message = 'must not repeat a URL in production: the sources must be independent'
    yield { variable: 'RATE_SOURCES', message }
  }
}

function withoutFragment(url: string): string {
  const parsed = new URL(url)
  parsed.hash = ''
  return parsed.href
}

const limitNames = ['RATE_LIMIT_READS', 'RATE_LIMIT_WRITES', 'RATE_LIMIT_FAILED_KEYS'] as const

const limits = (settings: CheckedSettings): readonly SettingIssue[] =>
  limitNames
    .filter((variable) => settings[variable] === 'off' && isRefused(settings, 'limits-off'))
    .map((variable) => ({ variable, message: `must not be off ${unlessOverridden('limits-off')}` }))

/** The unspecified addresses, as `URL` normalizes them. */
const unspecifiedAddresses = ['0.0.0.0', '[::]', '[::ffff:0:0]']

function operatorHost(settings: CheckedSettings): readonly SettingIssue[] {
  const { OPERATOR_HOST: host } = settings
  if (typeof host !== 'string' || !isRefused(settings, 'open-operator-host')) return []
  const hostname = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname
  if (hostname === undefined || !unspecifiedAddresses.includes(hostname)) return []
  const message = `must be one address that the public cannot reach ${unlessOverridden('open-operator-host')}`
  return [{ variable: 'OPERATOR_HOST', message }]
}

const commonWords = [
  'admin',
  'changeme',
  'operator',
  'password',
  'quipu',
  'root',
  'secret',
  'token',
]
const printable = Array.from({ length: 95 }, (_, n) => String.fromCodePoint(32 + n))

/** Hashes of guessable tokens: at most two characters, a common word, or a name or role. */
function guessableHashes(namesAndRoles: readonly string[]): ReadonlySet<string> {
  const pairs = printable.flatMap((one) => printable.map((other) => one + other))
  const guessable = ['', ...printable, ...pairs, ...commonWords, ...namesAndRoles]
  // With a newline too: `echo` appends one.
  return new Set(guessable.flatMap((text) => [sha256(text), sha256(`${text}\n`)]))
}

function* operatorTokens({
  OPERATOR_TOKENS: tokens = [],
}: CheckedSettings): Generator<SettingIssue> {
  const variable = 'OPERATOR_TOKENS'
  const guessable = guessableHashes(tokens.flatMap(({ name, role }) => [name, role]))
  for (const { name, hash } of tokens) {
    if (!guessable.has(hash) && !/^(.)\1*$/.test(hash)) continue
    const fix = 'create one with openssl rand -hex 32 and put its SHA-256 here'
    yield { variable, message: `the token of ${name} is guessable: ${fix}` }
  }
  if (new Set(tokens.map(({ hash }) => hash)).size < tokens.length)
    yield { variable, message: 'must have a different token for each name in production' }
}

/** 128 bits in hex. */
const callbackSecretLength = 32

function callbackSecret({
  QR_NETWORK_CALLBACK_SECRET: secret,
}: CheckedSettings): readonly SettingIssue[] {
  if (typeof secret !== 'string' || secret.length >= callbackSecretLength) return []
  const message = `must have at least ${callbackSecretLength} characters in production: create one with openssl rand -hex 32 and give it to the network`
  return [{ variable: 'QR_NETWORK_CALLBACK_SECRET', message }]
}
