import { type Deposits, deposits } from './endpoints/deposits.ts'
import { type Events, events } from './endpoints/events.ts'
import { type Payouts, payouts } from './endpoints/payouts.ts'
import { type Quotes, quotes } from './endpoints/quotes.ts'
import { type Sandbox, sandbox } from './endpoints/sandbox.ts'
import { sender } from './request/send.ts'
import { type Service, service } from './endpoints/service.ts'
import { type Wallets, wallets } from './endpoints/wallets.ts'
import { type Webhooks, webhooks } from './endpoints/webhooks.ts'

export type QuipuOptions = {
  /** The tenant's key. Keep it on your server. */
  readonly apiKey: string
  /** Where the API is, without `/v1`. `http://` only for a loopback address: the key is in every request. */
  readonly baseUrl: string
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How long a call may take in all, its repeats included. Default: 90 s. */
  readonly timeoutMs?: number | undefined
  /** How long each request may take. Default: 30 s; a payout is answered within 20 s. */
  readonly attemptTimeoutMs?: number | undefined
  /** How often a request that may be repeated is repeated. Default: 4. */
  readonly retries?: number | undefined
  /** How long the first repeat is waited for; each next one twice as long, up to 8 s. Default: 250 ms. */
  readonly retryDelayMs?: number | undefined
}

/** The API of one tenant. Amounts are decimal strings, as the API has them. */
export type Quipu = {
  readonly payouts: Payouts
  readonly quotes: Quotes
  readonly wallets: Wallets
  readonly deposits: Deposits
  readonly webhooks: Webhooks
  readonly events: Events
  readonly sandbox: Sandbox
  readonly service: Service
}

/**
 * Opens nothing and holds nothing: make one and share it.
 *
 * @throws TypeError that names the option which is wrong
 */
export function quipu(options: QuipuOptions): Quipu {
  const send = sender({
    apiKey: keyOf(options),
    baseUrl: baseOf(options),
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    timeoutMs: options.timeoutMs ?? 90_000,
    attemptTimeoutMs: options.attemptTimeoutMs ?? 30_000,
    retries: options.retries ?? 4,
    retryDelayMs: options.retryDelayMs ?? 250,
  })
  return {
    payouts: payouts(send),
    quotes: quotes(send),
    wallets: wallets(send),
    deposits: deposits(send),
    webhooks: webhooks(send),
    events: events(send),
    sandbox: sandbox(send),
    service: service(send),
  }
}

function keyOf({ apiKey }: QuipuOptions): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey
  throw new TypeError('apiKey is empty, or holds what no key holds') // Without the key itself.
}

function baseOf({ baseUrl }: QuipuOptions): string {
  const isPlain = /^https?:\/\/[^/?#@\s]+[^?#@\s]*$/.test(baseUrl) && URL.canParse(baseUrl)
  if (!isPlain) throw new TypeError(`baseUrl is no plain http or https URL: ${baseUrl}`)
  const base = baseUrl.replace(/\/+$/, '')
  if (base.endsWith('/v1')) throw new TypeError(`baseUrl is without /v1: ${baseUrl}`)
  if (isEncryptedOrLocal(new URL(baseUrl))) return base
  throw new TypeError(
    'baseUrl must begin with https://, or name a loopback address: ' +
      `${baseUrl} would carry the API key unencrypted`,
  )
}

/** `URL` has brought an IPv4 address into four numbers and IPv6 into its shortest form. */
const isEncryptedOrLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
