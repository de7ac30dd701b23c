import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const program = fileURLToPath(new URL('./bare-runtime.fixture.ts', import.meta.url))
const entries = ['index', 'webhook/express', 'webhook/fastify', 'webhook/fetch'].map((name) =>
  fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
)
const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

test('the client runs with only the globals that every runtime has', async () => {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']
  const { stdout } = await run(process.execPath, [...flags, program])
  expect(JSON.parse(stdout)).toEqual({
    globals: ['Buffer', 'process', 'require'].map((name) => `${name}: undefined`),
    request: 'GET https://api.example.com/v1/wallets',
    answer: { available: '1.000000' },
    received: [204, 'webhook.test'],
    refused: 400,
  })
})

test('its types need those of the web platform only', async () => {
  const settings = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024']
  const platform = ['--lib', 'es2024,webworker,webworker.asynciterable', '--types', '']
  const source = ['--allowImportingTsExtensions', '--ignoreConfig', ...entries]
  const { stdout } = await run(process.execPath, [compiler, ...settings, ...platform, ...source])
  expect(stdout).toBe('')
})
