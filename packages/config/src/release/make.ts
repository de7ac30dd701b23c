import { globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { archiveBreaches, archivesIn, pack, publicFolders } from '../archives.ts'
import { run } from '../command.ts'
import type { ArchiveStep, Manifest, PackedPackage, PublicPackage, Release, Result, Step } from './step.ts'

/** Compiles without files of an earlier build, which would be packed as well. */
export const build: Step = {
  name: 'build',
  async run({ root }): Promise<Result> {
    for (const dist of globSync('packages/*/dist', { cwd: root })) rmSync(join(root, dist), { recursive: true })
    const { code, output } = await run(['tsc', '-b', 'packages/config/tsconfig.solution.json'], root)
    return { summary: 'every package compiled anew', wrong: code === 0 ? [] : [output] }
  },
}

/** Packs every published package. To publish, changesets packs those whose version is in no registry. */
export const packs: Step = {
  name: 'pack',
  async run({ root, folder, publishes }): Promise<Result> {
    rmSync(folder, { recursive: true, force: true })
    const into = join(folder, 'packages')
    mkdirSync(into, { recursive: true })
    const { code, output } = publishes
      ? await run(['changeset', 'pack', '--out-dir', folder], root)
      : await pack(root, publicFolders(root), into)
    if (code !== 0) return { summary: 'failed', wrong: [output] }
    const count = archivesIn(into).length
    const wrong = count > 0 ? [] : ['there is nothing to publish: every version is in the registry']
    return { summary: `${count} archives in ${relative(root, into)}`, wrong }
  },
}

/** The packages that this repository publishes. */
export const publicPackages = (root: string): readonly PublicPackage[] =>
  publicFolders(root).map((folder) => {
    const text = readFileSync(join(root, folder, 'package.json'), 'utf8')
    return { folder, manifest: JSON.parse(text) as Manifest }
  })

/** The packages whose archives are in the folder of a release, with the `package.json` that is in there. */
export async function packedPackages({ root, folder, published }: Release): Promise<PackedPackage[]> {
  const folders = new Map(published.map((each) => [each.manifest.name, each.folder]))
  return Promise.all(
    archivesIn(join(folder, 'packages')).map(async (archive) => {
      const { printed } = await run(['tar', '-xOzf', archive, 'package/package.json'], root)
      const manifest = JSON.parse(printed) as Manifest
      const { size: bytes } = statSync(archive)
      return { manifest, archive, bytes, folder: folders.get(manifest.name) ?? '' }
    }),
  )
}

/** The needs of a reader of an archive besides the code. */
const papers = ['package/LICENSE', 'package/README.md', 'package/package.json']

/** Files that an archive lacks, of those that a registry shows and a licence requires. */
export const missingPapers = (name: string, files: readonly string[]): readonly string[] =>
  papers
    .filter((paper) => !files.includes(paper))
    .map((paper) => `${name} lacks ${paper.replace('package/', '')}: add it to its folder`)

export const archives: ArchiveStep = {
  name: 'archives',
  async run({ root }, packages): Promise<Result> {
    const wrong: string[] = []
    for (const { manifest, archive } of packages) {
      const { printed } = await run(['tar', '-tzf', archive], root)
      wrong.push(...missingPapers(manifest.name, printed.split('\n')))
      wrong.push(...(await archiveBreaches(root, archive)))
    }
    return { summary: 'publint, attw, licence, readme, no test code', wrong }
  },
}
