import { type Store, store } from '../store.ts'

/**
 * A choice of the person that this browser remembers. Where it may not store anything, the choice lasts as long as
 * the page.
 */
export function preference<T extends string>(name: string, values: readonly T[], initial: T): Store<T> {
  const key = `quipu-${name}`
  const chosen = store(values.find((value) => value === stored(key)) ?? initial)
  chosen.follow(() => remember(key, chosen.get()))
  return chosen
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The browser stores nothing for this page.
  }
}
