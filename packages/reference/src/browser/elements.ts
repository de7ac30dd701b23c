type Kind<E extends Element> = new () => E

export const all = <E extends Element>(selector: string, kind: Kind<E>, within: ParentNode = document): E[] =>
  [...within.querySelectorAll(selector)].filter((found): found is E => found instanceof kind)

/** The first such element, which must exist. */
export function one<E extends Element>(selector: string, kind: Kind<E>, within: ParentNode = document): E {
  const [found] = all(selector, kind, within)
  if (!found) throw new Error(`The page has no ${selector}`)
  return found
}

export function element(tag: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(tag)
  made.textContent = text
  made.className = className
  return made
}

export const random = (): string =>
  crypto.getRandomValues(new Uint32Array(2)).reduce((text, n) => text + n.toString(36), '')

/** Parses JSON; undefined when it is invalid. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

export type Members = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
