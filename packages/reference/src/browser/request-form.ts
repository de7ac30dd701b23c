import { all } from './elements.ts'
import { baseUrl, freePrefix, keyText } from './session.ts'
import type { Pair, SampleRequest } from '../sample/sample-request.ts'

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isField = (found: Element): found is Field =>
  found instanceof HTMLInputElement || found instanceof HTMLSelectElement || found instanceof HTMLTextAreaElement

/** The forms of operations and of the walk. */
export const forms: readonly HTMLFormElement[] = all('form[data-operation]', HTMLFormElement)

/** @param place  `path`, `query`, `header` or `body` */
export const fieldsIn = (form: HTMLFormElement, place: string): Field[] =>
  [...form.querySelectorAll(`[data-in=${place}]`)].filter(isField)

export const fieldsOf = (form: HTMLFormElement): Field[] => [...form.querySelectorAll('[data-in]')].filter(isField)

export const operationOf = (form: HTMLFormElement): string => form.dataset['operation'] ?? ''

export const methodOf = (form: HTMLFormElement): string => form.dataset['method'] ?? 'GET'

/** The request of a form, as it is filled. */
export function requestOf(form: HTMLFormElement): SampleRequest {
  const { path = '', keyHeader, keyPrefix = '', keyVariable = '' } = form.dataset
  const pairs = (place: string): Pair[] => fieldsIn(form, place).map(({ name, value }) => [name, value] as const)
  const filled = (place: string): Pair[] => pairs(place).filter(([, value]) => value !== '')
  return {
    operationId: operationOf(form),
    method: methodOf(form),
    base: baseUrl(),
    path,
    pathValues: pairs('path'),
    query: filled('query'),
    headers: filled('header'),
    body: fieldsIn(form, 'body')[0]?.value.trim() ?? '',
    credential:
      keyHeader === undefined
        ? undefined
        : {
            header: keyHeader,
            prefix: keyPrefix,
            variable: keyVariable,
            // A key that the reader entered stays out of the samples.
            shownKey: freePrefix() === undefined ? undefined : keyText(),
          },
  }
}
