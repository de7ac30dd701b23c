import type { Endpoint, Parameter } from '../document/open-api.ts'

/** A request as the page shows and prefills it. */
export type Sample = {
  readonly endpoint: Endpoint
  /** The header of the key; undefined: none is needed. */
  readonly keyHeader: string | undefined
  /** Path, header and required parameters with their example. */
  readonly given: readonly { readonly parameter: Parameter; readonly example: string }[]
  readonly body?: unknown
}

/** As a shell takes it: in single quotes, a single quote of its own between them. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The command that sends a request. `$BASE` and `$KEY` are the reader’s. */
export function curl({ endpoint, keyHeader, given, body }: Sample): string {
  const { method } = endpoint
  const isPlain = method === (body === undefined ? 'GET' : 'POST')
  const headers = given.filter(({ parameter }) => parameter.in === 'header')
  const lines = [
    `curl${isPlain ? '' : ` -X ${method}`} "$BASE${filledPath(endpoint.path, given)}"`,
    ...(keyHeader === undefined ? [] : [`-H "${keyHeader}: $KEY"`]),
    ...headers.map(({ parameter, example }) => `-H ${quoted(`${parameter.name}: ${example}`)}`),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ]
  return lines.join(' \\\n  ')
}

const filledPath = (path: string, given: Sample['given']): string =>
  path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const found = given.find(({ parameter }) => parameter.in === 'path' && parameter.name === name)
    return found?.example ?? whole
  })
