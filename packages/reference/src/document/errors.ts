import { type Endpoint, endpointsOf, type OpenApi, type Response } from './open-api.ts'

/** An error code of the document. */
export type DocumentedError = {
  readonly code: string
  readonly status: string
  /** Its first answer in the document. */
  readonly response: Response
  readonly example: unknown
  /** The operations that can answer it; empty: any path. */
  readonly endpoints: readonly Endpoint[]
}

/** The code of an error body; undefined for another body. */
export function codeOf(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { readonly error?: { readonly code?: unknown } }
  return typeof error?.code === 'string' ? error.code : undefined
}

/** The meaning of a code in the description of its answer: a paragraph `` `CODE`: … ``. */
export function meaningOf(code: string, { description }: Response): string {
  const lead = `\`${code}\`: `
  const found = description.split(/\n\s*\n/).find((paragraph) => paragraph.startsWith(lead))
  return found?.slice(lead.length) ?? description
}

/** An error of more operations than this is described in the list of errors only. */
const namedEndpoints = 4

export const isCommon = ({ endpoints }: DocumentedError): boolean =>
  endpoints.length === 0 || endpoints.length > namedEndpoints

const examplesOf = ({ content = {} }: Response): unknown[] =>
  Object.values(content).flatMap(({ examples = {} }) => Object.values(examples).map(({ value }) => value))

/** The errors of the document by code, in the order of their statuses. */
export function errorsOf({ paths, 'x-responses': unrouted = {} }: OpenApi): ReadonlyMap<string, DocumentedError> {
  const found = new Map<string, DocumentedError & { readonly endpoints: Endpoint[] }>()

  function add(status: string, response: Response, endpoint?: Endpoint): void {
    for (const example of examplesOf(response)) {
      const code = codeOf(example)
      if (code === undefined) continue
      const error = found.get(code) ?? { code, status, response, example, endpoints: [] }
      found.set(code, error)
      if (endpoint) error.endpoints.push(endpoint)
    }
  }

  for (const endpoint of endpointsOf(paths))
    for (const [status, response] of Object.entries(endpoint.operation.responses)) add(status, response, endpoint)
  for (const [status, response] of Object.entries(unrouted)) add(status, response)
  const inOrder = [...found.values()].toSorted((a, b) => a.status.localeCompare(b.status))
  return new Map(inOrder.map((error) => [error.code, error]))
}
