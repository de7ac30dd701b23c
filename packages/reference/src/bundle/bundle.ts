import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Assets } from '../page.ts'
import { renderedGuides } from './render-guides.ts'

/** From `src` and from `dist` alike. */
const sources = new URL('../../src/browser/', import.meta.url)

/** Bundles the sources of the browser and renders the guides. Takes about half a second. */
export async function builtAssets(): Promise<Assets> {
  const [script, style, guides] = await Promise.all([bundledScript(), joinedStyle(), renderedGuides()])
  return { script, style, guides }
}

async function bundledScript(): Promise<string> {
  // Its binary part is a tenth of the start of an API, most of which serve no page.
  const { rolldown } = await import('rolldown')
  await using bundle = await rolldown({
    input: fileURLToPath(new URL('main.ts', sources)),
    platform: 'browser',
    // The modules attach themselves to the page, which `sideEffects` of the package denies.
    treeshake: { moduleSideEffects: () => true },
    tsconfig: false,
    transform: { target: 'es2023' },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  const [entry, ...others] = output
  if (others.length > 0) throw new Error('the page has one script')
  return entry.code.trim()
}

/** The files of `style/` in the order of their names, without comments. */
async function joinedStyle(): Promise<string> {
  const folder = new URL('style/', sources)
  const names = (await readdir(folder)).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  return texts
    .join('\n')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '\n')
}
