import { preference } from '../preference/preference.ts'
import { type Store, useStore } from '../store.ts'

export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** One text of the console in every language: the compiler refuses a text that lacks one. */
export type Text = Readonly<Record<Language, string>>
/** A text about something. */
export type TextAbout<T> = Readonly<Record<Language, (about: T) => string>>

/** The texts of one part of the console, by name. */
export const texts = <T extends Readonly<Record<string, Text | TextAbout<never>>>>(all: T): T => all

/** A text about this. */
export const textAbout = <T>(text: TextAbout<T>, about: T): Text => ({ en: text.en(about), es: text.es(about) })

/** The text of a code; undefined for one that an API of a later release has added. */
export const textOf = (all: Readonly<Record<string, Text>>, code: string): Text | undefined => all[code]

const ofBrowser: Language = navigator.language.startsWith('es') ? 'es' : 'en'

export const language: Store<Language> = preference<Language>('language', languages, ofBrowser)

/** Keeps the page's language attribute, which screen readers follow. */
export function applyLanguage(): void {
  const apply = (): void => {
    document.documentElement.lang = language.get()
  }
  apply()
  language.follow(apply)
}

/** Says a text in the person's language. */
export type Say = { (text: Text): string; <T>(text: TextAbout<T>, about: T): string }

function sayIn(spoken: Language): Say {
  return <T>(text: Text | TextAbout<T>, about?: T): string => {
    const said = text[spoken]
    return typeof said === 'string' ? said : said(about as T)
  }
}

export function useSay(): Say {
  return sayIn(useStore(language))
}
