import type { WebhookSender } from '@quipu/core'
import { type AttemptResult, attemptTimeoutSeconds } from '@quipu/core/adapter'
import { type HttpRequestEnd, inHttpSpan } from '@quipu/tracing'
import { guardedConnector } from '../target/guarded-connector.ts'
import { originPools } from './origin-pools.ts'
import { post } from './post.ts'
import { isPublicAddress } from '../target/public-address.ts'
import { publicNames, type ResolveName, systemNames } from '../target/resolve-name.ts'
import { parseWebhookUrl } from '../target/webhook-url.ts'

/** The addresses and durations of `httpWebhookSender`. */
export type WebhookSenderSettings = {
  /** Allows http, any port and any address, for development and tests. */
  readonly allowPrivate?: boolean
  /** Timeout of one attempt. Default: `attemptTimeoutSeconds`. */
  readonly timeoutMs?: number
  /** Other requests to the origin wait for a connection, within their timeout. 8 by default. */
  readonly connectionsPerOrigin?: number
  /** Origins to which connections are kept. 1,024 by default. */
  readonly maxOrigins?: number
  readonly userAgent?: string
  readonly resolve?: ResolveName
  /** Certificates of authorities, in PEM, instead of those of Node.js. */
  readonly ca?: string
}

/** The URLs and addresses that a sender connects to. */
export type TargetRules = {
  /** Undefined for a URL that is not allowed. */
  readonly parse: (url: string) => URL | undefined
  readonly isAllowed: (address: string) => boolean
}

/** A sender of webhooks that a host can end. */
export type HttpWebhookSender = WebhookSender & {
  /** Resolves when the requests in flight have ended. Later calls of `send` are bugs, and reject. */
  stop(): Promise<void>
}

/**
 * Sends over HTTP/1.1, on connections that are kept alive. The rules of registration apply to each
 * request too, and to the address of each new connection.
 *
 * @source spec §6 Delivery, rule 3
 */
export function httpWebhookSender(settings: WebhookSenderSettings = {}): HttpWebhookSender {
  const { allowPrivate = false } = settings
  const parse = (text: string): URL | undefined => {
    const url = parseWebhookUrl(text, allowPrivate)
    return typeof url === 'string' ? undefined : url
  }
  const isAllowed = allowPrivate ? () => true : isPublicAddress
  const resolve = settings.resolve ?? (allowPrivate ? systemNames : publicNames())
  return guardedSender({ parse, isAllowed }, { ...settings, resolve })
}

/** A sender with other rules than those of registration. */
export function guardedSender(
  { parse, isAllowed }: TargetRules,
  settings: WebhookSenderSettings & { readonly resolve: ResolveName },
): HttpWebhookSender {
  const { userAgent = 'Quipu-Webhooks/1', resolve, ca } = settings
  const { timeoutMs = attemptTimeoutSeconds * 1000 } = settings
  const ownHeaders = { 'user-agent': userAgent, 'accept-encoding': 'identity' }
  const pools = originPools(settings.maxOrigins ?? 1_024, {
    connect: guardedConnector({ isAllowed, resolve, timeoutMs, ...(ca !== undefined && { ca }) }),
    connections: settings.connectionsPerOrigin ?? 8,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: 16_384,
    // `post` has a deadline of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: 60_000,
    // A name is resolved again after this time, even if its connections are in use.
    clientTtl: 60_000,
  })
  const targets = cached(parse)
  let isStopped = false
  return {
    send({ url: text, headers, body }) {
      if (isStopped) return Promise.reject(new Error('the webhook sender is stopped'))
      const url = targets(text)
      if (!url) return Promise.resolve(blocked)
      return inHttpSpan(
        { scope: '@quipu/webhook-http', method: 'POST', url },
        (traceHeaders) =>
          post(pools.at(url.origin), {
            url,
            headers: { ...ownHeaders, ...headers, ...traceHeaders },
            body,
            timeoutMs,
            again: pools.apart(url.origin),
          }),
        endOf,
      )
    },
    stop() {
      isStopped = true
      return pools.stop()
    },
  }
}

const endOf = ({ statusCode, error }: AttemptResult): HttpRequestEnd => ({
  status: statusCode ?? undefined,
  error: error === null || error === 'STATUS' ? undefined : error,
})

/** Cached URLs. */
const maxTargets = 4_096

/** Parsing a URL takes longer than signing a request. */
function cached(parse: TargetRules['parse']): TargetRules['parse'] {
  const cache = new Map<string, URL | undefined>()
  return (text) => {
    const url = cache.get(text) ?? parse(text)
    if (cache.size >= maxTargets) cache.clear()
    cache.set(text, url)
    return url
  }
}

const blocked: AttemptResult = { statusCode: null, latencyMs: 0, error: 'ADDRESS_BLOCKED', excerpt: null }
