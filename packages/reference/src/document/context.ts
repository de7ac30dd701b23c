import { type ExampleValues, exampleValues } from './example-values.ts'
import { type DocumentedError, errorsOf } from './errors.ts'
import { type Links, linksOf } from './links.ts'
import type { Explanations, OpenApi } from './open-api.ts'

/** The data that every part of the page uses. */
export type Context = {
  readonly document: OpenApi
  readonly values: ExampleValues
  /** Every error of the answers by its code. */
  readonly errors: ReadonlyMap<string, DocumentedError>
  /** The meaning of every code, by its carrier. */
  readonly codes: { readonly errors: Explanations; readonly payouts: Explanations; readonly reviews: Explanations }
  readonly links: Links
}

export function contextOf(document: OpenApi): Context {
  const errors = errorsOf(document)
  const codes = document['x-codes'] ?? { errors: {}, payouts: {}, reviews: {} }
  return {
    document,
    values: exampleValues(document),
    errors,
    codes,
    links: linksOf(document, {
      errors: [...errors.keys(), ...Object.keys(codes.errors), ...Object.keys(codes.payouts)],
      reviews: Object.keys(codes.reviews),
    }),
  }
}
