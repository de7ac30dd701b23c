import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ExampleServer, runGuide, startExampleServer, type Step } from './five-minutes.fixture.ts'
import {
  type Archives,
  firstVersions,
  installedVersion,
  nodePackage,
  openProject,
  pack,
} from './empty-project.fixture.ts'

const opened = new AsyncDisposableStack()
let archives: Archives
/** Every published package that runs in the process of its dependents. */
const names = [
  'client',
  'contracts',
  'core',
  'http-json',
  'memory',
  'postgres',
  'qr-network',
  'rates',
  'screening',
  'sqs',
  'tracing',
  'tron',
  'webhook-http',
  'wire',
].map((name) => `@quipu/${name}`)
beforeAll(async () => {
  archives = opened.use(await pack(names.map((name) => name.replace('@quipu/', ''))))
})
afterAll(() => opened.disposeAsync())

test('the core installs dinero.js and nothing else', async () => {
  await using project = await openProject(archives, ['@quipu/core'])
  expect(project.installed.toSorted()).toEqual(['@quipu/core', 'dinero.js'])
})

const packagesInMemory = ['core', 'memory', 'wire'].map((name) => `@quipu/${name}`)

test('packed archives run and compile in an empty project', async () => {
  await using project = await openProject(archives, packagesInMemory)
  expect(await project.run('pay-in-memory.ts')).toContain(' completed 10.203353 USDT\n')
  expect(await project.compile('pay-in-memory.ts')).toBe('')
})

describe('within five minutes, from an empty folder', () => {
  let server: ExampleServer
  beforeAll(async () => {
    server = opened.use(await startExampleServer())
  })
  const run = async (heading: string): Promise<readonly string[]> => {
    const CLIENT = (archives['@quipu/client'] ?? '').replace('file:', '')
    const steps = await runGuide(heading, { CLIENT, QUIPU_API_URL: server.url })
    const total = steps.reduce((sum, { seconds }: Step) => sum + seconds, server.seconds)
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThan(300)
    return steps.map(({ printed }) => printed)
  }

  test('a QR is paid and a webhook is verified with the client', async () => {
    expect(await run('With the client')).toEqual([
      expect.stringContaining('added 1 package'),
      expect.stringMatching(/available +1000\.000000 USDT/),
      'Comercio de Ejemplo: completed, 10.203353 USDT\n',
      'verified payout.completed order-1\n',
    ])
  })

  test('a QR is paid and a webhook is verified by plain HTTP', async () => {
    const tested = expect.stringContaining('"delivered":true')
    expect(await run('By plain HTTP')).toEqual(['completed\n989.796647\n', tested, 'verified\n'])
  })
})

describe('the contract suites run', () => {
  const suites = ['own-stores.test.ts', 'own-adapter.ts', 'own-adapter.test.ts']

  test('with the first versions that the packages accept, on the first Node', async () => {
    const { versions, node } = await firstVersions(archives, names)
    const { vitest = '', 'fast-check': fastCheck = '' } = versions
    expect(vitest).toMatch(/^4\./)
    const others = { vitest, 'fast-check': fastCheck }
    const options = { others, versions, node: { [nodePackage()]: node } }
    await using project = await openProject(archives, names, options)
    expect(await project.test(...suites)).toMatch(/Test Files +2 passed/)
    expect(await project.run('pay-in-memory.ts')).toContain(' completed 10.203353 USDT\n')
  })

  test('with no other version of vitest: the install fails', async () => {
    const others = { vitest: '3.2.4', 'fast-check': installedVersion('fast-check') }
    await expect(openProject(archives, ['@quipu/contracts'], { others })).rejects.toThrow(
      /Unmet peer dependencies[^]*vitest/,
    )
  })

  test('with the versions that this repository is tested with', async () => {
    const [vitest, fastCheck] = [installedVersion('vitest'), installedVersion('fast-check')]
    expect(vitest).toMatch(/^5\./)
    const others = { vitest, 'fast-check': fastCheck }
    await using project = await openProject(archives, names, { others })
    expect(await project.test(...suites)).toMatch(/Test Files +2 passed/)
  })
})
