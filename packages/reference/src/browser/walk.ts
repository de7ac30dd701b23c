import { all } from './elements.ts'
import { send } from './sending.ts'
import { filled, texts } from './texts.ts'

const [button] = all('#run-walk', HTMLButtonElement)
const [progress] = all('#walk-progress', HTMLElement)
const steps = all('.walk form', HTMLFormElement)

/** Sends every step in order, until one fails. */
async function run(): Promise<void> {
  for (const [index, form] of steps.entries()) {
    if (progress) progress.textContent = filled(texts.step, `${index + 1}/${steps.length}`)
    if (await send(form)) continue
    if (progress) progress.textContent = filled(texts.failed, index + 1)
    return
  }
  if (progress) progress.textContent = texts.done
}

button?.addEventListener('click', () => {
  button.disabled = true
  void run().finally(() => {
    button.disabled = false
  })
})
