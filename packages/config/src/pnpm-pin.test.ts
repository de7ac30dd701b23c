import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './command.ts'

const textOf = (file: string): string => readFileSync(join(repository, file), 'utf8')

/** The pnpm that `npx -y pnpm@12 …` runs: every pnpm 12 starts the version in `packageManager`. */
const pinned = (): { readonly version: string; readonly integrity: string } => {
  const { packageManager = '' } = JSON.parse(textOf('package.json')) as { packageManager?: string }
  const [, version = '', hex = ''] = /^pnpm@(12\.\d+\.\d+)\+sha512\.([0-9a-f]{128})$/.exec(packageManager) ?? []
  return { version, integrity: `sha512-${Buffer.from(hex, 'hex').toString('base64')}` }
}

test('package.json pins one version of pnpm 12 by its hash in the registry', () => {
  expect(pinned().version).toMatch(/^12\./)
})

test('the lockfile records the pinned pnpm and its hash, as a frozen install requires', () => {
  const { version, integrity } = pinned()
  const [, record = ''] = textOf('pnpm-lock.yaml').split(/^---\n/m)
  expect(record).toContain(`pnpm:\n        specifier: ${version}\n        version: ${version}\n`)
  expect(record).toContain(`pnpm@${version}:\n    resolution: {integrity: ${integrity}}\n`)
})

test('continuous integration and the README run pnpm by the same command', () => {
  expect(textOf('.ci/run')).toMatch(/^exec npx -y pnpm@12 test$/m)
  expect(textOf('README.md')).toMatch(/^npx -y pnpm@12 test$/m)
})
