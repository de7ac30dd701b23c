import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './command.ts'
import { bundled } from './release/bundled.ts'

type Manifest = Dependencies & { readonly name: string; readonly private?: boolean }

type Dependencies = {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const read = (file: string): Manifest => JSON.parse(readFileSync(join(repository, file), 'utf8')) as Manifest

/** The packages that are published or that processes consist of. */
const running = globSync('{packages,hosts}/*/package.json', { cwd: repository }).map(read)
/** The root, and the programs of the documents: all that they depend on is development. */
const others = ['package.json', ...globSync('docs/*/package.json', { cwd: repository })].map(read)
const isOurs = (name: string): boolean => name.startsWith('@quipu/')
const folderOf = ({ name }: Manifest): string => basename(name)

const document = readFileSync(join(repository, 'docs/dependencies.md'), 'utf8')

/** The rows of the table below a heading, each as its cells. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = document.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const rows = own.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(1).map((row) => row.slice(2, -2).split(' | '))
}

const named = (cell: string): readonly string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name)

/** The places of a cell, as the manifests say them: italics for private packages, and no remark. */
const places = (cell: string): readonly string[] => cell.replaceAll(' (a peer)', '').split(', ')

test('every dependency of a package or host has a reason, and is named where it is', () => {
  const found = new Map<string, string[]>()
  for (const manifest of running) {
    const place = manifest.private ? `*${folderOf(manifest)}*` : folderOf(manifest)
    const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
    for (const name of names.filter((each) => !isOurs(each)))
      found.set(name, [...(found.get(name) ?? []), place].toSorted())
  }
  const documented = rowsOf('What runs').flatMap(([dependencies = '', where = '', why = '']) =>
    named(dependencies).map((name) => [name, why === '' ? [] : places(where).toSorted()] as const),
  )
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(found))
})

test('every host is listed with all dependencies that it installs', () => {
  const byName = new Map(running.map((manifest) => [manifest.name, manifest]))
  const installed = (name: string, seen: Set<string>): readonly string[] => {
    if (seen.has(name)) return []
    seen.add(name)
    const names = Object.keys(byName.get(name)?.dependencies ?? {})
    return names.flatMap((each) => (isOurs(each) ? installed(each, seen) : [each]))
  }
  const hosts = globSync('hosts/*/package.json', { cwd: repository }).map(read)
  const found = hosts.map((host): [string, string[]] => [
    folderOf(host),
    [...new Set(installed(host.name, new Set()))].toSorted(),
  ])
  const [common = [], ...rows] = rowsOf('What each host installs')
  const documented = rows.map(([host = '', names = '']) => [
    host,
    [...named(common.join()), ...named(names)].toSorted(),
  ])
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(found))
})

test('the packages whose code is copied are those that SBOMs and licences count', () => {
  const documented = rowsOf('What is copied').map(([names = '', where = '']) => [
    `@quipu/${where.replaceAll('*', '')}`,
    named(names),
  ])
  expect(Object.fromEntries(documented)).toEqual(bundled)
})

test('every development dependency has a reason', () => {
  const copied = Object.values(bundled).flat()
  const found = [...running.map(({ devDependencies = {} }) => ({ devDependencies })), ...others]
    .flatMap((manifest: Dependencies) =>
      Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }),
    )
    .filter((name) => !isOurs(name) && !copied.includes(name))
  const documented = rowsOf('What builds and tests').flatMap(([names = '']) => named(names))
  expect(documented.toSorted()).toEqual([...new Set(found)].toSorted())
})
