import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { publicFolders } from './archives.ts'
import { undocumentedIn } from './core-exports.ts'

const root = path.resolve(import.meta.dirname, '../../..')

test('every export of a published package has a docstring', () => {
  const entries = publicFolders(root).flatMap((folder) => sourcesOf(folder))
  // An encoder and its JSON are named by the schema that they make, which the OpenAPI document describes.
  const own = undocumentedIn(entries.map((entry) => path.join(root, entry))).map((names) =>
    names.filter((name) => !name.endsWith('Json')),
  )
  const lacking = entries.map((entry, index) => [entry, own[index]]).filter(([, names]) => names?.length !== 0)
  expect(lacking).toEqual([])
  expect(entries).toContain('packages/core/src/system.ts')
})

/** The sources of all entries of a package. */
function sourcesOf(folder: string): string[] {
  const manifest = readFileSync(path.join(root, folder, 'package.json'), 'utf8')
  const { exports } = JSON.parse(manifest) as { readonly exports: Readonly<Record<string, { source?: string }>> }
  return Object.values(exports).flatMap(({ source }) => (source === undefined ? [] : [path.join(folder, source)]))
}
