import { type ExampleValues, exampleValues } from './example-values.ts'
import { type DocumentedError, errorsOf } from './errors.ts'
import type { Language } from '../text/language.ts'
import { pageTexts, type Texts } from '../text/texts.ts'
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
  readonly language: Language
  readonly texts: Texts
}

export function contextOf(document: OpenApi, language: Language = 'en'): Context {
  const errors = errorsOf(document)
  const codes = document['x-codes'] ?? { errors: {}, payouts: {}, reviews: {} }
  return {
    document,
    language,
    texts: pageTexts(language),
    values: exampleValues(document),
    errors,
    codes,
    links: linksOf(document, {
      errors: [...errors.keys(), ...Object.keys(codes.errors), ...Object.keys(codes.payouts)],
      reviews: Object.keys(codes.reviews),
    }),
  }
}
