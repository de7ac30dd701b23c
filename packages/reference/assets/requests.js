import { all, parsed } from './elements.js'
import { baseUrl, freePrefix, key, label } from './session.js'

export const forms = all('form[data-path]', HTMLFormElement)

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */
/** @param {HTMLFormElement} form @param {string} place @returns {Field[]} */
export const fieldsIn = (form, place) =>
  /** @type {Field[]} */ ([...form.querySelectorAll(`[data-in=${place}]`)])

/** The request of a form. @param {HTMLFormElement} form */
export function requestOf(form) {
  const { method = 'GET', path = '', keyHeader, keyPrefix = '' } = form.dataset
  const filled = fieldsIn(form, 'path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const query = new URLSearchParams(
    fieldsIn(form, 'query').flatMap(({ name, value }) => (value === '' ? [] : [[name, value]])),
  )
  /** @type {Record<string, string>} */
  const headers = {}
  for (const { name, value } of fieldsIn(form, 'header')) if (value !== '') headers[name] = value
  const body = fieldsIn(form, 'body')[0]?.value.trim() ?? ''
  if (body !== '') headers['Content-Type'] = 'application/json'
  const search = query.size > 0 ? `?${query}` : ''
  return { method, target: filled + search, keyHeader, keyPrefix, headers, body }
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/** The curl command of a form. Does not show a key that the reader entered. @param {HTMLFormElement} form */
export function showCurl(form) {
  const { method, target, keyHeader, keyPrefix, headers, body } = requestOf(form)
  const shownKey = freePrefix() === undefined ? `$${label.toUpperCase()}` : key.value
  const isPlain = method === (body === '' ? 'GET' : 'POST')
  const lines = [
    `curl${isPlain ? '' : ` -X ${method}`} "${baseUrl()}${target}"`,
    ...(keyHeader === undefined ? [] : [`-H "${keyHeader}: ${keyPrefix}${shownKey}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`-d ${quoted(compact(body))}`]),
  ]
  const shown = form.closest('section')?.querySelector('.curl')
  if (shown) shown.textContent = lines.join(' \\\n  ')
}

/** @param {string} json */
function compact(json) {
  const value = parsed(json)
  return value === undefined ? json : JSON.stringify(value)
}

/** What a reader confirms before a request that changes something; undefined: it is sent without a question. */
function warning() {
  if (label === 'Token') return 'This changes the data of the service. Send it?'
  if (!key.value.includes('_live_')) return undefined
  return 'This is a live key: the request moves real money. Send it?'
}

/** The reason not to send a request, or undefined. @param {string} method @param {string | undefined} keyHeader */
export function refusal(method, keyHeader) {
  const prefix = freePrefix()
  const question = warning()
  if (keyHeader === undefined) return undefined
  if (prefix !== undefined && !key.value.startsWith(prefix))
    return `Nothing was sent: keys of this server begin with ${prefix}, and other keys are not sent to it.`
  if (key.value === '') {
    key.focus()
    return `Nothing was sent: enter your ${label.toLowerCase()} at the top of the page first.`
  }
  if (method !== 'GET' && question !== undefined && !confirm(question)) return 'Nothing was sent.'
  return undefined
}
