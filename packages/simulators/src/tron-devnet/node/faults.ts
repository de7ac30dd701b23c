import type { Timers } from '../../timers.ts'
import type { RefusalCode } from '../transaction/admission.ts'

/** What goes wrong with a request. */
export type Mishap =
  /** It waits before anything is done. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** It is answered so, and nothing is done: 403, 429 and 503 are what a rate limit looks like. */
  | { readonly kind: 'status'; readonly status: number }
  /** A node's own limiter: 200 with `{"Error"}`, and nothing is done. */
  | { readonly kind: 'busy' }
  /** 200 with `{}`, or `[]` where a list belongs, and nothing is done. */
  | { readonly kind: 'empty' }
  /** 200 with a body that is no JSON, and nothing is done. */
  | { readonly kind: 'text'; readonly text: string }
  /** A broadcast is answered with this code, and nothing is done. */
  | { readonly kind: 'refuse'; readonly code: RefusalCode }
  /** The connection is closed: before anything is done, or instead of the answer. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** It waits until it is released: before anything is done, or with its answer ready. */
  | { readonly kind: 'hang'; readonly when: 'before' | 'after' }
  /** It is answered by a backend that is so many blocks behind. */
  | { readonly kind: 'stale'; readonly blocks: number }
  /** One member of the answer is something else, or, without `to`, is not there. */
  | {
      readonly kind: 'lie'
      /** A JSON pointer such as `/0/log/0/data`. */
      readonly at: string
      readonly to?: unknown
    }
  /** The answer is what this makes of it. Only in the same process. */
  | { readonly kind: 'rewrite'; rewrite(answer: unknown, body: unknown): unknown }

export type Fault = Mishap & {
  /** The endpoint, such as `getblockbynum` or `walletsolidity/getblock`; every one by default. */
  readonly on?: string | undefined
  /** Members that the request must have, such as `{num: 7}`. */
  readonly where?: Readonly<Record<string, unknown>> | undefined
  /** How many such requests it lets by first. */
  readonly after?: number | undefined
  /** It befalls each so-manyeth of them; each by default. */
  readonly every?: number | undefined
  /** How many it befalls, until it is cleared by default. */
  readonly times?: number | undefined
}

export type FaultBox = {
  add(...faults: readonly Fault[]): void
  current(): readonly Fault[]
  /** Clears every fault and lets every waiting request go. */
  clear(): void
  /** What befalls this request; each fault is counted. */
  meet(path: string, body: unknown): Mishap[]
  /** Waits with the others until they are released. */
  hang(path: string): Promise<void>
  /** Paths of the requests that wait, in order of arrival. */
  hanging(): string[]
  /** Resolves as soon as so many requests wait. */
  untilHanging(count: number): Promise<void>
  /** Lets waiting requests go. @returns how many went */
  release(): number
  wait: Timers['wait']
}

export function createFaultBox({ wait }: Timers): FaultBox {
  let faults: { readonly fault: Fault; met: number; befell: number }[] = []
  let waiting: { readonly path: string; readonly go: () => void }[] = []
  let watchers: { readonly count: number; readonly seen: () => void }[] = []
  const release = (): number => {
    const going = waiting
    waiting = []
    for (const { go } of going) go()
    return going.length
  }
  return {
    add(...added) {
      faults.push(...added.map((fault) => ({ fault, met: 0, befell: 0 })))
    },
    current: () => faults.map(({ fault }) => fault),
    clear() {
      faults = []
      release()
    },
    meet(path, body) {
      const met = faults.filter(({ fault }) => concerns(fault, path, body))
      const befalling = met.filter((one) => {
        const { after = 0, every = 1, times = Infinity } = one.fault
        const turn = ++one.met - after
        const befalls = turn > 0 && turn % every === 0 && one.befell < times
        if (befalls) one.befell++
        return befalls
      })
      faults = faults.filter(({ fault, befell }) => befell < (fault.times ?? Infinity))
      return befalling.map(({ fault }) => fault)
    },
    async hang(path) {
      await new Promise<void>((go) => {
        waiting.push({ path, go })
        const ready = watchers.filter(({ count }) => waiting.length >= count)
        watchers = watchers.filter((watcher) => !ready.includes(watcher))
        for (const { seen } of ready) seen()
      })
    },
    hanging: () => waiting.map(({ path }) => path),
    async untilHanging(count) {
      if (waiting.length >= count) return
      await new Promise<void>((seen) => {
        watchers.push({ count, seen })
      })
    },
    release,
    wait,
  }
}

function concerns({ kind, on, where = {} }: Fault, path: string, body: unknown): boolean {
  if (kind === 'refuse' && !path.startsWith('wallet/broadcast')) return false
  if (on !== undefined && on !== path && !path.endsWith(`/${on}`)) return false
  const members = (body ?? {}) as Record<string, unknown>
  return Object.entries(where).every(([name, value]) => String(members[name]) === String(value))
}

/** The answer with one member changed; unchanged when the pointer leads nowhere. */
export function lieAt(answer: unknown, pointer: string, to: unknown): unknown {
  const path = pointer.split('/').slice(1)
  const last = path.pop()
  if (last === undefined) return to
  const copy: unknown = structuredClone(answer)
  const parent = path.reduce<unknown>((value, name) => member(value, name), copy)
  if (typeof parent !== 'object' || parent === null) return copy
  if (to !== undefined) Object.assign(parent, { [last]: to })
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else Reflect.deleteProperty(parent, last)
  return copy
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
