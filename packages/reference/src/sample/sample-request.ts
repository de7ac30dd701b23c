/** A name with its value. */
export type Pair = readonly [name: string, value: string]

/** How a sample authenticates. */
export type SampleCredential = {
  readonly header: string
  /** Precedes the key or token in the header’s value. */
  readonly prefix: string
  /** The environment variable that has the key or token. */
  readonly variable: string
  /** A key that opens nothing, which samples show; undefined: they read the variable. */
  readonly shownKey: string | undefined
}

/** A request as the samples show it and the page sends it. */
export type SampleRequest = {
  readonly operationId: string
  readonly method: string
  /** The base URL, without `/v1`. */
  readonly base: string
  /** With `{name}` for each of `pathValues`. */
  readonly path: string
  readonly pathValues: readonly Pair[]
  readonly query: readonly Pair[]
  readonly headers: readonly Pair[]
  /** JSON text; empty: no body. */
  readonly body: string
  /** Undefined: the operation needs none. */
  readonly credential: SampleCredential | undefined
}

/** Path and query. */
export function targetOf({ path, pathValues, query }: SampleRequest): string {
  const filled = pathValues.reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value)),
    path,
  )
  const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString()
  return search === '' ? filled : `${filled}?${search}`
}

/** The value of a body; the text itself when it is not JSON. */
export function bodyOf({ body }: Pick<SampleRequest, 'body'>): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** The headers but for the credential’s. */
export const plainHeaders = ({ headers, body }: SampleRequest): readonly Pair[] =>
  body === '' ? headers : [...headers, ['Content-Type', 'application/json']]

/** Indents every line but the first. */
export const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)
