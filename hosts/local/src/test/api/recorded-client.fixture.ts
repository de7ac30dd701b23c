import { type Quipu, quipu, type QuipuOptions } from '@quipu/client'

/** A client that records its calls. */
export type RecordedClient = {
  readonly client: Quipu
  /** Methods not called yet, such as `payouts.get`. */
  unused(): readonly string[]
  /** Requests sent, such as `GET /v1/payouts/po_01…`. */
  readonly requests: ReadonlySet<string>
}

export function recordedClient(options: QuipuOptions): RecordedClient {
  const requests = new Set<string>()
  const called = new Set<string>()
  const plain = quipu({
    ...options,
    async fetch(url, init) {
      const request = new Request(url, init)
      requests.add(`${request.method} ${new URL(request.url).pathname}`)
      return fetch(request)
    },
  })
  return {
    client: watched(plain, '', called) as Quipu,
    unused: () => methodsOf(plain, '').filter((name) => !called.has(name)),
    requests,
  }
}

/** Wraps an object and records the path of every method that is called. */
const watched = (part: object, path: string, called: Set<string>): object =>
  new Proxy(part, {
    get(target, name: string) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === 'function') called.add(path + name)
      return typeof value === 'object' && value ? watched(value, `${path}${name}.`, called) : value
    },
  })

const methodsOf = (part: object, path: string): string[] =>
  Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value ? methodsOf(value, `${path}${name}.`) : [path + name],
  )
