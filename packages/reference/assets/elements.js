/**
 * @template {Element} E
 * @param {string} selector
 * @param {new () => E} kind
 * @param {ParentNode} [within]
 * @returns {E[]}
 */
export function all(selector, kind, within = document) {
  return [...within.querySelectorAll(selector)].flatMap((found) =>
    found instanceof kind ? [found] : [],
  )
}

/**
 * The first such element, which must exist.
 *
 * @template {Element} E
 * @param {string} selector
 * @param {new () => E} kind
 * @param {ParentNode} [within]
 * @returns {E}
 */
export function one(selector, kind, within = document) {
  const [found] = all(selector, kind, within)
  if (!found) throw new Error(`The page has no ${selector}`)
  return found
}

/** @param {string} tag @param {string} text @param {string} [className] */
export function element(tag, text, className = '') {
  const made = document.createElement(tag)
  made.textContent = text
  made.className = className
  return made
}

export const random = () =>
  crypto.getRandomValues(new Uint32Array(2)).reduce((text, n) => text + n.toString(36), '')

/** Parses JSON; undefined when it is invalid. @param {string} json @returns {unknown} */
export function parsed(json) {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
