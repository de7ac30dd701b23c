import type { PollingLoop } from './polling-loop.ts'

/** A loop as probes, metrics and operators know it. */
export type NamedLoop = PollingLoop & {
  /** `snake_case`, the same in every process of a program. */
  readonly name: string
  /** From this duration of one poll on the loop counts as halted. */
  readonly haltedAfterMs: number
}

/** Longer than any poll whose calls all reach their deadlines. */
const defaultHaltedAfterMs = 120_000

export const namedLoop = (
  name: string,
  loop: PollingLoop,
  haltedAfterMs: number = defaultHaltedAfterMs,
): NamedLoop => ({ ...loop, name, haltedAfterMs })

/** Names of the loops whose poll does not end. */
export const haltedLoops = (loops: readonly NamedLoop[]): readonly string[] =>
  loops.filter(({ activity, haltedAfterMs }) => activity().pollingMs >= haltedAfterMs).map(({ name }) => name)
