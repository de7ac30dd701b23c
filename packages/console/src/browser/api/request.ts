import type { ErrorJson } from '@quipu/wire'

/** A request that failed: the API's own error, or none when it did not answer. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  readonly status: number
  readonly code: string | null
  readonly issues: readonly { readonly field: string; readonly message: string }[]

  /** @param status  0 without an answer */
  constructor(status: number, error: ErrorJson['error'] | null) {
    super(error?.message ?? '')
    this.status = status
    this.code = error?.code ?? null
    this.issues = error?.details ?? []
  }
}

type Sent = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/**
 * Sends a request to the operator API with the session's cookie.
 *
 * @param path  below `/operator/v1`
 * @returns the JSON of the answer; undefined when it has none
 * @throws RequestFailure for any other status than 2xx, and without an answer
 */
export async function request<T>(path: string, sent: Sent = {}): Promise<T> {
  const { method = 'GET', body, signal } = sent
  const headers = { ...sent.headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) }
  const response = await fetch(`/operator/v1${path}`, {
    method,
    headers,
    credentials: 'same-origin',
    redirect: 'error',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new RequestFailure(0, null)
  })
  const text = await response.text()
  const json: unknown = text === '' ? undefined : parsed(text)
  if (response.ok) return json as T
  throw new RequestFailure(response.status, errorOf(json))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // A proxy's own page.
  }
}

const errorOf = (json: unknown): ErrorJson['error'] | null =>
  typeof json === 'object' && json !== null && 'error' in json ? (json as ErrorJson).error : null
