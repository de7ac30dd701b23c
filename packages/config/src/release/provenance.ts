import process from 'node:process'
import { pnpm } from '../archives.ts'
import { run } from '../command.ts'
import type { PublicPackage, Result, Step } from './step.ts'

/** A repository that npm can link a provenance statement to. */
const linkable = /^git\+https:\/\/(?:github|gitlab)\.com\/[^/]+\/[^/]+\.git$/

/** Settings of the packages that npm refuses. */
export function provenanceBreaches(packages: readonly PublicPackage[]): readonly string[] {
  return packages.flatMap(({ folder, manifest: { name, publishConfig, repository } }) => {
    const breaches: string[] = []
    if (publishConfig?.access !== 'public') breaches.push('set publishConfig.access to public')
    if (repository !== undefined) {
      if (!linkable.test(repository.url ?? ''))
        breaches.push('set repository.url to git+https://github.com/…/….git, or of gitlab.com')
      if (repository.directory !== folder) breaches.push(`set repository.directory to ${folder}`)
    }
    return breaches.map((breach) => `${name}: ${breach}`)
  })
}

/** Where npm can verify who publishes: GitHub's and GitLab's continuous integration issue tokens for it. */
const signs = (env: NodeJS.ProcessEnv): boolean =>
  env['ACTIONS_ID_TOKEN_REQUEST_URL'] !== undefined || env['SIGSTORE_ID_TOKEN'] !== undefined

/** Facts that a provenance statement needs from outside the packages. */
export function provenanceNeeds(packages: readonly PublicPackage[], env: NodeJS.ProcessEnv): readonly string[] {
  const without = packages.filter(({ manifest }) => manifest.repository === undefined)
  const needs: string[] = []
  if (without.length > 0)
    needs.push(
      `${without.length} of ${packages.length} packages name no repository, and npm refuses a provenance statement ` +
        'without: set repository ({ type, url }) in the package.json of the root; the house rules then require it of each package',
    )
  if (!signs(env))
    needs.push(
      'no identity to sign with: publish from GitHub Actions with `id-token: write`, or from GitLab CI with SIGSTORE_ID_TOKEN',
    )
  return needs
}

export const provenance: Step = {
  name: 'provenance',
  async run({ root, published }): Promise<Result> {
    const { printed } = await run([...pnpm, 'config', 'get', 'provenance'], root)
    const wrong = [...provenanceBreaches(published)]
    if (printed.trim() !== 'true') wrong.push('set provenance to true in pnpm-workspace.yaml')
    const missing = provenanceNeeds(published, process.env)
    return { summary: 'for every package', wrong, missing }
  },
}

/** Whether the files are of a commit, with the version that the changesets make. */
export const version: Step = {
  name: 'version',
  async run({ root, published }): Promise<Result> {
    const changes = await run(['git', 'status', '--porcelain'], root)
    const { printed } = await run(['git', 'ls-files', '.changeset/*.md'], root)
    const pending = printed.split('\n').filter((line) => line !== '').length
    const versions = [...new Set(published.map(({ manifest }) => manifest.version))]
    return { summary: versions.join(', '), missing: versionNeeds(pending, changes.printed) }
  },
}

/** Conditions of a release: versions made of the changesets, and a commit of all. */
export function versionNeeds(pending: number, changed: string): readonly string[] {
  const needs: string[] = []
  if (pending > 0) needs.push(`${pending} changesets have no version: run \`npx -y pnpm@12 release:version\``)
  if (changed !== '') needs.push(`files are changed and not committed: commit them, so that a tag names the sources`)
  return needs
}
