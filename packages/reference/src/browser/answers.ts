import { filled, texts } from './texts.ts'
import { element, isObject, parsed } from './elements.ts'

const shownHeaders = ['X-Request-Id', 'Idempotent-Replayed', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Allow']

export function showAnswer(outcome: HTMLElement, response: Response, text: string, ms: number): void {
  const json = parsed(text)
  const status = element('p', '', response.ok ? 'good' : 'problem')
  status.append(element('b', `${response.status} ${response.statusText}`), filled(texts.answered, ms))
  const headers = element('dl', '')
  for (const name of shownHeaders) {
    const value = response.headers.get(name)
    if (value !== null) headers.append(element('dt', name), element('dd', value))
  }
  const shown = element('pre', json === undefined ? text : JSON.stringify(json, null, 2))
  shown.tabIndex = 0
  const link = codeLink(json)
  show(outcome, [
    status,
    ...(link ? [link] : []),
    ...(headers.childElementCount > 0 ? [headers] : []),
    ...imagesIn(json),
    ...(text === '' ? [] : [shown]),
  ])
}

/** A link to the explanation of an answer’s error, or of the error of a payout. */
function codeLink(json: unknown): HTMLElement | undefined {
  const error = isObject(json) ? json['error'] : undefined
  const code = isObject(error) ? error['code'] : undefined
  if (typeof code !== 'string' || !document.getElementById(`error-${code}`)) return undefined
  const line = element('p', texts.whatToDo)
  const link = document.createElement('a')
  link.href = `#error-${code}`
  link.append(element('code', code))
  line.append(link)
  return line
}

/** The images of an answer, such as a QR. */
function imagesIn(json: unknown): HTMLElement[] {
  if (!isObject(json)) return []
  return Object.entries(json).flatMap(([name, value]) => {
    if (typeof value !== 'string' || !value.startsWith('data:image/png;')) return []
    const image = new Image()
    image.src = value
    image.alt = name
    return [image]
  })
}

export function show(outcome: HTMLElement, parts: readonly Node[]): void {
  outcome.replaceChildren(...parts)
  outcome.hidden = false
}
