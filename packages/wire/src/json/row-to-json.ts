import { type Money, toDecimal } from '@quipu/core'
import type { z } from 'zod'
import { type CoreName, coreName } from './core-name.ts'
import { instantToJson } from './instant.ts'

/** A member of a record as JSON has it. A bigint has none: its unit is not known. */
type Encoded<Value> = Value extends Date | Money ? string : Value extends readonly (infer Item)[] ? Item[] : Value

/** The members that a record has by their names and of their types. */
type ByName<Json, Row> = {
  [
    Name in keyof Json & string as CoreName<Name> extends keyof Row
      ? Encoded<Row[CoreName<Name>]> extends Json[Name]
        ? Name
        : never
      : never
  ]: Json[Name]
}

type Others<Json, Row> = Omit<Json, keyof ByName<Json, Row>> & Partial<Json>

/**
 * The JSON of a record, with the members of the schema in their order. The compiler demands each that the record does
 * not have by its name.
 *
 * @param others  by their names in JSON
 */
export const rowToJson = <S extends z.ZodObject, Row extends object>(
  { shape }: S,
  row: Row,
  others: Others<z.output<S>, Row>,
): z.output<S> =>
  Object.fromEntries(
    Object.keys(shape).map((name) => [
      name,
      Object.hasOwn(others, name) ? Reflect.get(others, name) : encoded(Reflect.get(row, coreName(name))),
    ]),
  ) as z.output<S>

function encoded(value: unknown): unknown {
  if (value instanceof Date) return instantToJson(value)
  if (Array.isArray(value)) return [...(value as readonly unknown[])]
  return isMoney(value) ? toDecimal(value) : value
}

const isMoney = (value: unknown): value is Money => typeof value === 'object' && value !== null && 'minor' in value
