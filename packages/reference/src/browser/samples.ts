import { all } from './elements.ts'
import { forms, requestOf } from './request-form.ts'
import { onSession } from './session.ts'
import { languages } from '../sample/languages.ts'

const stored = 'quipu-sample-language'
const buttons = all('[data-language]', HTMLButtonElement)

/** The language that the reader chose last, in this browser. */
let language = languages.find(({ id }) => id === localStorage.getItem(stored)) ?? languages[0]

/** Writes the code of a form’s request as the form has it. */
export function showSample(form: HTMLFormElement): void {
  const shown = form.closest('.request')?.querySelector('.sample pre')
  if (shown) shown.textContent = language.write(requestOf(form))
}

const showSamples = (): void => forms.forEach(showSample)

function showLanguage(): void {
  for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset['language'] === language.id))
  showSamples()
}

for (const button of buttons)
  button.addEventListener('click', () => {
    const chosen = languages.find(({ id }) => id === button.dataset['language'])
    if (!chosen) return
    language = chosen
    localStorage.setItem(stored, chosen.id)
    showLanguage()
  })
for (const form of forms) form.addEventListener('input', () => showSample(form))
showLanguage()
onSession(showSamples)
