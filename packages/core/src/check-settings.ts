import { kindOf, quoted } from './wrong-value.ts'

/**
 * The required members of a record of settings, by name. The compiler compares a shape with its type: a member that the
 * shape lacks, or has too much, is an error. Members of which the type has several kinds are only required to exist. A
 * text that is one of few has their list; a number is finite and not negative, and may have closer bounds.
 */
export type SettingsShape<T> = [T] extends [string]
  ? string extends T
    ? 'string'
    : readonly T[]
  : [T] extends [number]
    ? 'number' | 'positive' | Range
    : [T] extends [bigint]
      ? 'bigint'
      : [T] extends [readonly unknown[]]
        ? 'array'
        : [T] extends [object]
          ? { readonly [K in RequiredKey<T>]: SettingsShape<T[K]> }
          : 'value'

type RequiredKey<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T]

/** Inclusive bounds. */
type Range = { readonly min: number; readonly max: number }

type AnyShape = keyof typeof kinds | readonly string[] | Range | { readonly [name: string]: AnyShape }

const kinds = {
  string: 'a string',
  number: 'a number, at least 0',
  positive: 'a number above 0',
  bigint: 'a bigint',
  array: 'an array',
  value: 'a value',
} as const

/**
 * Checks the settings that a use case is created with: no compiler sees a number out of bounds. Called once, not for
 * each call of the use case.
 *
 * @throws TypeError naming the first setting that is missing, of another kind or out of bounds
 */
export const checkSettings = <S>(useCase: string, settings: S, shape: SettingsShape<S>): void =>
  check(useCase, settings, shape, [])

function check(useCase: string, value: unknown, shape: AnyShape, path: readonly string[]): void {
  if (!isOfKind(value, shape)) {
    const subject = path.length > 0 ? `setting "${path.join('.')}"` : 'the record of settings'
    throw new TypeError(`${useCase}: ${subject} is ${found(value, shape)}; pass ${described(shape)}`)
  }
  if (typeof shape === 'string' || isList(shape) || isRange(shape)) return
  for (const [name, part] of Object.entries(shape))
    check(useCase, (value as Readonly<Record<string, unknown>>)[name], part, [...path, name])
}

function isOfKind(value: unknown, shape: AnyShape): boolean {
  if (shape === 'value') return value !== undefined
  if (shape === 'array') return Array.isArray(value)
  if (shape === 'number') return isBetween(value, 0, Number.MAX_VALUE)
  if (shape === 'positive') return isBetween(value, Number.MIN_VALUE, Number.MAX_VALUE)
  if (isList(shape)) return typeof value === 'string' && shape.includes(value)
  if (isRange(shape)) return isBetween(value, shape.min, shape.max)
  if (typeof shape === 'string') return typeof value === shape
  return typeof value === 'object' && value !== null
}

const isList = (shape: AnyShape): shape is readonly string[] => Array.isArray(shape)

const isRange = (shape: AnyShape): shape is Range =>
  typeof shape === 'object' && 'min' in shape && typeof shape.min === 'number'

const isOfNumber = (shape: AnyShape): boolean => shape === 'number' || shape === 'positive' || isRange(shape)

/** False for NaN. */
const isBetween = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max

function described(shape: AnyShape): string {
  if (typeof shape === 'string') return kinds[shape]
  if (isList(shape)) return `a string, one of ${shape.join(', ')}`
  if (isRange(shape)) return `a number from ${shape.min} to ${shape.max}`
  return `an object with ${Object.keys(shape).join(', ')}`
}

/** With the value where it is no secret: a number, or a text in place of one of few. */
const found = (value: unknown, shape: AnyShape): string =>
  value === undefined
    ? 'missing'
    : (typeof value === 'number' && isOfNumber(shape)) || (typeof value === 'string' && isList(shape))
      ? quoted(value)
      : kindOf(value)
