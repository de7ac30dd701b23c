// Checks the house rules in every file that git tracks or would add: `node tidy.ts`, at the root.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { breaches } from './house-rules.ts'
import { strippingBreaches } from './type-stripping.ts'

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
const paths = listed
  .toString()
  .split('\0')
  .filter((path) => path !== '' && existsSync(path))
const files = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const found = [...breaches(files), ...strippingBreaches(files)]

for (const breach of found) console.log(breach)
console.log(`${found.length} breaches of the house rules in ${paths.length} files`)
if (found.length > 0) process.exitCode = 1
