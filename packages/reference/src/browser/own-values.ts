import { all, isObject, one, parsed, random } from './elements.ts'
import { type Field, fieldsIn, fieldsOf, forms, operationOf } from './request-form.ts'
import { showSample } from './samples.ts'
import { server } from './session.ts'

/** The values of a server in place of examples, and the content of the forms while it is selected. */
type ServerState = { readonly own: Map<string, string>; readonly fields: Map<Field, string> }

const states = new Map<string, ServerState>()
let selected = server.value
const stateOf = (name: string): ServerState => {
  const state = states.get(name) ?? { own: new Map(), fields: new Map() }
  states.set(name, state)
  return state
}

/** A server gets nothing that was typed or answered for another one. */
server.addEventListener('input', () => {
  const before = stateOf(selected)
  selected = server.value
  const { fields } = stateOf(selected)
  for (const form of forms) {
    for (const field of fieldsOf(form)) {
      before.fields.set(field, field.value)
      field.value = fields.get(field) ?? exampleIn(field)
    }
    one('.outcome', HTMLElement, form).hidden = true
  }
})

/** The content of a field when the page was loaded. */
function exampleIn(field: Field): string {
  if (field instanceof HTMLSelectElement) return ''
  return field instanceof HTMLTextAreaElement ? sendable(field.defaultValue) : field.defaultValue
}

/** A text of the page with the values of the selected server. */
export const withOwn = (text: string): string =>
  [...stateOf(selected).own].reduce(
    (filled, [example, own]) => filled.replaceAll(inJson(example), () => inJson(own)),
    text,
  )

/** Members whose values other requests can name. The reader chooses the ids of transactions. */
const isPassedOn = (member: string): boolean => /^(?:id|content|date|(?!transaction_)\w+_id)$/.test(member)

/** The example of an answer with this status; undefined: the page shows none. */
function exampleAnswer(operation: string, status: number): unknown {
  const shown = document.getElementById(operation)?.querySelector(`[data-status^="${status}"] pre`)
  return parsed(shown?.textContent ?? '')
}

/** The record of an answer, or the first one of a list. */
const recordOf = (answer: unknown): unknown => {
  if (!isObject(answer)) return undefined
  return Array.isArray(answer['data']) ? (answer['data'] as unknown[])[0] : answer
}

/** Replaces the examples in all forms by the values of an answer. */
export function keep(form: HTMLFormElement, status: number, answer: unknown): void {
  const example = recordOf(exampleAnswer(operationOf(form), status))
  const record = recordOf(answer)
  if (!isObject(example) || !isObject(record)) return
  for (const [member, value] of Object.entries(record)) {
    if (!isPassedOn(member) || typeof value !== 'string') continue
    for (const known of [example[member], ...(member === 'id' ? idsBelow(form) : [])])
      if (typeof known === 'string') adopt(known, value)
  }
}

/** The examples of an id in the paths below a list, which can differ from the one of its answer. */
const idsBelow = (list: HTMLFormElement): string[] =>
  forms
    .filter(({ dataset }) => dataset['path']?.startsWith(`${list.dataset['path']}/{id}`))
    .flatMap((form) => fieldsIn(form, 'path'))
    .flatMap((field) => (field instanceof HTMLInputElement && field.name === 'id' ? [field.defaultValue] : []))

function adopt(example: string, value: string): void {
  const { own } = stateOf(selected)
  const before = own.get(example) ?? example
  own.set(example, value)
  if (before !== value) replace(before, value)
}

function replace(before: string, after: string): void {
  for (const form of forms) {
    for (const field of fieldsOf(form)) {
      const isBody = field instanceof HTMLTextAreaElement
      const [from, to] = isBody ? [inJson(before), inJson(after)] : [before, after]
      if (!field.value.includes(from)) continue
      const replaced = field.value.replaceAll(from, () => to)
      // Another body is another payment.
      field.value = isBody ? withNewTransaction(replaced) : replaced
    }
    showSample(form)
  }
}

/** Escapes text for a JSON string. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** A body with an id of a payment that is still free. */
const withNewTransaction = (body: string): string => body.replace(/("transaction_id": ")[^"]*/, `$1order-${random()}`)

const monthMs = 30 * 86_400_000

/** An example body as it can be sent now: what expires does so in a month, whenever the example was written. */
export const sendable = (body: string): string =>
  withNewTransaction(body).replace(/("expires_at": ")[^"]*/, `$1${new Date(Date.now() + monthMs).toISOString()}`)

for (const form of forms)
  for (const body of all('textarea', HTMLTextAreaElement, form)) {
    body.value = sendable(body.value)
    showSample(form)
  }
