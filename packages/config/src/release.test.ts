import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repository, run } from './command.ts'

/** The version that the changesets prepare. Update it with the first changeset after a release. */
const prepared = '0.1.0'

type Manifest = { readonly name: string; readonly version: string; readonly private?: boolean }

const manifests = globSync('{packages,hosts,docs}/*/package.json', { cwd: repository })
const changesets = globSync('.changeset/*', { cwd: repository })

const read = (root: string, file: string): Manifest =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Manifest

test(`changeset version gives every published package ${prepared}, and no private one`, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quipu-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of ['package.json', 'pnpm-workspace.yaml', ...manifests, ...changesets])
    cpSync(path.join(repository, file), path.join(folder, file))
  mkdirSync(path.join(folder, 'node_modules'))
  symlinkSync(
    path.join(repository, 'node_modules', '@changesets'),
    path.join(folder, 'node_modules', '@changesets'),
    'junction',
  )
  await run(['git', 'init', '--quiet'], folder)

  expect(await run(['changeset', 'version'], folder)).toMatchObject({ code: 0 })
  const versions = (isPrivate: boolean): readonly string[] =>
    manifests
      .map((file) => read(folder, file))
      .filter((manifest) => (manifest.private ?? false) === isPrivate)
      .map(({ name, version }) => `${name} ${version}`)
  expect(versions(false).filter((each) => !each.endsWith(` ${prepared}`))).toEqual([])
  expect(versions(false)).toContain(`@quipu/core ${prepared}`)
  expect(versions(true).filter((each) => !each.endsWith(' 0.0.0'))).toEqual([])
})
