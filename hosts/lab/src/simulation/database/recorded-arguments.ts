type Args = readonly unknown[]
type Function = (...args: Args) => unknown

/** The arguments of a write, so that it can be repeated with the same effect. */
export type RecordedArguments = {
  /** For the first execution. */
  readonly first: Args
  /** For a repetition: functions return what they returned at first. */
  repeat(): Args
}

/**
 * Records what the functions among the arguments return, such as the maker of an address or what is left until a
 * deadline: a standby that applies the write later must not call them.
 */
export function recordedArguments(args: Args): RecordedArguments {
  const returned = new Map<Function, unknown[]>()
  const record =
    (act: Function): Function =>
    (...given) => {
      const result = act(...given)
      const results = returned.get(act)
      if (results === undefined) returned.set(act, [result])
      else results.push(result)
      return result
    }
  const replay = (act: Function): Function => {
    let calls = 0
    return () => returned.get(act)?.[calls++]
  }
  return {
    first: args.map((each) => withFunctions(each, record, 2)),
    repeat: () => args.map((each) => withFunctions(each, replay, 2)),
  }
}

/** The value with its functions replaced, down to this depth of plain objects. */
function withFunctions(value: unknown, change: (act: Function) => Function, depth: number): unknown {
  if (typeof value === 'function') return change(value as Function)
  if (depth === 0 || !isPlain(value)) return value
  const members = Object.entries(value)
  if (!members.some(([, each]) => typeof each === 'function' || isPlain(each))) return value
  return Object.fromEntries(members.map(([name, each]) => [name, withFunctions(each, change, depth - 1)]))
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
