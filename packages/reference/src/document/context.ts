import { type ExampleValues, exampleValues } from './example-values.ts'
import { type DocumentedError, errorsOf } from './errors.ts'
import { type Links, linksOf } from '../html/links.ts'
import type { OpenApi } from './open-api.ts'

/** The data that every part of the page uses. */
export type Context = {
  readonly document: OpenApi
  readonly values: ExampleValues
  /** Every error by its code. */
  readonly errors: ReadonlyMap<string, DocumentedError>
  readonly links: Links
}

export function contextOf(document: OpenApi): Context {
  const errors = errorsOf(document)
  return {
    document,
    values: exampleValues(document),
    errors,
    links: linksOf(document, errors.keys()),
  }
}
