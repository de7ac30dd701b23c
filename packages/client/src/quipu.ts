import { type ApiKeys, apiKeys } from './endpoints/api-keys.ts'
import { type Deposits, deposits } from './endpoints/deposits.ts'
import { type Events, events } from './endpoints/events.ts'
import { type Payouts, payouts } from './endpoints/payouts.ts'
import type { QuipuHooks } from './request/hooks.ts'
import { type Quotes, quotes } from './endpoints/quotes.ts'
import { type Requests, requests } from './endpoints/requests.ts'
import { type Sandbox, sandbox } from './endpoints/sandbox.ts'
import { sender } from './request/send.ts'
import { type Service, service } from './endpoints/service.ts'
import { type Wallets, wallets } from './endpoints/wallets.ts'
import { type Webhooks, webhooks } from './endpoints/webhooks.ts'

/** Options of a client: its key, its server, and the limits of its calls. */
export type QuipuOptions = {
  /** The tenant's key. Keep it on your server. */
  readonly apiKey: string
  /** The base URL of the API, without `/v1`. `http://` only for a loopback address: every request has the key. */
  readonly baseUrl: string
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** The time limit of a call, retries included. Default: 90 s. */
  readonly timeoutMs?: number | undefined
  /** The time limit of each attempt. Default: 30 s; a payout is answered within 20 s. */
  readonly attemptTimeoutMs?: number | undefined
  /** The most retries of a call. Default: 4. */
  readonly retries?: number | undefined
  /** The delay before the first retry; it doubles up to 8 s. Default: 250 ms. */
  readonly retryDelayMs?: number | undefined
  /** Called for every attempt: for logs, metrics and traces. */
  readonly hooks?: QuipuHooks | undefined
}

/** The API of one tenant. Amounts are decimal strings, as the API has them. */
export type Quipu = {
  readonly payouts: Payouts
  readonly quotes: Quotes
  readonly wallets: Wallets
  readonly deposits: Deposits
  readonly webhooks: Webhooks
  readonly events: Events
  readonly apiKeys: ApiKeys
  readonly requests: Requests
  readonly sandbox: Sandbox
  readonly service: Service
}

/**
 * Creates a client. It opens no connections and has no state: create one and share it.
 *
 * @throws TypeError that names the invalid option
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
    hooks: options.hooks ?? {},
  })
  return {
    payouts: payouts(send),
    quotes: quotes(send),
    wallets: wallets(send),
    deposits: deposits(send),
    webhooks: webhooks(send),
    events: events(send),
    apiKeys: apiKeys(send),
    requests: requests(send),
    sandbox: sandbox(send),
    service: service(send),
  }
}

function keyOf({ apiKey }: QuipuOptions): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey
  throw new TypeError('apiKey is empty or has characters that keys do not have') // Without the key.
}

function baseOf({ baseUrl }: QuipuOptions): string {
  const isPlain = /^https?:\/\/[^/?#@\s]+[^?#@\s]*$/.test(baseUrl) && URL.canParse(baseUrl)
  if (!isPlain)
    throw new TypeError(`baseUrl must be an http or https URL without query, fragment and user info: ${baseUrl}`)
  const base = baseUrl.replace(/\/+$/, '')
  if (base.endsWith('/v1')) throw new TypeError(`baseUrl must not end with /v1: ${baseUrl}`)
  if (isEncryptedOrLocal(new URL(baseUrl))) return base
  throw new TypeError(
    `baseUrl must begin with https://, or name a loopback address: ${baseUrl} would carry the API key unencrypted`,
  )
}

/** `URL` has normalized IPv4 addresses to four numbers and IPv6 addresses to their shortest form. */
const isEncryptedOrLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
