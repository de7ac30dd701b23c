import type { Stores } from '@quipu/core'
import { isIterated, type StoreMethod } from './store-methods.ts'

type Send = (method: StoreMethod, args: readonly unknown[]) => Promise<unknown>

/** Stores each of whose calls is sent. @param stores  have the same methods */
export const linkedStores = (stores: Stores, send: Send): Stores =>
  Object.fromEntries(
    Object.entries(stores).map(([store, methods]) => [
      store,
      Object.fromEntries(
        Object.keys(methods).map((name) => {
          const method = { store, name } as StoreMethod
          const call = (...args: unknown[]): Promise<unknown> => send(method, args)
          return [name, isIterated(method) ? iterated(call) : call]
        }),
      ),
    ]),
  ) as unknown as Stores

/** Reads all rows in one call. */
const iterated = (call: (...args: unknown[]) => Promise<unknown>) =>
  async function* (...args: unknown[]) {
    yield* (await call(...args)) as readonly unknown[]
  }
