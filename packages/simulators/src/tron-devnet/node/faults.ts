import type { Timers } from '../../timers.ts'
import type { RefusalCode } from '../chain/admission.ts'

/** The effect of a fault on a request. */
export type FaultEffect =
  /** Answers with this status, without effect. Rate limits use 403, 429 and 503. */
  | { readonly kind: 'status'; readonly status: number }
  /** A node's own rate limiter: answers 200 with `{"Error"}`, without effect. */
  | { readonly kind: 'busy' }
  /** Answers 200 with `{}` or `[]`, without effect. */
  | { readonly kind: 'empty' }
  /** Answers 200 with a body that is no JSON, without effect. */
  | { readonly kind: 'text'; readonly text: string }
  /** Answers a broadcast with this code, without effect. */
  | { readonly kind: 'refuse'; readonly code: RefusalCode }
  /** Closes the connection before the request takes effect, or instead of the answer. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** Hangs until released, before the request takes effect or before its answer. */
  | { readonly kind: 'hang'; readonly when: 'before' | 'after' }
  /** Answers from a state that is this number of blocks behind. */
  | { readonly kind: 'stale'; readonly blocks: number }
  /** Receipts of this size: each one in the answer is blown up to it, and takes its time. */
  | { readonly kind: 'large'; readonly bytes: number; readonly msPerMiB?: number | undefined }
  /** Changes one member of the answer, or removes it without `to`. */
  | {
      readonly kind: 'alter'
      /** A JSON pointer such as `/0/log/0/data`. */
      readonly at: string
      readonly to?: unknown
    }
  /** Replaces the answer. Only within the same process. */
  | { readonly kind: 'rewrite'; rewrite(answer: unknown, body: unknown): unknown }

/** A fault of a node, and the requests that it applies to. */
export type Fault = FaultEffect & {
  /** Endpoint such as `getblockbynum` or `walletsolidity/getblock`; all by default. */
  readonly on?: string | undefined
  /** Required members of the request, such as `{num: 7}`. */
  readonly where?: Readonly<Record<string, unknown>> | undefined
  /** Number of matching requests to skip. */
  readonly after?: number | undefined
  /** Applies only to each n-th matching request; 1 by default. */
  readonly every?: number | undefined
  /** Number of requests it applies to; unlimited by default. */
  readonly times?: number | undefined
}

export type FaultBox = {
  add(...faults: readonly Fault[]): void
  current(): readonly Fault[]
  /** Clears all faults and releases the requests that hang. */
  clear(): void
  /** Counts the request. @returns the effects that apply to it */
  take(path: string, body: unknown): FaultEffect[]
  /** Hangs until released. */
  hang(path: string): Promise<void>
  /** Paths of the requests that hang, in order of arrival. */
  hanging(): string[]
  /** Resolves when at least `count` requests hang. */
  untilHanging(count: number): Promise<void>
  /** Releases the requests that hang. @returns their number */
  release(): number
  wait: Timers['wait']
}

export function createFaultBox({ wait }: Timers): FaultBox {
  let faults: { readonly fault: Fault; matched: number; applied: number }[] = []
  let waiting: { readonly path: string; readonly resume: () => void }[] = []
  let watchers: { readonly count: number; readonly resolve: () => void }[] = []
  const release = (): number => {
    const released = waiting
    waiting = []
    for (const { resume } of released) resume()
    return released.length
  }
  return {
    add(...added) {
      faults.push(...added.map((fault) => ({ fault, matched: 0, applied: 0 })))
    },
    current: () => faults.map(({ fault }) => fault),
    clear() {
      faults = []
      release()
    },
    take(path, body) {
      const matching = faults.filter(({ fault }) => matches(fault, path, body))
      const applying = matching.filter((one) => {
        const { after = 0, every = 1, times = Infinity } = one.fault
        const turn = ++one.matched - after
        const applies = turn > 0 && turn % every === 0 && one.applied < times
        if (applies) one.applied++
        return applies
      })
      faults = faults.filter(({ fault, applied }) => applied < (fault.times ?? Infinity))
      return applying.map(({ fault }) => fault)
    },
    async hang(path) {
      await new Promise<void>((resume) => {
        waiting.push({ path, resume })
        const ready = watchers.filter(({ count }) => waiting.length >= count)
        watchers = watchers.filter((watcher) => !ready.includes(watcher))
        for (const { resolve } of ready) resolve()
      })
    },
    hanging: () => waiting.map(({ path }) => path),
    async untilHanging(count) {
      if (waiting.length >= count) return
      await new Promise<void>((resolve) => {
        watchers.push({ count, resolve })
      })
    },
    release,
    wait,
  }
}

function matches({ kind, on, where = {} }: Fault, path: string, body: unknown): boolean {
  if (kind === 'refuse' && !path.startsWith('wallet/broadcast')) return false
  if (kind === 'large' && !path.includes('/gettransactioninfoby')) return false
  if (on !== undefined && on !== path && !path.endsWith(`/${on}`)) return false
  const members = (body ?? {}) as Record<string, unknown>
  return Object.entries(where).every(([name, value]) => String(members[name]) === String(value))
}

/** Blank space is valid between the tokens of JSON. */
export function blownUp(answer: unknown, bytes: number): string {
  const text = JSON.stringify(answer)
  const items = Array.isArray(answer) ? answer.length : Math.min(1, Object.keys(answer ?? {}).length)
  return text + ' '.repeat(Math.max(0, items * bytes - text.length))
}

/** Changes one member of an answer; without effect if the pointer has no target. */
export function alterAt(answer: unknown, pointer: string, to: unknown): unknown {
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
