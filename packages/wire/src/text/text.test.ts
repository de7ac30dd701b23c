import { expect, test } from 'vitest'
import { publicOpenApi } from '../document/public.ts'
import { spanish as spanishTexts } from './spanish.ts'

/** Every text of a document with its place. */
function textsIn(value: unknown, at = ''): readonly (readonly [place: string, text: string])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    /^(?:summary|description|when|remedy)$/.test(name) && typeof member === 'string'
      ? [[`${at}/${name}`, member] as const]
      : textsIn(member, `${at}/${name}`),
  )
}

const codeIn = (text: string | undefined): string => (text?.match(/`[^`]+`/g) ?? []).toSorted().join()

const [english, spanish] = [publicOpenApi({ isExample: true }), publicOpenApi({ isExample: true, language: 'es' })].map(
  (document) => new Map(textsIn(document)),
)

test('a text in Spanish names the same members, codes and operations', () => {
  const differing = [...(english ?? [])].filter(
    ([place, text]) => place !== '/info/description' && codeIn(spanish?.get(place)) !== codeIn(text),
  )
  expect(differing.map(([place]) => place)).toEqual([])
})

test('every description is in Spanish, also those of members, parameters and headers', () => {
  const inEnglish = [...(english ?? [])].filter(([place, text]) => spanish?.get(place) === text)
  expect(inEnglish.filter(([place]) => !place.includes('/examples/'))).toEqual([])
})

test('no text is in Spanish whose English is gone', () => {
  const said = new Set(english?.values())
  expect(Object.keys(spanishTexts).filter((text) => !said.has(text))).toEqual([])
})
