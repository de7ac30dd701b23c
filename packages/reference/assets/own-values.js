import { parsed, random } from './elements.js'
import { fieldsIn, forms, showCurl } from './requests.js'
import { server } from './session.js'

/** The values that replace example values in requests to each server. @type {Map<string, Map<string, string>>} */
const owned = new Map()
let own = ownOfServer()

/** The values of the selected server. @returns {Map<string, string>} */
function ownOfServer() {
  const known = owned.get(server.value)
  if (known) return known
  /** @type {Map<string, string>} */
  const made = new Map()
  owned.set(server.value, made)
  return made
}

server.addEventListener('input', () => {
  for (const [example, value] of own) replace(value, example)
  own = ownOfServer()
  for (const [example, value] of own) replace(example, value)
})

const passedOn = /^(?:id|content|(?!transaction_)\w+_id)$/

/** Replaces example ids in all forms by ids of the answer. @param {HTMLFormElement} form @param {number} status @param {unknown} answer */
export function keep(form, status, answer) {
  compare(exampleOf(form, `="${status}"`), answer)
}

/** Whether a form shows a value from the example answer of another form. @param {HTMLFormElement} form @param {HTMLFormElement} source */
export function needs(form, source) {
  const example = exampleOf(source, '^="2"')
  if (typeof example !== 'object' || !example) return false
  const body = fieldsIn(form, 'body')[0]?.value ?? ''
  return Object.entries(example).some(
    ([name, value]) => passedOn.test(name) && body.includes(inJson(String(value))),
  )
}

/** @param {HTMLFormElement} form @param {string} status how the status is matched */
function exampleOf(form, status) {
  const example = form.closest('section')?.querySelector(`[data-status${status}] pre`)
  return parsed(example?.textContent ?? '')
}

/** @param {unknown} example @param {unknown} answer @param {string} [name] */
function compare(example, answer, name = '') {
  if (typeof example === 'string' && typeof answer === 'string') {
    if (passedOn.test(name)) swap(example, answer)
  } else if (typeof example === 'object' && example && typeof answer === 'object' && answer) {
    for (const [member, value] of Object.entries(example))
      compare(value, Reflect.get(answer, member), member)
  }
}

/** @param {string} example @param {string} value */
function swap(example, value) {
  const before = own.get(example) ?? example
  own.set(example, value)
  if (before !== value) replace(before, value)
}

/** @param {string} before @param {string} after */
function replace(before, after) {
  for (const form of forms) {
    for (const field of [...fieldsIn(form, 'path'), ...fieldsIn(form, 'body')]) {
      const isBody = field instanceof HTMLTextAreaElement
      const [from, to] = isBody ? [inJson(before), inJson(after)] : [before, after]
      if (!field.value.includes(from)) continue
      field.value = field.value.replaceAll(from, () => to)
      if (isBody) refresh(field)
    }
    showCurl(form)
  }
}

/** Escapes text for a JSON string. @param {string} text */
const inJson = (text) => JSON.stringify(text).slice(1, -1)

/** An example body with the replaced values. @param {string} example */
export const withOwn = (example) =>
  [...own].reduce((text, [from, to]) => text.replaceAll(inJson(from), () => inJson(to)), example)

/** Gives the next payment a new id. @param {HTMLTextAreaElement} body */
export function refresh(body) {
  body.value = body.value.replace(/("transaction_id": ")[^"]*/, `$1order-${random()}`)
}
