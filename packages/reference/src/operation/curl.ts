import type { Credential } from '../document/credential.ts'
import type { Endpoint, Parameter } from '../document/open-api.ts'

/** A request that the page shows and prefills. */
export type Sample = {
  readonly endpoint: Endpoint
  /** Undefined: the operation needs none. */
  readonly credential: Credential | undefined
  /** Path, header and required parameters with their examples. */
  readonly given: readonly { readonly parameter: Parameter; readonly example: string }[]
  readonly body?: unknown
}

/** Quotes text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The curl command of a request. The reader sets `$BASE`, and `$KEY` or `$TOKEN`. */
export function curl({ endpoint, credential, given, body }: Sample): string {
  const { method } = endpoint
  const isPlain = method === (body === undefined ? 'GET' : 'POST')
  const headers = given.filter(({ parameter }) => parameter.in === 'header')
  const lines = [
    `curl${isPlain ? '' : ` -X ${method}`} "$BASE${filledPath(endpoint.path, given)}"`,
    ...(credential === undefined ? [] : [`-H "${valueText(credential)}"`]),
    ...headers.map(({ parameter, example }) => `-H ${quoted(`${parameter.name}: ${example}`)}`),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ]
  return lines.join(' \\\n  ')
}

const valueText = ({ header, prefix, label }: Credential): string =>
  `${header}: ${prefix}$${label.toUpperCase()}`

const filledPath = (path: string, given: Sample['given']): string =>
  path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const found = given.find(({ parameter }) => parameter.in === 'path' && parameter.name === name)
    return found?.example ?? whole
  })
