import { show, showAnswer } from './answers.js'
import { element, one, parsed } from './elements.js'
import { keep, needs } from './own-values.js'
import { forms, refusal, requestOf } from './requests.js'
import { baseUrl, examplesFrom, key } from './session.js'

const answerWithinMs = 150_000

/** @param {HTMLFormElement} form */
export async function send(form) {
  const { method, keyHeader } = requestOf(form)
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
    await fetchExamples(form)
    const response = await ask(form)
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

/** @param {HTMLFormElement} form */
function ask(form) {
  const { method, target, keyHeader, keyPrefix, headers, body } = requestOf(form)
  return fetch(baseUrl() + target, {
    method,
    headers: { ...headers, ...(keyHeader !== undefined && { [keyHeader]: keyPrefix + key.value }) },
    ...(body !== '' && { body }),
    signal: AbortSignal.timeout(answerWithinMs),
  })
}

/** Replaces examples that the server does not accept by values of its own. @param {HTMLFormElement} form */
async function fetchExamples(form) {
  const source = forms.find((each) => each.closest('section')?.id === examplesFrom())
  if (!source || source === form || !needs(form, source)) return
  const response = await ask(source)
  if (response.ok) keep(source, response.status, parsed(await response.text()))
}
