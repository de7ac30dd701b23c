import { sha256 } from '@quipu/core'
import {
  type SettingIssue,
  isPlainHttp,
  type Production,
  productionIssues,
  refuses,
  unless,
} from '@quipu/runtime'
import type { OperatorToken } from '../operator/operator-tokens.ts'

type Given = Production & {
  readonly RATE_SOURCE?: unknown
  readonly RATE_SOURCES?: readonly { readonly url: string }[] | undefined
  readonly RATE_LIMIT_READS?: unknown
  readonly RATE_LIMIT_WRITES?: unknown
  readonly RATE_LIMIT_FAILED_KEYS?: unknown
  readonly OPERATOR_HOST?: unknown
  readonly OPERATOR_TOKENS?: readonly OperatorToken[]
  readonly QR_NETWORK_CALLBACK_SECRET?: unknown
}

/** What production refuses in the API's variables, each with its mend. */
export function apiProductionIssues(settings: Given): readonly SettingIssue[] {
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

function* rates(settings: Given): Generator<SettingIssue> {
  if (settings.RATE_SOURCE === 'fixed' && refuses(settings, 'fixed-rate')) {
    const message = `must not be fixed ${unless('fixed-rate')}: use composite`
    yield { variable: 'RATE_SOURCE', message }
  }
  const sources = settings.RATE_SOURCES ?? []
  if (sources.some(({ url }) => isPlainHttp(url)) && refuses(settings, 'plain-http')) {
    const message = `must have https:// URLs only ${unless('plain-http')}`
    yield { variable: 'RATE_SOURCES', message }
  }
  if (new Set(sources.map(({ url }) => withoutFragment(url))).size < sources.length) {
    const message = 'must not have one URL twice in production: a source that confirms itself'
    yield { variable: 'RATE_SOURCES', message }
  }
}

function withoutFragment(url: string): string {
  const parsed = new URL(url)
  parsed.hash = ''
  return parsed.href
}

const limitNames = ['RATE_LIMIT_READS', 'RATE_LIMIT_WRITES', 'RATE_LIMIT_FAILED_KEYS'] as const

const limits = (settings: Given): readonly SettingIssue[] =>
  limitNames
    .filter((variable) => settings[variable] === 'off' && refuses(settings, 'limits-off'))
    .map((variable) => ({ variable, message: `must not be off ${unless('limits-off')}` }))

/** How URLs write the addresses that stand for every interface. */
const everyInterface = ['0.0.0.0', '[::]', '[::ffff:0:0]']

function operatorHost(settings: Given): readonly SettingIssue[] {
  const { OPERATOR_HOST: host } = settings
  if (typeof host !== 'string' || !refuses(settings, 'open-operator-host')) return []
  const hostname = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname
  if (hostname === undefined || !everyInterface.includes(hostname)) return []
  const message = `must be one address that the public cannot reach ${unless('open-operator-host')}`
  return [{ variable: 'OPERATOR_HOST', message }]
}

const words = ['admin', 'changeme', 'operator', 'password', 'quipu', 'root', 'secret', 'token']
const printable = Array.from({ length: 95 }, (_, n) => String.fromCodePoint(32 + n))

/** The hashes of what is no secret: nothing, one or two characters, and the words that come first. */
function trivialHashes(own: readonly string[]): ReadonlySet<string> {
  const pairs = printable.flatMap((one) => printable.map((other) => one + other))
  const trivial = ['', ...printable, ...pairs, ...words, ...own]
  // `echo` adds a line's end.
  return new Set(trivial.flatMap((text) => [sha256(text), sha256(`${text}\n`)]))
}

function* operatorTokens({ OPERATOR_TOKENS: tokens = [] }: Given): Generator<SettingIssue> {
  const variable = 'OPERATOR_TOKENS'
  const trivial = trivialHashes(tokens.flatMap(({ name, role }) => [name, role]))
  for (const { name, hash } of tokens) {
    if (!trivial.has(hash) && !/^(.)\1*$/.test(hash)) continue
    const mend = 'openssl rand -hex 32, and its SHA-256 here'
    yield { variable, message: `the token of ${name} can be guessed: make another by ${mend}` }
  }
  if (new Set(tokens.map(({ hash }) => hash)).size < tokens.length)
    yield { variable, message: 'must have another token for each name in production' }
}

/** 128 bits in hex. */
const callbackSecretLength = 32

function callbackSecret({ QR_NETWORK_CALLBACK_SECRET: secret }: Given): readonly SettingIssue[] {
  if (typeof secret !== 'string' || secret.length >= callbackSecretLength) return []
  const message = `must have at least ${callbackSecretLength} characters in production: agree on another with the network, such as by openssl rand -hex 32`
  return [{ variable: 'QR_NETWORK_CALLBACK_SECRET', message }]
}
