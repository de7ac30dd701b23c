import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeApi, openFakeApi } from './faults/fake-api.fixture.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const client = fileURLToPath(new URL('..', import.meta.url))

let folder: string
let api: FakeApi

/** The README's programs, in a project that has installed the client. */
beforeAll(async () => {
  api = await openFakeApi()
  folder = await mkdtemp(path.join(tmpdir(), 'quipu-readme-'))
  await mkdir(path.join(folder, 'node_modules', '@quipu'), { recursive: true })
  await symlink(client, path.join(folder, 'node_modules', '@quipu', 'client'), 'junction')
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  const readme = await readFile(path.join(client, 'README.md'), 'utf8')
  const programs = [...readme.matchAll(/^```ts\n(.+?)^```$/gms)].map(([, program = '']) => program)
  const names = ['pay', 'errors', 'hooks', 'receive']
  expect(programs).toHaveLength(names.length)
  for (const [index, program] of programs.entries()) {
    await writeFile(path.join(folder, `${names[index]}.ts`), program)
  }
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function node(...args: readonly string[]): Promise<string> {
  const env = { QUIPU_API_URL: api.url, QUIPU_API_KEY: api.apiKey, QUIPU_WEBHOOK_SECRETS: 'whsec_new,whsec_old' }
  return (await run(process.execPath, ['--conditions=source', ...args], { cwd: folder, env })).stdout
}
const evaluate = (program: string): Promise<string> => node('--input-type=module', '--eval', program)

test('the programs of the README compile', async () => {
  const types = ['--types', 'node', '--typeRoots', path.join(root, 'node_modules', '@types')]
  const settings = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024']
  const source = ['--customConditions', 'source', '--allowImportingTsExtensions']
  const files = ['pay.ts', 'errors.ts', 'hooks.ts', 'receive.ts']
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  expect(await node(compiler, ...settings, ...types, ...source, ...files)).toBe('')
})

test('the first one pays', async () => {
  expect(await node('pay.ts')).toMatch(
    /^Tienda Sol gets 100.00 BOB for 10.203353 USDT\ncompleted without an error\norder-\S+ completed\n$/,
  )
})

test('the second one distinguishes a refusal from an uncertain payment', async () => {
  const order = `{ transaction_id: 'order-2', type: 'qr', quote_id: 'none', qr: { content: 'x' } }`
  const program = `import { pay } from './errors.ts'; console.log(await pay(${order}))`
  expect(await evaluate(program)).toBe('QUOTE_ALREADY_USED\n')
})

test('the third one logs its call', async () => {
  expect(await node('hooks.ts')).toMatch(/^getWallet 200 [0-9a-f-]{36}\n$/)
})

test('the fourth one accepts signatures of either secret', async () => {
  const printed = await evaluate(`
    import { signWebhook } from '@quipu/client'
    import receiver from './receive.ts'
    const data = { transaction_id: 'order-1', status: 'completed' }
    const post = async (secret) => {
      const body = JSON.stringify({ id: secret, type: 'payout.completed', data })
      const headers = await signWebhook({ id: secret, body }, secret)
      const request = new Request('https://a.example', { method: 'POST', headers, body })
      console.log((await receiver.fetch(request)).status)
    }
    console.error = () => {}
    for (const secret of ['whsec_new', 'whsec_old', 'whsec_foreign']) await post(secret)
  `)
  expect(printed).toBe('order-1 completed\n204\norder-1 completed\n204\n400\n')
})
