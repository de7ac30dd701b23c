import { afterAll, beforeAll, expect, test } from 'vitest'
import config from '../dependency-cruiser.config.ts'
import type { Outcome } from './command.ts'
import { plant } from './workspace.fixture.ts'

/** A rule, the file that breaks it, and what that file imports. Of `boundary-` and `home-of-`, which are made from tables, some. */
const plants: readonly (readonly [rule: string, path: string, ...modules: string[]])[] = [
  ['boundary-core', 'packages/core/src/payout/encode.ts', '../../../wire/src/index.ts'],
  ['boundary-memory', 'packages/memory/src/rows.ts', '../../postgres/src/index.ts'],
  ['boundary-runtime', 'packages/runtime/src/json.ts', '../../wire/src/index.ts'],
  ['core-without-its-system', 'packages/core/src/ledger/instant.ts', '../system/system.ts'],
  ['boundary-client', 'packages/client/src/quotes.ts', '@quipu/core'],
  ['boundary-unlisted', 'packages/unlisted/src/main.ts', '@quipu/core'],
  ['home-of-@aws-sdk/client-sqs', 'packages/postgres/src/queue.ts', '@aws-sdk/client-sqs'],
  [
    'home-of-@opentelemetry/(context-async-hooks|core|exporter-trace-otlp-proto|resources|sdk-trace)',
    'packages/runtime/src/sdk.ts',
    '@opentelemetry/sdk-trace',
  ],
  ['home-of-dinero.js', 'packages/core/src/ledger/sum.ts', 'dinero.js'],
  ['home-of-openid-client', 'hosts/admin/src/sign-in.ts', 'openid-client'],
  ['home-of-zod-openapi', 'hosts/api/src/document.ts', 'zod-openapi'],
  ['core-imports-nothing', 'packages/core/src/file.ts', 'node:fs'],
  ['core-money-imports-dinero', 'packages/core/src/money.ts', 'node:crypto'],
  ['core-digests-import-crypto', 'packages/core/src/digest.ts', 'node:fs'],
  ['client-runs-anywhere', 'packages/client/src/read.ts', 'node:fs'],
  ['client-without-its-command', 'packages/client/src/wallet.ts', './cli/terminal.ts'],
  ['examples-use-published-packages', 'docs/examples/src/log.ts', '../../../packages/runtime/src/json.ts'],
  ['no-cycles', 'packages/wire/src/egg.ts', './hen.ts'],
  ['no-orphans', 'packages/wire/src/alone.ts'],
  ['resolvable', 'packages/wire/src/nowhere.ts', './gone.ts'],
  ['listed', 'packages/memory/src/chance.ts', 'fast-check'],
  ['no-test-code-in-production', 'packages/memory/src/proof.ts', '@quipu/contracts'],
  ['no-simulators-in-production', 'hosts/api/src/simulated.ts', '@quipu/simulators'],
  ['hosts-stand-alone', 'hosts/worker/src/main.ts', '@quipu/api'],
  ['admin-reads-settings', 'hosts/admin/src/doctor/run.ts', '../../../worker/src/main.ts'],
  ['example-is-the-api', 'hosts/example/src/main.ts', '../../worker/src/main.ts'],
  ['local-runs-hosts', 'hosts/local/src/main.ts', '../../admin/src/doctor/run.ts'],
  ['boundary-core', 'packages/core/src/proof.test.ts', '@quipu/postgres'],
  ['boundary-memory', 'packages/memory/src/rows.test.ts', '@quipu/postgres'],
  ['boundary-memory', 'packages/memory/src/serve.ts', '@quipu/api'],
  ['boundary-client', 'packages/client/src/quotes.test.ts', '@quipu/postgres'],
  ['boundary-client', 'packages/client/src/events.ts', '@quipu/wire'],
  ['client-runs-anywhere', 'packages/client/src/schema.ts', 'zod'],
  ['no-test-code-in-production', 'packages/core/src/proof.ts', 'vitest'],
]

/** Imports that a test, or another host, may have. */
const allowed: readonly (readonly [path: string, ...modules: string[]])[] = [
  ['packages/postgres/src/simulated.test.ts', '@quipu/simulators', '@quipu/contracts'],
  ['packages/core/src/hash.test.ts', 'node:crypto', 'fast-check'],
  ['packages/client/src/drift.test.ts', '@quipu/wire', 'node:fs'],
  ['packages/client/src/cli/terminal.ts', 'node:process'],
  ['packages/core/src/system/system.ts', 'node:crypto'],
  ['hosts/api/src/simulated.test.ts', '@quipu/simulators'],
  ['hosts/lab/src/process.ts', '@quipu/api', '@quipu/contracts', '@quipu/simulators'],
]

const source = (modules: readonly string[]): string =>
  modules.length === 0 ? 'export const alone: number = 1\n' : modules.map((module) => `import '${module}'\n`).join('')

const files = [...plants.map(([, ...file]) => file), ...allowed]
const planted = plant({
  ...Object.fromEntries(files.map(([path, ...modules]) => [path, source(modules)])),
  'packages/wire/src/hen.ts': source(['./egg.ts']), // The other half of the cycle.
})
let outcome: Outcome

beforeAll(async () => {
  outcome = await planted.guard('boundaries')
})
afterAll(() => planted[Symbol.dispose]())

test('a workspace with violations fails', () => {
  expect(outcome.code).not.toBe(0)
})

test.each(plants)('%s is caught in %s', (rule, path) => {
  expect(outcome.output).toContain(`error ${rule}: ${path}`)
})

test.each(allowed)('%s is allowed', (path) => {
  expect(outcome.output).not.toContain(`: ${path}`)
})

test('every rule that is written by hand has a planted violation', () => {
  const named =
    config.forbidden?.map(({ name = '' }) => name).filter((name) => !/^(boundary|home-of)-/.test(name)) ?? []
  const broken = new Set<string>(plants.map(([rule]) => rule))
  expect(named.filter((name) => !broken.has(name))).toEqual([])
})
