/** `path` is relative to the URL of a listener. */
export type JsonRequest = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
}

export type JsonReply = {
  readonly status: number
  readonly headers: Headers
  /** Undefined if the answer has no body. */
  readonly json: unknown
}

/** @throws TypeError if no answer arrives */
export async function askJson(url: string, request: JsonRequest): Promise<JsonReply> {
  const { method, path, headers, body } = request
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) }
}
