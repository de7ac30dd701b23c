import { readFileSync } from 'node:fs'

const asset = (name: string): string =>
  readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8')

/** Each after those that it imports. */
export const modules: readonly string[] = [
  'elements',
  'session',
  'requests',
  'answers',
  'own-values',
  'sending',
  'forms',
  'reading',
]

/** What the page looks like. */
export const pageStyle = (): string => asset('reference.css')

/** What the page does: its modules as one script, without what binds them together. */
export const pageScript = (): string =>
  modules
    .map((name) =>
      asset(`${name}.js`)
        .replaceAll(/^import .*\n+/gm, '')
        .replaceAll(/^export /gm, ''),
    )
    .join('\n')
