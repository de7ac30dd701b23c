import { all, isObject, one, parsed, random } from './elements.ts'
import { type Field, fieldsOf, forms, operationOf } from './request-form.ts'
import { showSample } from './samples.ts'
import { server } from './session.ts'

/** A value of the server in place of an example. */
type OwnValue = {
  readonly text: string
  /** The operation whose answer had it. */
  readonly from: string
  /** In milliseconds since 1970; infinite when the answer named no expiry. */
  readonly expiresAt: number
}

/** The answers of a server, and the content of the forms while it is selected. */
type ServerState = { readonly own: Map<string, OwnValue>; readonly fields: Map<Field, string> }

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
    (filled, [example, { text: own }]) => filled.replaceAll(inJson(example), () => inJson(own)),
    text,
  )

export const ownValue = (example: string): OwnValue | undefined => stateOf(selected).own.get(example)

/** Members whose values other requests can name. The reader chooses the ids of transactions. */
export const isPassedOn = (member: string): boolean => /^(?:id|content|date|(?!transaction_)\w+_id)$/.test(member)

/** The example of a successful answer; undefined: the page shows none. */
export function exampleAnswer(operation: string, status = '2'): unknown {
  const shown = document.getElementById(operation)?.querySelector(`[data-status^="${CSS.escape(status)}"] pre`)
  return parsed(shown?.textContent ?? '')
}

/** The record of an answer, or the first one of a list. */
export const recordOf = (answer: unknown): unknown => {
  if (!isObject(answer)) return undefined
  return Array.isArray(answer['data']) ? (answer['data'] as unknown[])[0] : answer
}

/** The values of an answer that other requests can name, by their members. */
export function passedOnIn(answer: unknown): readonly (readonly [member: string, value: string])[] {
  const record = recordOf(answer)
  if (!isObject(record)) return []
  return Object.entries(record).flatMap(([member, value]) =>
    typeof value === 'string' && isPassedOn(member) ? [[member, value] as const] : [],
  )
}

/** Replaces the examples in all forms by the values of an answer. */
export function keep(form: HTMLFormElement, status: number, answer: unknown): void {
  const example = recordOf(exampleAnswer(operationOf(form), String(status)))
  const record = recordOf(answer)
  if (!isObject(example) || !isObject(record)) return
  const expiry = record['expires_at']
  const expiresAt = typeof expiry === 'string' ? Date.parse(expiry) : Infinity
  for (const [member, value] of passedOnIn(record)) {
    const known = example[member]
    if (typeof known === 'string') adopt(known, { text: value, from: operationOf(form), expiresAt })
  }
}

/** Shows a value of the server in place of an example. */
export function adopt(example: string, value: OwnValue): void {
  const before = ownValue(example)?.text ?? example
  stateOf(selected).own.set(example, value)
  if (before !== value.text) replace(before, value.text)
}

/** Shows an example again, after its record was deleted. */
export function forget(example: string): void {
  const own = ownValue(example)
  stateOf(selected).own.delete(example)
  if (own) replace(own.text, example)
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
