import { SQS, type SQSClientConfig, SQSServiceException } from '@aws-sdk/client-sqs'
import { Unavailable } from '@quipu/core'

/** The server and the credentials. The AWS SDK finds what is left out. */
export type SqsConnection = {
  /** URL of a server that is not AWS, such as `http://127.0.0.1:4566`. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  readonly credentials?: SQSClientConfig['credentials']
  /** Timeout of a request in seconds, without the time of a long poll. 5 by default. */
  readonly timeoutSeconds?: number | undefined
}

type CallOptions = { readonly abortSignal: AbortSignal }

/** A client that throws `Unavailable` for every failure, within its timeout. */
export type SqsClient = {
  /**
   * @param waitSeconds  the time of a long poll, in addition to the timeout
   * @throws Unavailable also when `signal` aborts the request
   */
  call<T>(
    request: (sqs: SQS, options: CallOptions) => Promise<T>,
    waitSeconds?: number,
    signal?: AbortSignal,
  ): Promise<T>
  /** Aborts the requests in progress. */
  stop(): void
}

const connectSeconds = 2

export function connectSqs(connection: SqsConnection): SqsClient {
  const { endpoint, region, credentials, timeoutSeconds = 5 } = connection
  const sqs = new SQS({
    // The second attempt replaces a stale connection; both share one timeout.
    maxAttempts: 2,
    requestHandler: { connectionTimeout: connectSeconds * 1_000 },
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(credentials !== undefined && { credentials }),
  })
  const stopping = new AbortController()
  return {
    async call(request, waitSeconds = 0, signal) {
      const abortSignal = AbortSignal.any([
        stopping.signal,
        AbortSignal.timeout((waitSeconds + timeoutSeconds) * 1_000),
        ...(signal ? [signal] : []),
      ])
      try {
        return await untilAborted(abortSignal, () => request(sqs, { abortSignal }))
      } catch (error) {
        const cause: unknown = abortSignal.aborted ? abortSignal.reason : error
        throw new Unavailable('queue', reasonOf(cause), { cause })
      }
    },
    stop() {
      stopping.abort(new Error('stopped'))
      sqs.destroy()
    },
  }
}

/** The SDK ignores its signal while it resolves credentials and while it backs off. */
async function untilAborted<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([call(), aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const status = unreadableStatus(error)
  // AWS's access control refuses in XML, of which the SDK keeps nothing.
  if (status === 403) return 'HTTP 403: check the credentials and what their policy allows'
  if (status !== undefined) return `HTTP ${status}, not a response of SQS`
  if (error.name === 'Error') return error.message
  return error.message === '' ? error.name : `${error.name}: ${error.message}`
}

type ResponseError = Error & { readonly $metadata?: { readonly httpStatusCode?: number | undefined } }

/** The status of a response that the SDK cannot read, such as a gateway's. */
function unreadableStatus(error: ResponseError): number | undefined {
  if (error instanceof SQSServiceException && error.name !== 'Unknown') return undefined
  return error.$metadata?.httpStatusCode
}
