import type { NamedLoop } from '@quipu/runtime'

export type StartedLoopsPorts = {
  /** Resolves once the clocks were compared. */
  readonly compared: Promise<void>
  /** Runs from the beginning. */
  readonly first: NamedLoop
  /** Starts all other loops. */
  readonly start: () => readonly NamedLoop[]
  /** Closes what the loops use. */
  readonly close: () => Promise<unknown>
}

export type StartedLoops = {
  /** Every loop; undefined before they have started. */
  readonly running: () => readonly NamedLoop[] | undefined
  readonly isStopping: () => boolean
  /** Ends the loops, each with the items that it has claimed, and closes what they use after the last one. */
  readonly stop: () => Promise<void>
}

/** Starts loops once the clocks were compared: leases and records are dated. None starts after a stop has begun. */
export function startedLoops({ compared, first, start, close }: StartedLoopsPorts): StartedLoops {
  let isStopping = false
  let running: readonly NamedLoop[] | undefined
  void compared.then(() => {
    if (!isStopping) running = [first, ...start()]
  })
  return {
    running: () => running,
    isStopping: () => isStopping,
    stop: async () => {
      isStopping = true
      await Promise.all((running ?? [first]).map((loop) => loop.stop()))
      await close()
    },
  }
}
