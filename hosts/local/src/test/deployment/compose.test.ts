/** @module-tag long */
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployedHosts } from '../harness/deployed.fixture.ts'
import { type ComposeRun, startComposeRun } from './compose-run.fixture.ts'
import { readCompose, serviceOf } from './compose.fixture.ts'

const resources = new AsyncDisposableStack()
let run: ComposeRun

beforeAll(async () => {
  run = await startComposeRun(resources)
})
afterAll(() => resources.disposeAsync())

/** On one machine the processes cannot have the addresses and ports of their containers. */
const ownAddress = { PORT: '0', OPERATOR_HOST: '127.0.0.1', OPERATOR_PORT: '0', WORKER_PORT: '0' }

test('deployed folders have no test code, no source, and no chain library', () => {
  const testCode = /\.(?:test|fixture|contract)\.|\/(?:contracts|simulators|embedded-postgres)\//
  for (const host of deployedHosts) {
    const files = run.deployed.filesOf(host)
    expect(files).toContain('dist/main.js')
    const own = files.filter((file) => /^dist\/|node_modules\/@quipu\/[^/]+\//.test(file))
    expect(own.filter((file) => testCode.test(file) || /(?<!\.d)\.ts$/.test(file))).toEqual([])
    const installed = run.deployed.installed(host)
    const never = ['tronweb', 'ethers', 'axios', 'vitest', 'fast-check', 'fauxqs', 'typescript']
    expect(never.filter((name) => installed.has(name))).toEqual([])
  }
})

test('the owner migrates, and makes the role, the keys and the tokens', async () => {
  expect(await run.finish('migrate')).toMatch(/The database is up to date; migrations run: \d+\.\n$/)
  const owner = (...args: string[]) => run.finish('migrate', {}, ...args)
  await run.write('database.env', await owner('role', 'create', 'quipu_app'))
  await run.write('keys.env', await owner('keys', 'generate'))
  for (const [person, role, file] of [
    ['ana', 'admin', 'operator'],
    ['prometheus', 'viewer', 'prometheus'],
  ] as const)
    await owner('token', 'create', person, '--role', role, '--out', path.join(run.config, `${file}.token`))
})

test('both APIs, both workers and the example server start, are healthy and stop', async () => {
  const apis = await Promise.all(['api-1', 'api-2'].map((name) => run.start(name, ownAddress)))
  const { replicas = 1 } = serviceOf(readCompose(), 'worker').deploy ?? {}
  expect(replicas).toBe(2)
  const workers = await Promise.all(
    Array.from({ length: replicas }, () => run.start('worker', { ...ownAddress, ...run.sqs })),
  )
  for (const worker of workers) await worker.untilOutput(/worker started/)
  const example = await run.start('example', ownAddress)
  await example.untilOutput(/listening at/)
  for (const api of apis) {
    const [, port = ''] = await api.untilOutput(/"url":"[^"]+:(\d+)","operator_url"/)
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    expect(await run.health('api-1', { PORT: port })).toBe(0)
  }
  expect(await run.health('api-1', { PORT: '9' })).toBe(1)
  for (const program of [...apis, ...workers]) program.signal('SIGTERM')
  expect(await Promise.all([...apis, ...workers].map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
})
