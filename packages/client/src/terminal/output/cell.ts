type Json = Readonly<Record<string, unknown>>

/** Whether a value is an object, not a list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a dotted path. */
export const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)

/** `{"currency": "BOB", "amount": "100.00"}` */
const isMoney = (value: Json): value is { currency: string; amount: string } =>
  Object.keys(value).length === 2 && typeof value['currency'] === 'string' && typeof value['amount'] === 'string'

/** Text of others, such as a tenant's name, must not control the terminal. */
export const visible = (text: string): string =>
  text.replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g, (character) =>
    character === '\n' ? '⏎' : '·',
  )

/** A stream that may be a terminal, such as `process.stdout`. */
export type Output = { readonly isTTY?: boolean | undefined; write(text: string): unknown }

/** Writes lines: on a terminal each as `visible` has it, but with its tabs; to a file or pipe as they are. */
export const writeLines =
  (stream: Output): ((text: string) => void) =>
  (text) =>
    void stream.write(stream.isTTY === true ? text.replaceAll('\r\n', '\n').replaceAll(/[^\t\n]+/g, visible) : text)

/** A value in one line. */
export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.length === 0 ? '–' : visible(value.join(', '))
  if (isObject(value) && isMoney(value)) return visible(`${value.amount} ${value.currency}`)
  if (Array.isArray(value)) return value.map(wordOf).join(', ')
  return visible(JSON.stringify(value))
}

/** An object of a list by its first text: `PROCESSING_TOO_LONG` of an alert, which has its instant, too. */
const wordOf = (value: unknown): string => {
  const word = isObject(value) ? Object.values(value).find((each) => typeof each === 'string') : value
  return word === undefined ? visible(JSON.stringify(value)) : cell(word)
}

/** Whether a value is shown in one line: no list of objects, and no object but money. */
export const isOneLine = (value: unknown): boolean =>
  Array.isArray(value) ? value.every((each) => typeof each !== 'object') : !isObject(value) || isMoney(value)

/** Numbers and amounts align to the right. */
export const isNumeric = (text: string): boolean => /^-?\d[\d.]*( [A-Z]{3,4})?$|^–$/.test(text)
