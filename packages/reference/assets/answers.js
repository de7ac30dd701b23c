import { element, parsed } from './elements.js'

const shownHeaders = [
  'X-Request-Id',
  'Idempotent-Replayed',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Allow',
]

/** @param {HTMLElement} outcome @param {Response} response @param {string} text @param {number} ms */
export function showAnswer(outcome, response, text, ms) {
  const json = parsed(text)
  const status = element('p', '', response.ok ? 'good' : 'problem')
  status.append(element('b', `${response.status} ${response.statusText}`), ` in ${ms} ms`)
  const headers = element('dl', '')
  for (const name of shownHeaders) {
    const value = response.headers.get(name)
    if (value !== null) headers.append(element('dt', name), element('dd', value))
  }
  const shown = element('pre', json === undefined ? text : JSON.stringify(json, null, 2))
  show(outcome, [status, headers, ...imagesIn(json), ...(text === '' ? [] : [shown])])
}

/** The images of an answer, such as a QR. @param {unknown} json */
function imagesIn(json) {
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([name, value]) => {
    if (typeof value !== 'string' || !value.startsWith('data:image/png;')) return []
    const image = new Image()
    image.src = value
    image.alt = name
    return [image]
  })
}

/** @param {HTMLElement} outcome @param {readonly Node[]} parts */
export function show(outcome, parts) {
  outcome.replaceChildren(...parts)
  outcome.hidden = false
}
