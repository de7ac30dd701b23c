/** The languages of a page. */
export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** One text in every language: one that lacks a language does not compile. */
export type Text = Readonly<Record<Language, string>>

/** The texts by name, in one language. */
export const textsIn = <Name extends string>(all: Readonly<Record<Name, Text>>, language: Language) =>
  Object.fromEntries(Object.entries<Text>(all).map(([name, text]) => [name, text[language]])) as Record<Name, string>
