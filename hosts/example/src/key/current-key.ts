import { AsyncLocalStorage } from 'node:async_hooks'
import type { KeyState } from './key-state.ts'

const storage = new AsyncLocalStorage<KeyState>()

/** Runs a function on behalf of a key; asynchronous work that it starts is included. */
export const runAs = <T>(state: KeyState, act: () => T): T => storage.run(state, act)

/** Undefined outside of `runAs`. */
export const currentKeyIfAny = (): KeyState | undefined => storage.getStore()

/** The state of the key that this runs on behalf of. @throws Error outside of `runAs` */
export function currentKey(): KeyState {
  const state = storage.getStore()
  if (!state) throw new Error('called outside of runAs: there is no current key')
  return state
}
