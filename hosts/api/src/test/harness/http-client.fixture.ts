/** What a test looks into without saying its shape. */
export type Json = ReturnType<typeof JSON.parse>

/** An answer as a test looks at it. */
export type Reply = {
  readonly status: number
  readonly headers: Headers
  /** The parsed body, or undefined when there is none. */
  readonly json: Json
  /** `error.code` of the body. */
  readonly code: string | undefined
}

export type RequestOptions = {
  readonly key?: string | undefined
  readonly token?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request over real HTTP. */
export async function sendRequest(
  url: string,
  method: string,
  given: RequestOptions = {},
): Promise<Reply> {
  const { key, token, body, raw, headers } = given
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== undefined && { 'X-API-Key': key }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(sent !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined
  const code = (json as { error?: { code?: string } } | undefined)?.error?.code
  return { status: response.status, headers: response.headers, json, code }
}
