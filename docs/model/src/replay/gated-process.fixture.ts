import { type Timer, Unavailable } from '@quipu/core'

/** A call of a port that a process waits for. */
type Call = {
  readonly name: string
  readonly args: readonly unknown[]
  readonly run: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * A process of which every call of a port waits until the test lets it pass. A new use case can begin when the
 * one before has ended or was crashed.
 */
export type GatedProcess = {
  /** The object with gated methods. */
  gate<Port extends object>(port: Port): Port
  readonly timer: Timer
  /** Starts a use case, and lets it run to its first call that is not passed by itself. */
  start<T>(useCase: () => Promise<T>, ended: (result: T) => void): Promise<void>
  /** The names of the waiting calls, without timers. */
  waiting(): readonly string[]
  /** Whether a timer runs. */
  isTiming(): boolean
  /** Whether a use case runs. */
  isRunning(): boolean
  /** The arguments of the waiting call of this name. */
  argsOf(name: string): readonly unknown[]
  /** Makes the call, and gives the process its answer. */
  pass(name: string): Promise<void>
  /** Makes the call, and the process loses its connection: no later call of the use case gets through. */
  lose(name: string): Promise<void>
  /** The call fails, without being made: its outcome is unknown. */
  fail(name: string): Promise<void>
  /** Answers without making the call. */
  answer(name: string, value: unknown): Promise<void>
  /** Ends the running timers. */
  wake(): Promise<void>
  crash(): void
}

type Inside = {
  readonly passed: readonly string[]
  calls: Call[]
  timers: (() => void)[]
  /** The number of the use case: an answer to an earlier one is ignored. */
  epoch: number
  isRunning: boolean
  /** The connection was lost. */
  isCut: boolean
  failure: unknown
}

/** @param passed the names of calls that pass by themselves */
export function gatedProcess(passed: readonly string[]): GatedProcess {
  const inside: Inside = {
    ...{ passed, calls: [], timers: [], epoch: 0 },
    ...{ isRunning: false, isCut: false, failure: undefined },
  }
  return {
    gate: (port) => gated(inside, port),
    timer: () => {
      const { promise: done, resolve } = Promise.withResolvers<void>()
      inside.timers.push(resolve)
      const cancel = (): void => {
        inside.timers = inside.timers.filter((each) => each !== resolve)
      }
      return { done, cancel }
    },
    start: (useCase, ended) => start(inside, useCase, ended),
    waiting: () => inside.calls.map(({ name }) => name),
    isTiming: () => inside.timers.length > 0,
    isRunning: () => inside.isRunning,
    argsOf: (name) => inside.calls.find((each) => each.name === name)?.args ?? [],
    pass: async (name) => {
      await run(take(inside, name))
      await untilWaiting(inside)
    },
    lose: async (name) => {
      const call = take(inside, name)
      await call.run()
      inside.isCut = true
      call.reject(new Unavailable('store', 'the answer was lost'))
      await untilWaiting(inside)
    },
    fail: async (name) => {
      take(inside, name).reject(new Unavailable('store', 'the connection was lost'))
      await untilWaiting(inside)
    },
    answer: async (name, value) => {
      take(inside, name).resolve(value)
      await untilWaiting(inside)
    },
    wake: async () => {
      for (const end of inside.timers.splice(0)) end()
      await untilWaiting(inside)
    },
    crash: () => {
      Object.assign(inside, { calls: [], timers: [], isRunning: false, epoch: inside.epoch + 1 })
    },
  }
}

function gated<Port extends object>(inside: Inside, port: Port): Port {
  const methods = Object.entries(port) as [string, (...args: unknown[]) => Promise<unknown>][]
  const waits = methods.map(([name, method]) => {
    const wait = (...args: unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        inside.calls.push({ name, args, run: () => method(...args), resolve, reject })
      })
    return [name, wait] as const
  })
  return Object.fromEntries(waits) as Port
}

function take(inside: Inside, name: string): Call {
  const call = inside.calls.find((each) => each.name === name)
  const names = inside.calls.map((each) => each.name).join()
  if (!call) throw new Error(`the process waits for ${names || 'nothing'}, not ${name}`)
  inside.calls = inside.calls.filter((each) => each !== call)
  return call
}

const run = (call: Call): Promise<void> => call.run().then(call.resolve, call.reject)

async function start<T>(
  inside: Inside,
  useCase: () => Promise<T>,
  ended: (result: T) => void,
): Promise<void> {
  const mine = ++inside.epoch
  Object.assign(inside, { isRunning: true, isCut: false, failure: undefined })
  const end = (error?: unknown): void => {
    if (mine === inside.epoch) Object.assign(inside, { isRunning: false, failure: error })
  }
  useCase()
    .then((result) => {
      if (mine === inside.epoch) ended(result)
    })
    .then(() => end(), end)
  await untilWaiting(inside)
}

/** Lets the process run until it waits for a call that does not pass by itself. */
async function untilWaiting(inside: Inside): Promise<void> {
  for (let still = 0; still < 2; still++) {
    await new Promise((resolve) => setImmediate(resolve))
    const next = inside.calls.find(({ name }) => inside.isCut || inside.passed.includes(name))
    if (!next) continue
    still = -1
    const call = take(inside, next.name)
    if (inside.isCut) call.reject(new Unavailable('store', 'the connection was lost'))
    else await run(call)
  }
  const { failure } = inside
  const isExpected = failure === undefined || failure instanceof Unavailable
  if (!isExpected) throw new Error('the use case failed', { cause: failure })
}
