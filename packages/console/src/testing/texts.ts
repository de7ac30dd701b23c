import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import path from 'node:path'

type Language = 'en' | 'es'
type Texts = Readonly<Record<string, Readonly<Record<Language, unknown>>>>

const browser = path.resolve(import.meta.dirname, '../browser')

/** The texts of the console that only this language has, without those about something. */
export async function textsOfLanguage(language: Language): Promise<readonly string[]> {
  const files = globSync('**/*-texts.ts', { cwd: browser })
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(path.join(browser, file)).href)))
  const texts = modules.flatMap((module: Readonly<Record<string, Texts>>) =>
    Object.values(module).flatMap((constant) => Object.values(constant)),
  )
  const other = language === 'en' ? 'es' : 'en'
  const others = new Set(texts.map((text) => text[other]))
  return texts
    .map((text) => text[language])
    .filter((text): text is string => typeof text === 'string' && !others.has(text))
}
