import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { pnpm } from '../archives.ts'
import { repository, run } from '../command.ts'
import { audit } from './advisories.ts'
import { promtoolResult } from './alert-rules.ts'
import { portable } from './examples.ts'
import { licenceBreaches } from './licences.ts'
import { missingPapers, publicPackages } from './make.ts'
import { provenanceBreaches, provenanceNeeds, versionNeeds } from './provenance.ts'
import { type Sbom, sbomBreaches, withBundled } from './sbom.ts'
import { budgetKb, sizeBreaches } from './size-budget.ts'
import { conclusionOf, lineOf } from './step.ts'

describe('size', () => {
  const core = (bytes: number) => [{ name: '@quipu/core', bytes }]
  const budget = { '@quipu/core': 100 }

  test.each([60_000, 100_000])('an archive of %i bytes is within a budget of 100 kB', (bytes) => {
    expect(sizeBreaches(core(bytes), budget)).toEqual([])
  })

  test.each([
    [100_001, 'has 101 kB, over its budget of 100 kB: remove what it does not need'],
    [59_000, 'has 59 kB, far below its budget of 100 kB: lower it'],
  ])('an archive of %i bytes is not', (bytes, breach) => {
    expect(sizeBreaches(core(bytes), budget)).toEqual([expect.stringContaining(breach)])
  })

  test('every archive has a budget, and every budget an archive', () => {
    const published = publicPackages(repository).map(({ manifest }) => manifest.name)
    expect(Object.keys(budgetKb).toSorted()).toEqual(published.toSorted())
    expect(sizeBreaches(core(1), { '@quipu/kernel': 1 })).toEqual([
      expect.stringContaining('@quipu/core has 1 kB and no budget'),
      expect.stringContaining('@quipu/kernel is not published'),
    ])
  })
})

describe('licences', () => {
  const breachesOf = (licence: string) => licenceBreaches({ [licence]: [{ name: 'pad', versions: ['1.0.0'] }] })

  test.each(['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC', 'GPL-2.0 OR (MIT AND Apache-2.0)'])('%s is allowed', (licence) =>
    expect(breachesOf(licence)).toEqual([]),
  )

  test.each(['GPL-3.0', 'AGPL-3.0 OR SSPL-1.0', 'MIT AND GPL-3.0', 'Unknown', 'UNLICENSED'])('%s is not', (licence) =>
    expect(breachesOf(licence)).toEqual([expect.stringContaining(`pad 1.0.0 has the licence ${licence}: replace it`)]),
  )
})

/** A registry that answers every request so. @returns its address, and the methods of the requests */
async function startRegistry(status: number, answer: object) {
  const methods: (string | undefined)[] = []
  const registry = createServer((request, response) => {
    methods.push(request.method)
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  })
  onTestFinished(() => void registry.close())
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  const { port } = registry.address() as AddressInfo
  return { host: `//127.0.0.1:${port}/`, methods }
}

describe('advisories', () => {
  async function auditWith(status: number, advisories: object) {
    const { host } = await startRegistry(status, advisories)
    return audit(repository, '--prod', '--registry', `http:${host}`)
  }

  test('a known vulnerability of a dependency fails the release', async () => {
    const planted = {
      url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
      title: 'A planted one',
      severity: 'low',
      vulnerable_versions: '<99.0.0',
    }
    const { wrong } = await auditWith(200, { zod: [{ id: 1, ...planted }] })
    expect(wrong).toEqual([
      expect.stringMatching(/A planted one[^]*zod[^]*GHSA-aaaa-bbbb-cccc/),
      expect.stringContaining('Raise what the advisories name'),
    ])
  })

  test('a registry without advisories is named', async () => {
    expect(await auditWith(405, {})).toEqual({
      summary: 'not checked',
      missing: [expect.stringContaining('no advisories (its service responded with 405)')],
    })
  })
})

describe('alert rules', () => {
  test('a missing promtool is named with how to get it', async () => {
    expect(await promtoolResult(repository, '/nowhere/promtool')).toEqual({
      summary: 'not checked',
      missing: [expect.stringMatching(/nowhere.promtool does not run: install Prometheus/)],
    })
  })

  test('a refusal of promtool fails the release', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'promtool-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const planted = join(folder, 'promtool')
    writeFileSync(planted, '#!/bin/sh\n[ "$1" = test ] || exit 0\necho "FAILED: QuipuNoWorker"\nexit 1\n', {
      mode: 0o755,
    })
    const { wrong } = await promtoolResult(repository, planted)
    expect(wrong).toEqual(['FAILED: QuipuNoWorker\n'])
  })
})

describe('sbom', () => {
  const component = (name: string) => {
    const hashes = [{ alg: 'SHA-512', content: '00' }]
    return { name, externalReferences: [{ type: 'distribution', hashes }] }
  }
  const sbomOf = (...names: readonly string[]): Sbom => ({
    metadata: { component: { group: '@quipu', name: 'client' } },
    components: names.map(component),
  })
  const client = { name: '@quipu/client', dependencies: { zod: '^4.0.0' } }

  test('the code that a package bundles is listed', () => {
    const sbom = withBundled(sbomOf('zod'), sbomOf('commander', 'vitest'))
    expect(sbom.components.map(({ name }) => name)).toEqual(['zod', 'commander'])
    expect(sbomBreaches(client, sbom)).toEqual([])
  })

  test('a missing dependency, missing bundled code and a missing hash are caught', () => {
    const sbom = { ...sbomOf(), components: [{ name: 'pad' }] }
    expect(sbomBreaches(client, sbom)).toEqual([
      expect.stringContaining('lacks zod'),
      expect.stringContaining('lacks commander'),
      expect.stringContaining('has no hash of pad'),
    ])
  })
})

describe('provenance', () => {
  afterEach(() => void vi.unstubAllEnvs())
  const url = 'git+https://github.com/pagos/quipu.git'
  const manifestsOf = (settings: object) => [
    {
      folder: 'packages/core',
      manifest: {
        name: '@quipu/core',
        version: '0.1.0',
        publishConfig: { access: 'public' },
        repository: { url, directory: 'packages/core' },
        ...settings,
      },
    },
  ]

  test('a package with all settings is published by a signing process', () => {
    expect(provenanceBreaches(manifestsOf({}))).toEqual([])
    expect(provenanceNeeds(manifestsOf({}), { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://…' })).toEqual([])
  })

  test.each([
    [{ publishConfig: { access: 'restricted' } }, 'access to public'],
    [{ repository: { url: 'https://x.example/q', directory: 'packages/core' } }, 'repository.url'],
    [{ repository: { url } }, 'repository.directory to packages/core'],
  ])('%o is caught', (settings, breach) => {
    expect(provenanceBreaches(manifestsOf(settings))).toEqual([expect.stringContaining(breach)])
  })

  test('without a repository and an identity nothing is published', () => {
    expect(provenanceNeeds(manifestsOf({ repository: undefined }), {})).toEqual([
      expect.stringContaining('1 of 1 packages name no repository'),
      expect.stringContaining('no identity to sign with'),
    ])
  })

  test('pnpm publishes no archive without a statement', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quipu-provenance-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'package'))
    const manifest = { name: 'planted', version: '1.0.0' }
    writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify(manifest))
    await run(['tar', '-czf', 'planted.tgz', 'package'], folder)
    const { host, methods } = await startRegistry(201, {})
    writeFileSync(join(folder, '.npmrc'), `${host}:_authToken=planted\n`)
    vi.stubEnv('NPM_CONFIG_USERCONFIG', join(folder, '.npmrc'))
    for (const name of ['GITHUB_ACTIONS', 'GITLAB_CI']) vi.stubEnv(name, undefined)

    const options = ['--registry', `http:${host}`, '--no-git-checks']
    const archive = join(folder, 'planted.tgz')
    const { code, output } = await run([...pnpm, 'publish', archive, ...options], repository)
    expect([code, output]).toEqual([1, expect.stringContaining('PROVENANCE_UNSUPPORTED_PROVIDER')])
    expect(methods).not.toContain('PUT')
  })

  test('pending changesets and uncommitted files keep a version from being published', () => {
    expect(versionNeeds(0, '')).toEqual([])
    expect(versionNeeds(2, ' M package.json\n')).toEqual([
      expect.stringContaining('2 changesets have no version: run'),
      expect.stringContaining('not committed'),
    ])
  })
})

test('an archive without licence or readme is caught', () => {
  expect(missingPapers('@quipu/core', ['package/README.md', 'package/package.json'])).toEqual([
    '@quipu/core lacks LICENSE: add it to its folder',
  ])
})

test('examples run elsewhere unless they read this repository, by themselves or by an import', () => {
  const examples = {
    'pay.ts': `import { pay } from '@quipu/client'`,
    'pay.test.ts': `import { pay } from './pay.ts'`,
    'harness.fixture.ts': `const root = new URL('../../..', import.meta.url)`,
    'steps.fixture.ts': `import { run } from './harness.fixture.ts'`,
    'steps.test.ts': `import { steps } from './steps.fixture.ts'`,
  }
  expect(portable(examples)).toEqual(['pay.ts', 'pay.test.ts'])
})

describe('the output', () => {
  const passed = { summary: 'all' }
  const missing = { summary: 'most', missing: ['a: do b'] }
  const wrong = { summary: 'none', wrong: ['a\nis wrong'] }
  const published = [] as const

  test('has a line for a step, and below it what to do', () => {
    expect(lineOf('size', 1.23, passed)).toBe('✓ size (1.2 s): all')
    expect(lineOf('size', 1, missing)).toBe('! size (1.0 s): most\n    a: do b')
    expect(lineOf('size', 1, wrong)).toBe('✗ size (1.0 s): none\n    a\n    is wrong')
  })

  test.each([
    ['a dry run passes', false, [passed], true],
    ['a dry run passes while something is missing', false, [passed, missing], true],
    ['a dry run fails when something is wrong', false, [wrong], false],
    ['everything fit is published', true, [passed], true],
    ['nothing is published while something is missing', true, [passed, missing], false],
    ['nothing is published when something is wrong', true, [missing, wrong], false],
  ])('%s', (_, publishes, results, ready) => {
    expect(conclusionOf(results, { publishes, published })).toMatchObject({ ready })
  })
})
