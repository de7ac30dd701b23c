import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { publicFolders } from './archives.ts'
import { undocumentedIn } from './core-exports.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** Exports without a docstring, at most: to become fewer only. An entry that is not here has none. */
const undocumented: Readonly<Record<string, number>> = {
  'packages/client/src/index.ts': 14, // Parts of schemas of the OpenAPI document, which describes them.
}

test('every export of a published package has a docstring, but for those that are counted here', () => {
  const entries = publicFolders(root).flatMap((folder) => sourcesOf(folder))
  // An encoder and its JSON are named by the schema that they make, which the OpenAPI document describes.
  const own = undocumentedIn(entries.map((entry) => path.join(root, entry))).map((names) =>
    names.filter((name) => !name.endsWith('Json')),
  )
  const found = own.map((names, index) => [entries[index] ?? '', names] as const)
  const unexpected = found.filter(([entry, names]) => names.length > (undocumented[entry] ?? 0))
  expect(unexpected.map(([entry, names]) => [entry, names.length, names])).toEqual([])
  expect(entries).toContain('packages/core/src/system.ts')
})

/** The sources of all entries of a package. */
function sourcesOf(folder: string): string[] {
  const manifest = readFileSync(path.join(root, folder, 'package.json'), 'utf8')
  const { exports } = JSON.parse(manifest) as { readonly exports: Readonly<Record<string, { source?: string }>> }
  return Object.values(exports).flatMap(({ source }) => (source === undefined ? [] : [path.join(folder, source)]))
}
