/** What the service can ask the network. */
export type Operation = 'read' | 'put' | 'get' | 'close' | 'statement' | 'liquidity' | 'issue'

export const operations: readonly [Operation, ...Operation[]] = [
  'read',
  'put',
  'get',
  'close',
  'statement',
  'liquidity',
  'issue',
]

export type SeenRequest = {
  readonly operation: Operation
  readonly at: string
  /** The status answered; `dropped` without an answer; null while it is being worked on. */
  readonly answer: number | 'dropped' | null
}

/** The requests that named one reference; what a refused connection carried is not seen. */
export type ReferenceRequests = {
  readonly reference: string
  readonly put: number
  readonly get: number
  readonly close: number
  /** Oldest first; the last hundred. */
  readonly requests: readonly SeenRequest[]
}

export type RequestLog = {
  /** Notes an arrival; the result is called with the answer. */
  arrived(operation: Operation, reference: string | undefined): (answer: number | 'dropped') => void
  /** The last 10,000 references, oldest first; or the one asked for, with zeros when never seen. */
  references(reference?: string): ReferenceRequests[]
  /** How often each operation was asked, with or without a reference. */
  totals(): Readonly<Record<Operation, number>>
  clear(): void
}

const referencesMax = 10_000
const requestsMax = 100

type Kept = { -readonly [K in keyof SeenRequest]: SeenRequest[K] }
type Counted = Record<'put' | 'get' | 'close', number> & { requests: Kept[] }

export function createRequestLog(now: () => number): RequestLog {
  const byReference = new Map<string, Counted>()
  const none = (): Record<Operation, number> => ({
    read: 0,
    put: 0,
    get: 0,
    close: 0,
    statement: 0,
    liquidity: 0,
    issue: 0,
  })
  let totals = none()
  const countedOf = (reference: string): Counted => {
    const known = byReference.get(reference)
    if (known) return known
    const fresh: Counted = { put: 0, get: 0, close: 0, requests: [] }
    byReference.set(reference, fresh)
    const oldest = byReference.size > referencesMax ? byReference.keys().next().value : undefined
    if (oldest !== undefined) byReference.delete(oldest)
    return fresh
  }
  return {
    arrived(operation, reference) {
      totals[operation] += 1
      if (reference === undefined) return () => {}
      const counted = countedOf(reference)
      if (operation === 'put' || operation === 'get' || operation === 'close')
        counted[operation] += 1
      const seen: Kept = { operation, at: new Date(now()).toISOString(), answer: null }
      counted.requests.push(seen)
      if (counted.requests.length > requestsMax) counted.requests.shift()
      return (answer) => (seen.answer = answer)
    },
    references(reference) {
      if (reference === undefined)
        return Array.from(byReference, ([reference, counted]) => view(reference, counted))
      return [view(reference, byReference.get(reference))]
    },
    totals: () => ({ ...totals }),
    clear() {
      byReference.clear()
      totals = none()
    },
  }
}

const view = (reference: string, counted?: Counted): ReferenceRequests => ({
  reference,
  put: counted?.put ?? 0,
  get: counted?.get ?? 0,
  close: counted?.close ?? 0,
  requests: (counted?.requests ?? []).map((seen) => ({ ...seen })),
})
