import { AsyncLocalStorage } from 'node:async_hooks'
import type { World } from './key-state.ts'

const storage = new AsyncLocalStorage<World>()

/** Does something on behalf of a key, with everything that follows from it. */
export const inWorld = <T>(world: World, act: () => T): T => storage.run(world, act)

/** Undefined while nobody has shown a key. */
export const worldIfAny = (): World | undefined => storage.getStore()

/** The world of the key on whose behalf this runs. */
export function currentWorld(): World {
  const world = storage.getStore()
  if (!world) throw new Error('this belongs to a key, and runs on behalf of none')
  return world
}
