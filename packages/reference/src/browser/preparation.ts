import { isObject, one, parsed } from './elements.ts'
import { ask } from './ask.ts'
import { adopt, exampleAnswer, forget, isPassedOn, keep, ownValue, passedOnIn, recordOf } from './own-values.ts'
import { fieldsIn, formOf, forms, methodOf, operationOf } from './request-form.ts'
import { accepts, mayCreate } from './session.ts'

/** An example in a form that the server does not know: the page needs a value of its own there. */
export type Need = { readonly member: string; readonly example: string; readonly place: 'path' | 'query' | 'body' }

const { addsTo = '{}', chooses = '{}' } = one('main', HTMLElement).dataset
const addingTo = (JSON.parse(addsTo) ?? {}) as Readonly<Record<string, string>>
const chosenBy = (JSON.parse(chooses) ?? {}) as Readonly<Record<string, string>>

type Choice = Readonly<Record<'list' | 'query' | 'member', string | undefined>>

/** The source that `chooses` names for an operation: a list, its query, and the member that has the id. */
function choiceOf(form: HTMLFormElement): Choice {
  const [listed, member] = chosenBy[operationOf(form)]?.split('#') ?? []
  const [list, query] = listed?.split('?') ?? []
  return { list, query, member }
}

/**
 * Gets what a request names and the server does not have under its example: reads it from a list, or
 * creates it where nothing real comes of that.
 *
 * @returns what could not be had; undefined: the request can be sent
 */
export async function prepare(form: HTMLFormElement, under: readonly string[] = []): Promise<Need | undefined> {
  for (const need of needsOf(form)) {
    const isHad = isHeld(need, form) || (await obtain(need, form, [...under, operationOf(form)]))
    if (!isHad) return need
  }
  return undefined
}

/** The examples that a form still shows, or whose replacement came from an answer. */
function needsOf(form: HTMLFormElement): Need[] {
  const named = (['path', 'query'] as const).flatMap((place) =>
    fieldsIn(form, place).flatMap((field) => {
      const example = field instanceof HTMLInputElement ? field.defaultValue : ''
      const isOwn = field.value === (ownValue(example)?.text ?? example)
      const isNeeded = place === 'path' || isPassedOn(field.name)
      return isOwn && isNeeded && example !== '' ? [{ member: field.name, example, place }] : []
    }),
  )
  const [body] = fieldsIn(form, 'body')
  const texts = textsIn(parsed(body?.value ?? ''))
  const inBody = examplesOfBodies(form).flatMap(([member, example]): Need[] => {
    const isShown = texts.includes(ownValue(example)?.text ?? example)
    return isShown && !accepts(member) ? [{ member, example, place: 'body' }] : []
  })
  return [...named, ...inBody]
}

/** The passed-on members of a form’s example bodies. */
function examplesOfBodies(form: HTMLFormElement): (readonly [string, string])[] {
  const [body] = fieldsIn(form, 'body')
  if (!(body instanceof HTMLTextAreaElement)) return []
  const choices = [...form.querySelectorAll<HTMLOptionElement>('.choice option')]
  const examples = [body.defaultValue, ...choices.map(({ value }) => value)]
  return examples.flatMap((text) => membersIn(parsed(text))).filter(([member]) => isPassedOn(member))
}

/** Every member that is a string, at any depth. */
function membersIn(value: unknown): (readonly [string, string])[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' ? [[name, member] as const] : membersIn(member),
  )
}

const textsIn = (value: unknown): string[] => membersIn(value).map(([, text]) => text)

/** The records that a body names must be created for it: a quote of a list may be used already. */
function isHeld({ example, place }: Need, form: HTMLFormElement): boolean {
  const own = ownValue(example)
  if (!own || own.expiresAt < Date.now() + 5_000) return false
  // The record of an earlier answer may have a state that this operation refuses.
  if (place !== 'body') return choiceOf(form).list !== own.from
  const source = formOf(own.from)
  return source !== undefined && methodOf(source) === 'POST'
}

async function obtain(need: Need, form: HTMLFormElement, under: readonly string[]): Promise<boolean> {
  for (const source of sourcesOf(need, form)) {
    if (under.includes(operationOf(source))) continue
    if (await readFrom(source, need, form, under)) return true
    const adding = formOf(addingTo[operationOf(source)] ?? '')
    if (!adding || !mayCreate()) continue
    for (const { example } of needsOf(adding)) forget(example) // Not a repetition of an earlier request.
    const added = await answerOf(adding, under)
    if (added !== undefined && (await readSoon(source, need, form, under))) return true
  }
  if (need.member !== 'date') return false
  // Today has a statement, also where no operation lists the days.
  const text = new Date().toISOString().slice(0, 10)
  adopt(need.example, { text, from: operationOf(form), expiresAt: Infinity })
  return true
}

const pauseMs = 200
const readsMax = 10

/** Reads until the source has the value: a delivery follows the answer of what it reports. */
async function readSoon(...reading: Parameters<typeof readFrom>): Promise<boolean> {
  for (let reads = 1; reads <= readsMax; reads++) {
    if (await readFrom(...reading)) return true
    await new Promise((done) => setTimeout(done, pauseMs))
  }
  return false
}

/** Operations whose answers have such a value: for a path lists first, for a body those that create it. */
function sourcesOf(need: Need, form: HTMLFormElement): HTMLFormElement[] {
  const { example, place } = need
  const having = operations.filter((source) => {
    if (operationOf(source) === operationOf(form) || isExampleInPath(source, example)) return false
    const values = passedOnIn(exampleAnswer(operationOf(source))).map(([, value]) => value)
    const isListed = isCollection(source, need, form) || contains(source, need, form)
    return values.includes(example) || isListed || names(source, need)
  })
  const reading = having
    .filter((source) => methodOf(source) === 'GET')
    .toSorted((a, b) => Number(isCollection(b, need, form)) - Number(isCollection(a, need, form)))
  const isCreating = mayCreate() || place === 'body'
  const creating = isCreating ? having.filter((source) => methodOf(source) === 'POST') : []
  return place === 'body' ? creating : [...reading, ...creating]
}

const operations = forms.filter((form) => form.closest('.operation') !== null)

const isExampleInPath = (form: HTMLFormElement, example: string): boolean =>
  fieldsIn(form, 'path').some((field) => field instanceof HTMLInputElement && field.defaultValue === example)

/** Whether a form lists the records that a path names: `/v1/payouts` those of `/v1/payouts/{id}`. */
function isCollection(source: HTMLFormElement, need: Need, form: HTMLFormElement): boolean {
  const [collection] = (form.dataset['path'] ?? '').split(`/{${need.member}}`)
  return need.place === 'path' && methodOf(source) === 'GET' && source.dataset['path'] === collection
}

/** Whether a form lists records that contain the one that a path names, as `chooses` says. */
function contains(source: HTMLFormElement, { place }: Need, form: HTMLFormElement): boolean {
  const { list, member } = choiceOf(form)
  return place === 'path' && member !== undefined && list === operationOf(source)
}

/** Whether the records that a form lists have the member that a query names. */
const names = (source: HTMLFormElement, { member, place }: Need): boolean =>
  place === 'query' &&
  methodOf(source) === 'GET' &&
  passedOnIn(exampleAnswer(operationOf(source))).some(([name]) => name === member)

/** Whether the source had such a value. */
async function readFrom(
  source: HTMLFormElement,
  need: Need,
  form: HTMLFormElement,
  under: readonly string[],
): Promise<boolean> {
  const before = ownValue(need.example)
  const { list, query, member = 'id' } = choiceOf(form)
  const answer = await answerOf(source, under, operationOf(source) === list ? query : undefined)
  const record = recordOf(answer)
  if (!isObject(record)) return false
  // The examples of a list and of a path can differ.
  const isListed = isCollection(source, need, form) || contains(source, need, form)
  const id = isListed ? valueAt(record, member) : undefined
  const own = names(source, need) ? record[need.member] : id
  if (typeof own === 'string') adopt(need.example, { text: own, from: operationOf(source), expiresAt: Infinity })
  return ownValue(need.example) !== before
}

/** @param path  the names of members, one within the other: `quote.id` */
const valueAt = (record: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record)

/** Sends a form, prepared, and keeps its answer; undefined: it was refused, or not sent. */
async function answerOf(form: HTMLFormElement, under: readonly string[], query?: string): Promise<unknown> {
  if ((await prepare(form, under)) !== undefined) return undefined
  const response = await ask(form, query)
  if (!response.ok) return undefined
  const answer = parsed(await response.text())
  keep(form, response.status, answer)
  return answer
}
