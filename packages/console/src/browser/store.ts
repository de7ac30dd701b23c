import { useEffect, useState } from 'preact/hooks'

/** A value that components follow. */
export type Store<T> = {
  get(): T
  set(value: T): void
  /** @returns stops following */
  follow(changed: () => void): () => void
}

export function store<T>(initial: T): Store<T> {
  let value = initial
  const followers = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const changed of followers) changed()
    },
    follow: (changed) => {
      followers.add(changed)
      return () => void followers.delete(changed)
    },
  }
}

/** The value of a store; the component renders again when it changes. */
export function useStore<T>(of: Store<T>): T {
  const [value, setValue] = useState(() => of.get())
  useEffect(() => {
    const update = (): void => setValue(() => of.get())
    update() // It may have changed between rendering and now.
    return of.follow(update)
  }, [of])
  return value
}
