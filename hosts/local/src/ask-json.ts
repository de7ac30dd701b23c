/** A request of the API's JSON. `path` goes after the URL of a listener. */
export type JsonRequest = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, or as it is when a string. */
  readonly body?: unknown
}

export type JsonReply = {
  readonly status: number
  readonly headers: Headers
  /** Undefined when the answer has no body. */
  readonly json: unknown
}

/** @throws TypeError when there is no answer */
export async function askJson(url: string, request: JsonRequest): Promise<JsonReply> {
  const { method, path, headers, body } = request
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    json: text === '' ? undefined : JSON.parse(text),
  }
}
