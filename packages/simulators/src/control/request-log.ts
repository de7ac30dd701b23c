/** A request that has arrived, at an ISO 8601 instant. */
export type SeenRequest<Operation extends string> = {
  readonly operation: Operation
  readonly at: string
  /** The answered status; `dropped` without an answer; null before the answer. */
  readonly answer: number | 'dropped' | null
}

/** The requests for one reference, and the number of those that are counted. Refused connections are not counted. */
export type ReferenceRequests<Operation extends string, Counted extends Operation> = {
  readonly [K in Counted]: number
} & {
  readonly reference: string
  /** The newest hundred, oldest first. */
  readonly requests: readonly SeenRequest<Operation>[]
}

export type RequestLog<Operation extends string, Counted extends Operation> = {
  /** Records a request. @returns a function that records its answer */
  arrived(operation: Operation, reference: string | undefined): (answer: number | 'dropped') => void
  /** The newest 10,000 references, oldest first; or one reference, with zeros if it has no requests. */
  references(reference?: string): ReferenceRequests<Operation, Counted>[]
  clear(): void
}

const referencesMax = 10_000
const requestsMax = 100

type MutableRequest<Operation extends string> = {
  -readonly [K in keyof SeenRequest<Operation>]: SeenRequest<Operation>[K]
}
type ReferenceLog<Operation extends string> = {
  counts: Record<Operation, number>
  requests: MutableRequest<Operation>[]
}

/** @param counted  the operations whose number is shown by reference */
export function createRequestLog<Operation extends string, Counted extends Operation>(
  operations: readonly Operation[],
  counted: readonly Counted[],
  now: () => number,
): RequestLog<Operation, Counted> {
  const byReference = new Map<string, ReferenceLog<Operation>>()
  const zeros = () => Object.fromEntries(operations.map((operation) => [operation, 0])) as Record<Operation, number>
  const logOf = (reference: string): ReferenceLog<Operation> => {
    const known = byReference.get(reference)
    if (known) return known
    const fresh: ReferenceLog<Operation> = { counts: zeros(), requests: [] }
    byReference.set(reference, fresh)
    const oldest = byReference.size > referencesMax ? byReference.keys().next().value : undefined
    if (oldest !== undefined) byReference.delete(oldest)
    return fresh
  }
  const view = (reference: string, log?: ReferenceLog<Operation>): ReferenceRequests<Operation, Counted> => ({
    reference,
    ...(Object.fromEntries(counted.map((name) => [name, log?.counts[name] ?? 0])) as Record<Counted, number>),
    requests: (log?.requests ?? []).map((seen) => ({ ...seen })),
  })
  return {
    arrived(operation, reference) {
      if (reference === undefined) return () => {}
      const log = logOf(reference)
      log.counts[operation] += 1
      const seen: MutableRequest<Operation> = { operation, at: new Date(now()).toISOString(), answer: null }
      log.requests.push(seen)
      if (log.requests.length > requestsMax) log.requests.shift()
      return (answer) => (seen.answer = answer)
    },
    references(reference) {
      if (reference === undefined) return Array.from(byReference, ([reference, log]) => view(reference, log))
      return [view(reference, byReference.get(reference))]
    },
    clear: () => byReference.clear(),
  }
}
