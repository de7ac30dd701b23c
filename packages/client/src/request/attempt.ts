/** One HTTP request, and what it came to. */
export type Attempt =
  | { readonly type: 'answered'; readonly response: Response; readonly text: string }
  /** Nothing arrived at the service: there was no connection. */
  | { readonly type: 'unsent'; readonly cause: unknown }
  /** It may have arrived; no answer came, or not all of it. */
  | { readonly type: 'lost'; readonly cause: unknown }
  | { readonly type: 'late' }

/**
 * Sends one request and reads its whole answer.
 *
 * @param ms  how long it may take in all
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
  const timer = setTimeout(() => ended.abort(), Math.min(ms, longestMs))
  const called = (): void => ended.abort()
  signal?.addEventListener('abort', called, { once: true })
  try {
    const response = await fetch(url, { ...init, signal: ended.signal })
    return { type: 'answered', response, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    if (ended.signal.aborted) return { type: 'late' }
    return { type: neverConnected(cause) ? 'unsent' : 'lost', cause }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', called)
  }
}

/** A timer that is set for longer goes off at once. */
const longestMs = 2 ** 31 - 1

/** How Node and Bun say that no connection was made. Elsewhere every failure is a lost answer. */
const noConnection: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
])

function neverConnected(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  return noConnection.has(code) || neverConnected(cause)
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
      Math.min(ms, longestMs),
    )
    if (signal?.aborted) called()
    else signal?.addEventListener('abort', called, { once: true })
  })
}
