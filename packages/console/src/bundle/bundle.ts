import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { BuiltAssets } from '../console-files.ts'

/** From `src` and from `dist` alike. */
const sources = new URL('../../src/browser/', import.meta.url)

/** Bundles the sources of the browser. Takes about half a second. */
export async function builtAssets(): Promise<BuiltAssets> {
  const [script, style] = await Promise.all([bundledScript(), joinedStyle()])
  return { script, style }
}

async function bundledScript(): Promise<string> {
  // Its binary part is a tenth of the start of an API, most of which serve no page.
  const { rolldown } = await import('rolldown')
  await using bundle = await rolldown({
    input: fileURLToPath(new URL('main.tsx', sources)),
    platform: 'browser',
    tsconfig: false,
    plugins: [withoutBrowserLocale],
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' }, target: 'es2023' },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  const [entry, ...others] = output
  if (others.length > 0) throw new Error('the console is one script')
  return entry.code
}

/**
 * The charts make a format of numbers at their import, in the browser's language, which throws where that is no language
 * tag, such as `en-US@posix`. The console formats the numbers of its charts itself.
 */
const withoutBrowserLocale = {
  name: 'without-browser-locale',
  transform(code: string, id: string): string | undefined {
    if (!id.endsWith('uPlot.esm.js')) return undefined
    const changed = code.replace("domEnv ? nav.language : 'en-US'", "'en-US'")
    if (changed === code) throw new Error('uPlot no longer reads the language there')
    return changed
  },
}

/** The charts' own style, then the files of `style/` in the order of their names. */
async function joinedStyle(): Promise<string> {
  const folder = new URL('style/', sources)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.css')).toSorted()
  const files = [
    createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css'),
    ...names.map((name) => fileURLToPath(new URL(name, folder))),
  ]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return texts
    .join('\n')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '\n')
}
