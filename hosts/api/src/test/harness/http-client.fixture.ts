/** Parsed JSON of any shape. */
export type Json = ReturnType<typeof JSON.parse>

export type Reply = {
  readonly status: number
  readonly headers: Headers
  /** Undefined when there is no JSON body. */
  readonly json: Json
  /** `error.code` of the body. */
  readonly code: string | undefined
}

export type RequestOptions = {
  readonly key?: string | undefined
  readonly token?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request over real HTTP. */
export async function sendRequest(url: string, method: string, options: RequestOptions = {}): Promise<Reply> {
  const { key, token, body, raw, headers } = options
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
