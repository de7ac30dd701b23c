/** A call of a composed function: which one, and its arguments, described when it was called. */
export type Call = { readonly label: string; readonly places: Readonly<Record<string, Leaf>> }
/** A value at a place of an argument: of an object that a recorded call made, the label of that call. */
export type Leaf = string | number | boolean | null

let calls: Call[] = []
let counts = new Map<string, number>()
let made = new WeakMap<object, string>()

/** Forgets what was recorded. */
export function startRecording(): void {
  calls = []
  counts = new Map()
  made = new WeakMap()
}

/** Every place of every call since the start: `tronNode#1.0.url`. */
export const recorded = (): Readonly<Record<string, Leaf>> =>
  Object.fromEntries(
    calls.flatMap(({ label, places }) => Object.entries(places).map(([place, leaf]) => [`${label}.${place}`, leaf])),
  )

// oxlint-disable-next-line typescript/no-explicit-any -- functions of every type are recorded
export type AnyFunction = (...args: any[]) => unknown

/** The function, whose calls are recorded. @param fake  runs in its place */
export const recording = (name: string, original: AnyFunction, fake?: AnyFunction): AnyFunction =>
  new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const run = (): unknown => (fake ? fake(...args) : Reflect.apply(target, self, args))
      if (notComposed.has(name)) return run()
      const label = name === 'namedLoop' ? `loop ${String(args[0])}` : labelOf(name)
      calls.push({ label, places: Object.fromEntries(placesOf(args, '', [])) })
      const result = run()
      if (!endedByOthers.has(name)) recordEnd(result, label)
      if (isReference(result) && name !== 'pollingLoop' && !isData(result)) mark(result, label)
      return result
    },
  })

/** Functions whose result ends with the loop that it is in, or with what it wraps. */
const endedByOthers: ReadonlySet<string> = new Set(['pollingLoop', 'guardedNetwork', 'measuredNetwork'])

/** Records whether what a call has made is ended: at `end`, true once it is. */
function recordEnd(result: unknown, label: string): void {
  if (!isReference(result) || result instanceof Promise) return
  for (const name of ['stop', 'close']) {
    const end = (result as Record<string, unknown>)[name]
    if (typeof end !== 'function') continue
    const record = (isEnded: boolean): void => void calls.push({ label, places: { end: isEnded } })
    record(false)
    Object.assign(result, {
      [name]: (...args: unknown[]): unknown => {
        record(true)
        return Reflect.apply(end, result, args)
      },
    })
  }
}

/** Names an object: where it is an argument, its label stands for it. */
export function mark(value: object, label: string): void {
  if (!made.has(value)) made.set(value, label)
}

/** Functions that parse, compute or name a value: what they return is followed, and not where it came from. */
const notComposed: ReadonlySet<string> = new Set(
  `usdt bob toDecimal parseMoney parseRate whole nodeUrl tronAddress systemMonotonic systemTimer systemPorts logAlert
   isRefused isPlainHttp isWeak readSettings keyKindOf leaseTimes screeningOptions tronIssues tronNodeLimits traceExport
   retryPolicyOf`.split(/\s+/),
)

const isData = (value: object): boolean =>
  typeof value !== 'function' && Object.values(value).every((each: unknown) => !isReference(each) || isData(each))

function labelOf(name: string): string {
  const count = counts.get(name) ?? 0
  counts.set(name, count + 1)
  return count === 0 ? name : `${name}#${count}`
}

const isReference = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

function placesOf(value: unknown, at: string, within: readonly object[]): [string, Leaf][] {
  // Ids are new in each composition.
  if (typeof value === 'string' && /_[0-9A-Z]{26}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-/.test(value)) return []
  if (!isReference(value))
    return value === undefined ? [] : [[at, typeof value === 'bigint' ? `${value}n` : (value as Leaf)]]
  const label = made.get(value)
  if (label !== undefined) return [[at, `→ ${label}`]]
  if (typeof value === 'function') {
    const [, follows] = /(?:^|\.)(now|aheadMs|clockAheadMs|raiseAlert)$/.exec(at) ?? []
    return follows === undefined ? [] : [[at, follows === 'raiseAlert' ? 'other alerts' : 'another clock']]
  }
  if (within.includes(value) || within.length > 6) return []
  if (value instanceof Uint8Array) return [[at, Buffer.from(value).toString('hex')]]
  if (value instanceof Set) return placesOf([...(value as Set<unknown>)], at, within)
  // A function that is given all settings is followed through what it calls.
  if ('DATABASE_URL' in value || 'ENVIRONMENT' in value || 'LOG_LEVEL' in value) return []
  const prototype = Object.getPrototypeOf(value) as unknown
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return []
  // The steps of the reference page are texts.
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'walk' ? [] : placesOf(each, at === '' ? key : `${at}.${key}`, [...within, value]),
  )
}
