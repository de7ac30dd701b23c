/** The result of one HTTP request. */
export type Attempt =
  | { readonly type: 'answered'; readonly response: Response; readonly text: string }
  /** The request did not reach the service: no connection was made. */
  | { readonly type: 'unsent'; readonly cause: unknown }
  /** The request may have reached the service; the answer did not arrive whole. */
  | { readonly type: 'lost'; readonly cause: unknown }
  | { readonly type: 'late' }

/**
 * Sends one request and reads its whole answer.
 *
 * @param ms  the time limit for request and answer
 * @throws the reason of `signal` when that is aborted
 */
export async function attempt(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  ms: number,
  signal?: AbortSignal,
): Promise<Attempt> {
  signal?.throwIfAborted()
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), Math.min(ms, timerMaxMs))
  const called = (): void => ended.abort()
  signal?.addEventListener('abort', called, { once: true })
  try {
    const response = await fetch(url, { ...init, signal: ended.signal })
    return { type: 'answered', response, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    if (ended.signal.aborted) return { type: 'late' }
    return { type: isConnectError(cause) ? 'unsent' : 'lost', cause }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', called)
  }
}

/** `setTimeout` fires at once when it is set for longer. */
const timerMaxMs = 2 ** 31 - 1

/** Error codes of Node and Bun for a failed connect. In other runtimes every failure is a lost answer. */
const connectErrorCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
])

function isConnectError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  return connectErrorCodes.has(code) || isConnectError(cause)
}

/** Waits. @throws the reason of `signal` when that is aborted */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const called = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', called)
        resolve()
      },
      Math.min(ms, timerMaxMs),
    )
    if (signal?.aborted) called()
    else signal?.addEventListener('abort', called, { once: true })
  })
}
