import { type Quipu, quipu, type QuipuOptions } from '@quipu/client'

/** A client that remembers what of it was used. */
export type UsedClient = {
  readonly client: Quipu
  /** Methods that nobody has called: `payouts.get`. */
  unused(): readonly string[]
  /** What was asked of the server: `GET /v1/payouts/po_01…`. */
  readonly asked: ReadonlySet<string>
}

export function usedClient(options: QuipuOptions): UsedClient {
  const asked = new Set<string>()
  const called = new Set<string>()
  const plain = quipu({
    ...options,
    async fetch(url, init) {
      const request = new Request(url, init)
      asked.add(`${request.method} ${new URL(request.url).pathname}`)
      return fetch(request)
    },
  })
  return {
    client: watched(plain, '', called) as Quipu,
    unused: () => methodsOf(plain, '').filter((name) => !called.has(name)),
    asked,
  }
}

/** The same object, of which every call of a method is noted by its path. */
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
