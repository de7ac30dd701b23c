import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** Beside this file: `main.ts` in `src`, `main.js` in `dist`. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
const entry = new URL(`../cli/main${extension}`, import.meta.url)

/** The command and all that it imports, as one file for Node. Takes about a third of a second. */
export async function bundledCommand(): Promise<string> {
  await using bundle = await rolldown({
    input: fileURLToPath(entry),
    platform: 'node',
    tsconfig: false,
    resolve: extension === '.ts' ? { conditionNames: ['source', 'import', 'node'] } : {},
    transform: { target: 'node20' },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: { mangle: false }, banner: await licences() })
  const [code, ...others] = output
  if (others.length > 0) throw new Error('the command is one file')
  return code.code
}

/** The notices that the licences of bundled packages require. */
async function licences(): Promise<string> {
  const main = createRequire(import.meta.url).resolve('commander') // In the root of its package.
  const text = await readFile(new URL('LICENSE', pathToFileURL(main)), 'utf8')
  return `/*!\ncommander\n\n${text.trim()}\n*/`
}
