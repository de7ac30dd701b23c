// The text of an error about a value of another type.

/** @throws TypeError naming the unit and what was passed instead */
export function expectBigint(operation: string, unit: string, value: unknown): void {
  if (typeof value !== 'bigint') throw new TypeError(`${operation}: expected a bigint of ${unit}, got ${quoted(value)}`)
}

/** @throws TypeError naming what was passed instead of a decimal number in a text */
export function expectText(operation: string, value: unknown): void {
  if (typeof value !== 'string')
    throw new TypeError(`${operation}: expected a decimal number as a string, got ${quoted(value)}`)
}

/** With the value: amounts and rates are no secrets. */
export const quoted = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'bigint'
    ? `the ${typeof value} ${value}`
    : typeof value === 'string'
      ? `the string ${JSON.stringify(value)}`
      : value === undefined
        ? 'undefined'
        : kindOf(value)

/** The kind only: a setting can be a secret. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
