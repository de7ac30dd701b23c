import { setTimeout as pause } from 'node:timers/promises'
import type { Proxy } from '@quipu/embedded-postgres'
import type { Load } from '../../load/load.ts'
import type { ChaosViolation } from '../compare.ts'
import type { Pair } from '../system/database.ts'
import type { Heal } from '../system/network.ts'
import type { System } from '../system/system.ts'

export type FaultContext = {
  readonly system: System
  readonly load: Load
  /** Reports a payout that must not have been accepted, or another violation. */
  readonly report: (detail: string, kind?: ChaosViolation['kind']) => void
  /** Prints a measurement. */
  readonly say: (line: string) => void
  /** Uniform in [low, high), determined by the seed of the step. */
  readonly between: (low: number, high: number) => number
}

/** Injects a fault. @returns a function that heals it */
export type Injection = (context: FaultContext) => Promise<Heal> | Heal

/** The injection of a fault that is over at once. */
export const none: Heal = () => undefined

/** The primary and the standby of a system that has no more. */
export function pairOf({ system: { database } }: Pick<FaultContext, 'system'>): Pair {
  if (!database.pair) throw new Error('the database is no pair')
  return database.pair
}

export function oneOf<T>(items: readonly T[], { between }: Pick<FaultContext, 'between'>): T {
  const item = items[Math.floor(between(0, items.length))]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}

/** Repeats an action a few times over about two seconds. */
export async function several({ between }: FaultContext, action: () => void): Promise<void> {
  for (let left = Math.floor(between(2, 6)); left > 0; left--) {
    action()
    await pause(between(50, 700))
  }
}

/** Drops the bytes of all open connections; heals for later ones. */
export function halfOpen(proxy: Proxy): Heal {
  proxy.blackOut()
  return () => proxy.endBlackOut()
}
