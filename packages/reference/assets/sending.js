import { show, showAnswer } from './answers.js'
import { element, one, parsed } from './elements.js'
import { keep } from './own-values.js'
import { refusal, requestOf } from './requests.js'
import { baseUrl, key } from './session.js'

const answerWithinMs = 150_000

/** @param {HTMLFormElement} form */
export async function send(form) {
  const { method, target, keyHeader, headers, body } = requestOf(form)
  const outcome = one('.outcome', HTMLElement, form)
  const progress = one('.progress', HTMLElement, form)
  const button = one('button[type=submit]', HTMLButtonElement, form)
  const refused = refusal(method, keyHeader)
  if (refused !== undefined) {
    show(outcome, [element('p', refused, 'problem')])
    return
  }
  const base = baseUrl()
  button.disabled = true
  progress.textContent = 'Waiting for the answer…'
  const startedAt = performance.now()
  try {
    const response = await fetch(base + target, {
      method,
      headers: { ...headers, ...(keyHeader !== undefined && { [keyHeader]: key.value }) },
      ...(body !== '' && { body }),
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const text = await response.text()
    const ms = Math.round(performance.now() - startedAt)
    progress.textContent = ''
    showAnswer(outcome, response, text, ms)
    if (response.ok) keep(form, response.status, parsed(text))
  } catch (error) {
    progress.textContent = ''
    const reason = error instanceof Error ? error.message : String(error)
    show(outcome, [
      element(
        'p',
        `There was no answer from ${base}: ${reason}. Is it running, and does it let this page call?`,
        'problem',
      ),
    ])
  } finally {
    button.disabled = false
  }
}
