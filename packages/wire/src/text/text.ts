import { spanish } from './spanish.ts'

/** The languages of a document. */
export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** A text in every language: one that lacks a language does not compile. */
export type Text = Readonly<Record<Language, string>>

/** Texts as members of a document that is not made yet: `inLanguage` replaces each by one of its languages. */
export const bilingual = <Texts extends object>(texts: Texts): { [Member in keyof Texts]: string } =>
  texts as { [Member in keyof Texts]: string }

/** The members that texts are. Elsewhere `en` and `es` may be data. */
const isSaid = (member: string): boolean => /^(?:summary|description|when|remedy)$/.test(member)

const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && languages.every((language) => language in value)

/** Schemas, parameters and headers state their description in English alone; `spanish` has the other. */
const textIn = (language: Language, text: unknown): unknown => {
  if (isText(text)) return text[language]
  return language === 'es' && typeof text === 'string' ? (spanish[text] ?? text) : inLanguage(text, language)
}

/** The type of a value whose texts are in one language. */
type InLanguage<T> = T extends Text ? string : T extends object ? { [Member in keyof T]: InLanguage<T[Member]> } : T

/** A document with each text in this language. */
export function inLanguage<T>(value: T, language: Language): InLanguage<T>
export function inLanguage(value: unknown, language: Language): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => inLanguage<unknown>(item, language))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name,
      isSaid(name) ? textIn(language, member) : inLanguage(member, language),
    ]),
  )
}
