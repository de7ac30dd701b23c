// Makes a release and checks it: `node release.ts`, at the root. With `--publish` it publishes what it has checked.
import { spawnSync } from 'node:child_process'
import { join, relative } from 'node:path'
import process from 'node:process'
import { advisories } from './advisories.ts'
import { alertRules } from './alert-rules.ts'
import { client, examples } from './examples.ts'
import { licences } from './licences.ts'
import { archives, build, packedPackages, packs, publicPackages } from './make.ts'
import { provenance, version } from './provenance.ts'
import { sboms } from './sbom.ts'
import { sizes } from './size-budget.ts'
import { conclusionOf, lineOf, type Release, type Result } from './step.ts'

const root = process.cwd()
const release: Release = {
  root,
  folder: join(root, 'dist', 'release'),
  publishes: process.argv.includes('--publish'),
  published: publicPackages(root),
}

const results: Result[] = []
const isReady = (): boolean => conclusionOf(results, release).ready

async function perform(name: string, step: () => Promise<Result>): Promise<void> {
  const started = performance.now()
  const result = await step().catch((error: unknown) => ({
    summary: 'failed',
    wrong: [error instanceof Error ? error.message : String(error)],
  }))
  console.log(lineOf(name, (performance.now() - started) / 1000, result))
  results.push(result)
}

async function checkAll(): Promise<void> {
  for (const step of [version, provenance, licences, advisories, alertRules])
    await perform(step.name, () => step.run(release))
  // A step that is missing now is missing after minutes of checks, too.
  if (release.publishes && !isReady()) return
  for (const step of [build, packs]) {
    const before = results.length
    await perform(step.name, () => step.run(release))
    if (results[before]?.wrong?.length) return
  }
  const packages = await packedPackages(release)
  for (const step of [archives, sizes, sboms, client, examples])
    await perform(step.name, () => step.run(release, packages))
}

await checkAll()
console.log(conclusionOf(results, release).line)
if (!isReady()) process.exitCode = 1
else if (release.publishes) {
  const from = ['--from-pack-dir', relative(root, release.folder)]
  const { status } = spawnSync('changeset', ['publish', ...from], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
