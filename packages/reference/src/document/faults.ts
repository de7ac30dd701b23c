import { type Endpoint, endpointsOf, type OpenApi, type Response } from './open-api.ts'

/** An error that answers may carry. */
export type Fault = {
  readonly code: string
  readonly status: string
  /** The first answer with it in the document. */
  readonly response: Response
  readonly example: unknown
  /** Where it may come from; none: from any address. */
  readonly endpoints: readonly Endpoint[]
}

/** The code of an error’s body, or undefined when it is none. */
export function codeOf(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { readonly error?: { readonly code?: unknown } }
  return typeof error?.code === 'string' ? error.code : undefined
}

/** What the description of an answer says about one of its codes: `` `CODE`: … ``, a paragraph. */
export function meaningOf(code: string, { description }: Response): string {
  const lead = `\`${code}\`: `
  const found = description.split(/\n\s*\n/).find((paragraph) => paragraph.startsWith(lead))
  return found?.slice(lead.length) ?? description
}

/** An error of more operations than this is no news about one of them. */
const namedEndpoints = 4

export const isCommon = ({ endpoints }: Fault): boolean =>
  endpoints.length === 0 || endpoints.length > namedEndpoints

const examplesOf = ({ content = {} }: Response): unknown[] =>
  Object.values(content).flatMap(({ examples = {} }) =>
    Object.values(examples).map(({ value }) => value),
  )

/** Every error of the document by its code, in the order of their statuses. */
export function faultsOf({ paths, components }: OpenApi): ReadonlyMap<string, Fault> {
  const found = new Map<string, Fault & { readonly endpoints: Endpoint[] }>()

  function add(status: string, response: Response, endpoint?: Endpoint): void {
    for (const example of examplesOf(response)) {
      const code = codeOf(example)
      if (code === undefined) continue
      const fault = found.get(code) ?? { code, status, response, example, endpoints: [] }
      found.set(code, fault)
      if (endpoint) fault.endpoints.push(endpoint)
    }
  }

  for (const endpoint of endpointsOf(paths))
    for (const [status, response] of Object.entries(endpoint.operation.responses))
      add(status, response, endpoint)
  for (const [status, response] of Object.entries(components.responses ?? {})) add(status, response)
  const inOrder = [...found.values()].toSorted((a, b) => a.status.localeCompare(b.status))
  return new Map(inOrder.map((fault) => [fault.code, fault]))
}
