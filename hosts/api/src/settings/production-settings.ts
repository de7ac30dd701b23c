import { type Bob, bob, toDecimal, type Usdt, usdt } from '@quipu/core'
import {
  isPlainHttp,
  isRefused,
  isWeak,
  productionIssues,
  type ProductionSettings,
  secretLength,
  type SettingIssue,
  strongSecret,
  unlessOverridden,
} from '@quipu/runtime'

type CheckedSettings = ProductionSettings & {
  readonly RATE_SOURCE?: unknown
  readonly RATE_SOURCES?: readonly { readonly url: string }[] | undefined
  readonly RATE_LIMIT_READS?: unknown
  readonly RATE_LIMIT_WRITES?: unknown
  readonly RATE_LIMIT_FAILED_KEYS?: unknown
  readonly OPERATOR_HOST?: unknown
  readonly RATE_MIN?: unknown
  readonly RATE_MAX?: unknown
  readonly APPROVAL_LIMIT_USDT?: Usdt | undefined
  readonly APPROVAL_LIMIT_DAILY_USDT?: Usdt | undefined
  readonly APPROVAL_LIMIT_CAP_BOB?: Bob | undefined
} & Parameters<typeof productionIssues>[0]

/** Reports the API's variables that production refuses; each message says what to set instead. */
export function apiProductionIssues(settings: CheckedSettings): readonly SettingIssue[] {
  if (settings.ENVIRONMENT !== 'production') return []
  return [
    ...productionIssues(settings),
    ...rates(settings),
    ...limits(settings),
    ...operatorHost(settings),
    ...callbackSecret(settings),
    ...approvalLimits(settings),
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
  if (new Set(sources.map(({ url }) => new URL(url).hostname)).size < sources.length) {
    const message = 'must be of different hosts in production: the sources must be independent'
    yield { variable: 'RATE_SOURCES', message }
  }
  if (settings.RATE_SOURCE === 'http-json' && isRefused(settings, 'one-rate-source')) {
    const message = `must not be http-json ${unlessOverridden('one-rate-source')}: use composite, whose sources must agree`
    yield { variable: 'RATE_SOURCE', message }
  }
  if (settings.RATE_SOURCE !== 'composite' || !isRefused(settings, 'no-rate-band')) return
  for (const variable of ['RATE_MIN', 'RATE_MAX'] as const)
    if (settings[variable] === undefined) yield { variable, message: `is required ${unlessOverridden('no-rate-band')}` }
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
  // Node ignores the zone of the unspecified address, and binds every interface.
  const address = host.replace(/%.*$/, '')
  const hostname = URL.parse(`http://${address.includes(':') ? `[${address}]` : address}`)?.hostname
  if (hostname === undefined || !unspecifiedAddresses.includes(hostname)) return []
  const message = `must be one address that the public cannot reach ${unlessOverridden('open-operator-host')}`
  return [{ variable: 'OPERATOR_HOST', message }]
}

const callbackSecret = (settings: CheckedSettings): readonly SettingIssue[] =>
  isWeak(settings.QR_NETWORK_CALLBACK_SECRET, secretLength)
    ? [{ variable: 'QR_NETWORK_CALLBACK_SECRET', message: strongSecret }]
    : []

/** The largest amounts that one person alone may decide on; above them a mistake is no small one. */
const alone = {
  APPROVAL_LIMIT_USDT: usdt(10_000_000_000n),
  APPROVAL_LIMIT_DAILY_USDT: usdt(100_000_000_000n),
  APPROVAL_LIMIT_CAP_BOB: bob(500_000_00n),
} as const
const approvalNames = Object.keys(alone) as (keyof typeof alone)[]

function approvalLimits(settings: CheckedSettings): readonly SettingIssue[] {
  if (!isRefused(settings, 'one-person')) return []
  return approvalNames.flatMap((variable) => {
    const most = alone[variable]
    if ((settings[variable]?.minor ?? 0n) <= most.minor) return []
    const message = `must be at most ${toDecimal(most)} ${unlessOverridden('one-person')}: above it two people decide`
    return [{ variable, message }]
  })
}
