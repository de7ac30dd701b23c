import { all } from './elements.ts'
import { send } from './sending.ts'

const [button] = all('#run-walk', HTMLButtonElement)
const [progress] = all('#walk-progress', HTMLElement)
const steps = all('.walk form', HTMLFormElement)

/** Sends every step in order, until one fails. */
async function run(): Promise<void> {
  for (const [index, form] of steps.entries()) {
    if (progress) progress.textContent = `Step ${index + 1} of ${steps.length}…`
    if (await send(form)) continue
    if (progress) progress.textContent = `Step ${index + 1} failed: see there.`
    return
  }
  if (progress) progress.textContent = 'Done.'
}

button?.addEventListener('click', () => {
  button.disabled = true
  void run().finally(() => {
    button.disabled = false
  })
})
