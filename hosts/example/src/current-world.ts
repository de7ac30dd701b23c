import { AsyncLocalStorage } from 'node:async_hooks'
import type { World } from './world.ts'

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

/**
 * Stands in for a part of whatever world is the current one, so that what is composed once serves
 * all keys, and reaches nothing but the caller's own.
 *
 * @param asked  is told of each of its methods that is asked for
 */
export const ofCurrentWorld = <Part extends object>(
  part: (world: World) => Part,
  asked?: (world: World, method: string | symbol) => void,
): Part =>
  new Proxy({} as Part, {
    get: (_, method) => {
      const world = currentWorld()
      asked?.(world, method)
      return Reflect.get(part(world), method)
    },
  })
