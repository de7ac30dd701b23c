import { all, one, random } from './elements.ts'
import { filled, texts } from './texts.ts'

export const server: HTMLSelectElement = one('select[name=server]', HTMLSelectElement)

/** Undefined: the document has no credential. */
const [input] = all('input[name=key]', HTMLInputElement)

/** `Key` or `Token`. */
const label: string = input?.dataset['label'] ?? 'Key'

/** The key of each server: a key is sent to its own server only. */
const keys = new Map<string, string>()

const option = (): HTMLOptionElement | undefined => server.selectedOptions[0]

export const keyText = (): string => input?.value ?? ''
export const freePrefix = (): string | undefined => option()?.dataset['freeKeyPrefix']
/** The base URL, without `/v1`. Relative to the page, so that a proxy can add a path prefix. */
export const baseUrl = (): string => server.value || new URL('.', location.href).href.replace(/\/$/, '')

/** Runs at once and whenever the server or the key changes. */
export function onSession(apply: () => void): void {
  for (const control of [server, input]) control?.addEventListener('input', apply)
  apply()
}

/** Why no request with a key can be sent; undefined: it can. */
export function refusal(method: string): string | undefined {
  const prefix = freePrefix()
  if (prefix !== undefined && !keyText().startsWith(prefix)) return filled(texts.otherKey, prefix)
  if (keyText() === '') {
    input?.focus()
    return filled(texts.noKey, (input?.previousElementSibling?.textContent ?? '').toLowerCase())
  }
  const question = warning()
  if (method !== 'GET' && question !== undefined && !confirm(question)) return texts.nothingSent
  return undefined
}

/** The question to a reader before a request that changes something; undefined: it is sent without a question. */
function warning(): string | undefined {
  if (label === 'Token') return texts.changesData
  if (!keyText().includes('_live_')) return undefined
  return texts.liveKey
}

/** Keeps a generated key for the session of the tab, so that its data stays reachable. */
function freeKey(prefix: string): string {
  const kept = sessionStorage.getItem('free-key')
  if (kept?.startsWith(prefix)) return kept
  const made = prefix + random()
  sessionStorage.setItem('free-key', made)
  return made
}

function showKey(): void {
  if (!input) return
  const prefix = freePrefix()
  input.value = keys.get(server.value) ?? (prefix === undefined ? '' : freeKey(prefix))
  input.type = prefix === undefined ? 'password' : 'text'
}

server.addEventListener('input', showKey)
input?.addEventListener('input', () => keys.set(server.value, keyText()))
one('#session', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault())
showKey()
