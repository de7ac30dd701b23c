import {
  isPlainHttp,
  isRefused,
  productionIssues,
  type ProductionSettings,
  type SettingIssue,
  unlessOverridden,
} from '@quipu/runtime'

type CheckedSettings = ProductionSettings & {
  readonly RATE_SOURCE?: unknown
  readonly RATE_SOURCES?: readonly { readonly url: string }[] | undefined
  readonly RATE_LIMIT_READS?: unknown
  readonly RATE_LIMIT_WRITES?: unknown
  readonly RATE_LIMIT_FAILED_KEYS?: unknown
  readonly OPERATOR_HOST?: unknown
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

/** 128 bits in hex. */
const callbackSecretLength = 32

function callbackSecret({
  QR_NETWORK_CALLBACK_SECRET: secret,
}: CheckedSettings): readonly SettingIssue[] {
  if (typeof secret !== 'string' || secret.length >= callbackSecretLength) return []
  const message = `must have at least ${callbackSecretLength} characters in production: create one with openssl rand -hex 32 and give it to the network`
  return [{ variable: 'QR_NETWORK_CALLBACK_SECRET', message }]
}
