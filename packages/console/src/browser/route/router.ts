import { type Store, store } from '../store.ts'

/** Where every address of the console begins. */
const base = '/console'

/** A place in the console. */
export type Place = {
  /** Begins with `/`. */
  readonly path: string
  readonly query: URLSearchParams
}

const placeNow = (): Place => ({
  path: location.pathname.slice(base.length).replace(/\/$/, '') || '/',
  query: new URLSearchParams(location.search),
})

export const place: Store<Place> = store(placeNow())

/** Follows the browser's history. */
export function applyHistory(): void {
  addEventListener('popstate', () => place.set(placeNow()))
}

/** The address of a place. @param to  path and query, such as `/payouts?status=processing` */
export const addressOf = (to: string): string => `${base}${to === '/' ? '' : to}`

/** @param options  `replace` adds no step to the history */
export function navigate(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(to))
  place.set(placeNow())
  if (!replace) scrollTo(0, 0)
}

/** `/payouts` with these parameters; empty ones are left out. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const filled = Object.entries(parameters).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  )
  return filled.length === 0 ? path : `${path}?${new URLSearchParams(filled).toString()}`
}

/** The parameters of a path that matches a pattern such as `/payouts/:id`. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [expected, found] = [pattern.split('/'), path.split('/')]
  if (expected.length !== found.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [at, part] of expected.entries()) {
    const value = found[at] ?? ''
    if (part.startsWith(':')) parameters[part.slice(1)] = decoded(value)
    else if (part !== value) return undefined
  }
  return parameters
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
