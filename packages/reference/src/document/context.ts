import { type ExampleValues, exampleValues } from './example-values.ts'
import { type Fault, faultsOf } from './faults.ts'
import { type Links, linksOf } from '../html/links.ts'
import type { OpenApi } from './open-api.ts'

/** What every part of the page draws from. */
export type Context = {
  readonly document: OpenApi
  readonly values: ExampleValues
  /** Every error, by its code. */
  readonly faults: ReadonlyMap<string, Fault>
  readonly links: Links
}

export function contextOf(document: OpenApi): Context {
  const faults = faultsOf(document)
  return {
    document,
    values: exampleValues(document),
    faults,
    links: linksOf(document, faults.keys()),
  }
}
