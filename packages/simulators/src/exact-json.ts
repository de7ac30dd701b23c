/** A JSON number by its text, which `JSON.stringify` writes unchanged. */
export type JsonNumber = { readonly rawJSON: string }

type ExactJson = {
  rawJSON(text: string): JsonNumber
  isRawJSON(value: unknown): value is JsonNumber
  parse(text: string, reviver: (name: string, value: unknown, context: { readonly source: string }) => unknown): unknown
}
const exact = JSON as unknown as ExactJson

/** @param text  such as `0.00` */
export const jsonNumber = (text: string): JsonNumber => exact.rawJSON(text)

export const isJsonNumber = (value: unknown): value is JsonNumber => exact.isRawJSON(value)

/** Parses JSON with numbers as `JsonNumber`. @throws SyntaxError */
export const parseExactJson = (text: string): unknown =>
  exact.parse(text, (_name, value, { source }) => (typeof value === 'number' ? jsonNumber(source) : value))
