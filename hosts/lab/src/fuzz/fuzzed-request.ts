import type { FuzzOperation } from './fuzz-operations.ts'

/** A request that a fuzzer sends. */
export type FuzzedRequest = {
  readonly operation: FuzzOperation
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  /** Whether the document refuses the body. */
  readonly isBodyInvalid: boolean
  /** Whether the request is still one of its operation: a hostile one can be of another or of none. */
  readonly isRouted: boolean
  /** Which credential it carries: the fuzzer of a host maps the number. */
  readonly credential: number
}
