import path from 'node:path'
import { expect, test } from 'vitest'
import { publicFolders } from './archives.ts'
import { undocumentedIn } from './core-exports.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** Exports without a docstring, at most: to become fewer only. A package that is not here has none. */
const undocumented: Readonly<Record<string, number>> = {
  'packages/client': 66,
  'packages/contracts': 40,
  'packages/simulators': 30,
  'packages/sqs': 1,
  'packages/wire': 20,
}

test('every export of a published package has a docstring, but for those that are counted here', () => {
  const folders = publicFolders(root).filter((folder) => folder !== 'packages/core') // core-exports.test.ts reads it.
  const entries = folders.map((folder) => path.join(root, folder, 'src', 'index.ts'))
  // An encoder and its JSON are named by the schema that they make, which the OpenAPI document describes.
  const own = undocumentedIn(entries).map((names) => names.filter((name) => !name.endsWith('Json')))
  const found = own.map((names, index) => [folders[index], names] as const)
  const unexpected = found.filter(([folder = '', names]) => names.length > (undocumented[folder] ?? 0))
  expect(unexpected.map(([folder, names]) => [folder, names.length, names])).toEqual([])
})
