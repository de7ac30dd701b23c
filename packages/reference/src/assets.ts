import { readFileSync } from 'node:fs'

const asset = (name: string): string =>
  readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8')

/** The modules of the script, each after its imports. */
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

/** The style of the page. */
export const pageStyle = (): string => asset('reference.css')

/** The script of the page: its modules joined, without imports and exports. */
export const pageScript = (): string =>
  modules
    .map((name) =>
      asset(`${name}.js`)
        .replaceAll(/^import .*\n+/gm, '')
        .replaceAll(/^export /gm, ''),
    )
    .join('\n')
