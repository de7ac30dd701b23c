import { type AttemptResult, attemptTimeoutSeconds, type WebhookSender } from '@quipu/core'
import { guardedConnector } from '../target/guarded-connector.ts'
import { originPools } from './origin-pools.ts'
import { post } from './post.ts'
import { isPublicAddress } from '../target/public-address.ts'
import { publicNames, type ResolveName, systemNames } from '../target/resolve-name.ts'
import { readWebhookUrl } from '../target/webhook-url.ts'

export type WebhookSenderSettings = {
  /** Allows http, any port and any address, for development and tests. */
  readonly allowPrivate?: boolean
  /** For one attempt in all. Default: `attemptTimeoutSeconds`. */
  readonly timeoutMs?: number
  /** Further requests to the origin wait for one of these, within their time. 8 unless told. */
  readonly connectionsPerOrigin?: number
  /** Connections are kept for so many origins. 1,024 unless told. */
  readonly maxOrigins?: number
  readonly userAgent?: string
  readonly resolve?: ResolveName
  /** Certificates of authorities, in PEM, in place of the well-known ones. */
  readonly ca?: string
}

/** Decides what a sender connects to. */
export type SendingRules = {
  /** Undefined when nothing must be sent there. */
  readonly read: (url: string) => URL | undefined
  readonly isAllowed: (address: string) => boolean
}

export type HttpWebhookSender = WebhookSender & {
  /** Ends once the requests in flight have ended as usual. To send afterwards is a mistake, and throws. */
  stop(): Promise<void>
}

/**
 * Sends over HTTP/1.1, on connections that are kept and used again. The rules for registration hold
 * here too, and for every address that is connected to, whatever the name led to before.
 *
 * @source spec §6 Delivery, rule 3
 */
export function httpWebhookSender(settings: WebhookSenderSettings = {}): HttpWebhookSender {
  const { allowPrivate = false } = settings
  const read = (text: string): URL | undefined => {
    const url = readWebhookUrl(text, allowPrivate)
    return typeof url === 'string' ? undefined : url
  }
  const isAllowed = allowPrivate ? () => true : isPublicAddress
  const resolve = settings.resolve ?? (allowPrivate ? systemNames : publicNames())
  return ruledSender({ read, isAllowed }, { ...settings, resolve })
}

/** A sender with rules of its own. */
export function ruledSender(
  { read, isAllowed }: SendingRules,
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
    // The attempt keeps its own time.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: 60_000,
    // A name is looked up again after so long, however busy its connections are.
    clientTtl: 60_000,
  })
  const targets = remembered(read)
  let isStopped = false
  return {
    send({ url: text, headers, body }) {
      if (isStopped) return Promise.reject(new Error('the sender of webhooks was stopped'))
      const url = targets(text)
      if (!url) return Promise.resolve(blocked)
      return post(pools.at(url.origin), {
        url,
        headers: { ...ownHeaders, ...headers },
        body,
        timeoutMs,
      })
    },
    stop() {
      isStopped = true
      return pools.stop()
    },
  }
}

/** So many URLs are kept as they were read. */
const maxTargets = 4_096

/** The same text is read the same way, which takes longer than to sign a request. */
function remembered(read: SendingRules['read']): SendingRules['read'] {
  const known = new Map<string, URL | undefined>()
  return (text) => {
    const url = known.get(text) ?? read(text)
    if (known.size >= maxTargets) known.clear()
    known.set(text, url)
    return url
  }
}

const blocked: AttemptResult = {
  statusCode: null,
  latencyMs: 0,
  error: 'ADDRESS_BLOCKED',
  excerpt: null,
}
