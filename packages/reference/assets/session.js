import { one, random } from './elements.js'

export const server = one('select[name=server]', HTMLSelectElement)
export const key = one('input[name=key]', HTMLInputElement)

/** The key of each server, so that none is ever sent to another. @type {Map<string, string>} */
const keys = new Map()

export const freePrefix = () => server.selectedOptions[0]?.dataset['freeKeyPrefix']
/** The operation whose answer replaces the examples that this server does not take. */
export const examplesFrom = () => server.selectedOptions[0]?.dataset['examplesFrom']
/** Where requests go, without `/v1`. The page lies beside it, also behind a proxy that adds to the path. */
export const baseUrl = () => server.value || new URL('.', location.href).href.replace(/\/$/, '')

/** A key that anybody may have is kept while the tab lives, with what was made with it. @param {string} prefix */
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
