import { ask } from './ask.ts'
import { show, showAnswer } from './answers.ts'
import { all, element, one, parsed, random } from './elements.ts'
import { keep, sendable, withOwn } from './own-values.ts'
import { fieldsIn, forms, methodOf, requestOf } from './request-form.ts'
import { showSample } from './samples.ts'
import { baseUrl, refusal } from './session.ts'
import { filled, texts } from './texts.ts'

/** Sends a form and shows its outcome. @returns whether it succeeded */
export async function send(form: HTMLFormElement): Promise<boolean> {
  const outcome = one('.outcome', HTMLElement, form)
  const progress = one('.progress', HTMLElement, form)
  const button = one('button[type=submit]', HTMLButtonElement, form)
  const refused = requestOf(form).credential === undefined ? undefined : refusal(methodOf(form))
  if (refused !== undefined) {
    show(outcome, [element('p', refused, 'problem')])
    return false
  }
  button.disabled = true
  progress.textContent = texts.waiting
  try {
    return await answered(form, outcome)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const text = filled(texts.noAnswer, `${baseUrl()}: ${reason}`)
    show(outcome, [element('p', text, 'problem')])
    return false
  } finally {
    progress.textContent = ''
    button.disabled = false
  }
}

async function answered(form: HTMLFormElement, outcome: HTMLElement): Promise<boolean> {
  const startedAt = performance.now()
  const response = await ask(form)
  const text = await response.text()
  showAnswer(outcome, response, text, Math.round(performance.now() - startedAt))
  if (response.ok) keep(form, response.status, parsed(text))
  return response.ok
}

for (const form of forms) {
  for (const field of fieldsIn(form, 'header')) if (field.name === 'Idempotency-Key') field.value = `try-${random()}`
  showSample(form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
  for (const choice of all('.choice', HTMLSelectElement, form))
    choice.addEventListener('input', () => {
      const body = one('textarea', HTMLTextAreaElement, form)
      body.value = sendable(withOwn(choice.value))
      body.rows = body.value.split('\n').length
    })
}
