import { SQS, type SQSClientConfig, SQSServiceException } from '@aws-sdk/client-sqs'
import { Unavailable } from '@quipu/core'

/** Where the server is, and who asks. What is left out is found as the AWS SDK finds it. */
export type SqsConnection = {
  /** For anything that is not AWS, such as `http://127.0.0.1:4566`. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  readonly credentials?: SQSClientConfig['credentials']
  /** How long an answer may take, besides the time that the server waits by our wish. 5 by default. */
  readonly answerSeconds?: number | undefined
}

type CallOptions = { readonly abortSignal: AbortSignal }

/** A client whose every failure is `Unavailable`, in time. */
export type SqsClient = {
  /**
   * @param waitSeconds  how long the server may keep us waiting by our own wish
   * @throws Unavailable also when `signal` calls it off
   */
  ask<T>(
    call: (sqs: SQS, options: CallOptions) => Promise<T>,
    waitSeconds?: number,
    signal?: AbortSignal,
  ): Promise<T>
  /** Calls off what is under way. */
  stop(): void
}

const connectSeconds = 2

export function connectSqs(connection: SqsConnection): SqsClient {
  const { endpoint, region, credentials, answerSeconds = 5 } = connection
  const sqs = new SQS({
    // Within the same seconds: a connection that had gone stale is worth another.
    maxAttempts: 2,
    requestHandler: { connectionTimeout: connectSeconds * 1_000 },
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(credentials !== undefined && { credentials }),
  })
  const stopping = new AbortController()
  return {
    async ask(call, waitSeconds = 0, signal) {
      const abortSignal = AbortSignal.any([
        stopping.signal,
        AbortSignal.timeout((waitSeconds + answerSeconds) * 1_000),
        ...(signal ? [signal] : []),
      ])
      try {
        return await before(abortSignal, () => call(sqs, { abortSignal }))
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

/** The SDK looks at its signal while it sends, but not while it finds credentials or backs off. */
async function before<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
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
  const status = strangerStatus(error)
  if (status !== undefined) return `HTTP ${status}, and no answer of SQS`
  if (error.name === 'Error') return error.message
  return error.message === '' ? error.name : `${error.name}: ${error.message}`
}

type Answered = Error & { readonly $metadata?: { readonly httpStatusCode?: number | undefined } }

/** The status of an answer that the SDK could not read: a gateway's, say. */
function strangerStatus(error: Answered): number | undefined {
  if (error instanceof SQSServiceException && error.name !== 'Unknown') return undefined
  return error.$metadata?.httpStatusCode
}
