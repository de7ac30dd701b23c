import { one, random } from './elements.js'

export const server = one('select[name=server]', HTMLSelectElement)
export const key = one('input[name=key]', HTMLInputElement)

/** `Key` or `Token`. */
export const label = key.dataset['label'] ?? 'Key'

/** The key of each server: a key is sent to its own server only. @type {Map<string, string>} */
const keys = new Map()

export const freePrefix = () => server.selectedOptions[0]?.dataset['freeKeyPrefix']
/** The operation whose answer replaces examples that this server does not accept. */
export const examplesFrom = () => server.selectedOptions[0]?.dataset['examplesFrom']
/** The base URL, without `/v1`. Relative to the page, so that a proxy can add a path prefix. */
export const baseUrl = () => server.value || new URL('.', location.href).href.replace(/\/$/, '')

/** Keeps a generated key for the session of the tab, so that its data stays reachable. @param {string} prefix */
function freeKey(prefix) {
  const kept = sessionStorage.getItem('free-key')
  if (kept?.startsWith(prefix)) return kept
  const made = prefix + random()
  sessionStorage.setItem('free-key', made)
  return made
}

function showKey() {
  const prefix = freePrefix()
  key.value = keys.get(server.value) ?? (prefix === undefined ? '' : freeKey(prefix))
  key.type = prefix === undefined ? 'password' : 'text'
}

server.addEventListener('input', showKey)
key.addEventListener('input', () => keys.set(server.value, key.value))
one('#session', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault())
showKey()
