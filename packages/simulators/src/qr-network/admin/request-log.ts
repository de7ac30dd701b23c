/** The operations of the network's API. */
export const operations = ['read', 'put', 'get', 'cancel', 'statement', 'liquidity', 'issue'] as const
export type Operation = (typeof operations)[number]

export type SeenRequest = {
  readonly operation: Operation
  readonly at: string
  /** The answered status; `dropped` without an answer; null before the answer. */
  readonly answer: number | 'dropped' | null
}

/** The requests for one reference. Refused connections are not counted. */
export type ReferenceRequests = {
  readonly reference: string
  readonly put: number
  readonly get: number
  readonly cancel: number
  /** The newest hundred, oldest first. */
  readonly requests: readonly SeenRequest[]
}

export type RequestLog = {
  /** Records a request. @returns a function that records its answer */
  arrived(operation: Operation, reference: string | undefined): (answer: number | 'dropped') => void
  /** The newest 10,000 references, oldest first; or one reference, with zeros if it has no requests. */
  references(reference?: string): ReferenceRequests[]
  /** Number of requests of each operation, with and without a reference. */
  totals(): Readonly<Record<Operation, number>>
  clear(): void
}

const referencesMax = 10_000
const requestsMax = 100

type MutableRequest = { -readonly [K in keyof SeenRequest]: SeenRequest[K] }
type ReferenceLog = Record<'put' | 'get' | 'cancel', number> & { requests: MutableRequest[] }

export function createRequestLog(now: () => number): RequestLog {
  const byReference = new Map<string, ReferenceLog>()
  const zeros = () => Object.fromEntries(operations.map((operation) => [operation, 0])) as Record<Operation, number>
  let totals = zeros()
  const logOf = (reference: string): ReferenceLog => {
    const known = byReference.get(reference)
    if (known) return known
    const fresh: ReferenceLog = { put: 0, get: 0, cancel: 0, requests: [] }
    byReference.set(reference, fresh)
    const oldest = byReference.size > referencesMax ? byReference.keys().next().value : undefined
    if (oldest !== undefined) byReference.delete(oldest)
    return fresh
  }
  return {
    arrived(operation, reference) {
      totals[operation] += 1
      if (reference === undefined) return () => {}
      const log = logOf(reference)
      if (operation === 'put' || operation === 'get' || operation === 'cancel') log[operation] += 1
      const seen: MutableRequest = { operation, at: new Date(now()).toISOString(), answer: null }
      log.requests.push(seen)
      if (log.requests.length > requestsMax) log.requests.shift()
      return (answer) => (seen.answer = answer)
    },
    references(reference) {
      if (reference === undefined) return Array.from(byReference, ([reference, counted]) => view(reference, counted))
      return [view(reference, byReference.get(reference))]
    },
    totals: () => ({ ...totals }),
    clear() {
      byReference.clear()
      totals = zeros()
    },
  }
}

const view = (reference: string, counted?: ReferenceLog): ReferenceRequests => ({
  reference,
  put: counted?.put ?? 0,
  get: counted?.get ?? 0,
  cancel: counted?.cancel ?? 0,
  requests: (counted?.requests ?? []).map((seen) => ({ ...seen })),
})
