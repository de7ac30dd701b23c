import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { only, pnpm } from '../archives.ts'
import { run } from '../command.ts'
import { bundled } from './bundled.ts'
import type { ArchiveStep, Manifest, Result } from './step.ts'

/** A part of a CycloneDX document. */
type Component = {
  readonly name: string
  readonly group?: string
  readonly externalReferences?: readonly { readonly type: string; readonly hashes?: unknown }[]
}
export type Sbom = { readonly metadata: { readonly component: Component }; readonly components: readonly Component[] }

const nameOf = ({ group, name }: Component): string => (group ? `${group}/${name}` : name)

const isHashed = ({ externalReferences = [] }: Component): boolean =>
  externalReferences.some(({ type, hashes }) => type === 'distribution' && hashes !== undefined)

/** Components that a package has and its SBOM lacks, and those without the hash of their archive. */
export function sbomBreaches(
  { name, dependencies = {} }: Pick<Manifest, 'name' | 'dependencies'>,
  sbom: Sbom,
): readonly string[] {
  const listed = new Map(sbom.components.map((component) => [nameOf(component), component]))
  const needed = [...Object.keys(dependencies), ...(bundled[name] ?? [])]
  const breaches = needed
    .filter((each) => !listed.has(each))
    .map((each) => `the SBOM of ${name} lacks ${each}: run \`pnpm install\`, and compare again`)
  const unhashed = Array.from(listed)
    .filter(([each, component]) => !each.startsWith('@quipu/') && !isHashed(component))
    .map(([each]) => `the SBOM of ${name} has no hash of ${each}: install it from the registry`)
  return [...breaches, ...unhashed]
}

/** The components, and those whose code is in the files of a package among them. */
export function withBundled(sbom: Sbom, tools: Sbom): Sbom {
  const { metadata, components } = sbom
  const packages = [metadata.component, ...components].map(nameOf)
  const names = new Set(packages.flatMap((name) => bundled[name] ?? []))
  const copied = tools.components.filter((component) => names.has(nameOf(component)))
  return { ...sbom, components: [...components, ...copied] }
}

/** The processes that an installation runs. They are not published; their images need the same list. */
const hosts = ['admin', 'api', 'worker'].map((name) => `hosts/${name}`)

async function writeSboms(root: string, folders: readonly string[], ...options: readonly string[]): Promise<void> {
  const command = ['sbom', '--sbom-format', 'cyclonedx', ...options]
  const { code, output } = await run([...pnpm, ...only(folders), ...command], root)
  if (code !== 0) throw new Error(`pnpm cannot write the SBOMs: ${output}`)
}

const read = (file: string): Sbom => JSON.parse(readFileSync(file, 'utf8')) as Sbom

export const sboms: ArchiveStep = {
  name: 'sbom',
  async run({ root, folder }, packages): Promise<Result> {
    const into = join(folder, 'sbom')
    const options = ['--prod', '--split', '--out', join(into, '%s.cdx.json')]
    const folders = packages.map((each) => each.folder)
    await writeSboms(root, folders, ...options)
    await writeSboms(root, hosts, ...options, '--sbom-type', 'application')

    const tools = join(into, 'tools.json')
    const bundling = Object.keys(bundled).map((name) => name.replace('@quipu/', 'packages/'))
    await writeSboms(root, bundling, '--dev', '--out', tools)
    const files = globSync('*.cdx.json', { cwd: into }).map((file) => join(into, file))
    const found = files.map((file) => {
      const sbom = withBundled(read(file), read(tools))
      writeFileSync(file, JSON.stringify(sbom, undefined, 2))
      return sbom
    })
    rmSync(tools)

    const byName = new Map(found.map((sbom) => [nameOf(sbom.metadata.component), sbom]))
    const wrong = packages.flatMap(({ manifest }) => {
      const sbom = byName.get(manifest.name)
      return sbom === undefined ? [`${manifest.name} has no SBOM`] : sbomBreaches(manifest, sbom)
    })
    return { summary: `${files.length} CycloneDX documents in ${relative(root, into)}`, wrong }
  },
}
