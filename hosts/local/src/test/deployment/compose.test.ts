import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onboardByPublicApi } from '../admin/public-onboarding.fixture.ts'
import { deployedHosts } from '../harness/deployed.fixture.ts'
import { type Program, until } from '../harness/process.fixture.ts'
import { openStripeReceiver } from '../harness/stripe-receiver.fixture.ts'
import { closedQr, tenantAt } from '../harness/tenant.fixture.ts'
import { type ComposeRun, startComposeRun } from './compose-run.fixture.ts'
import { readCompose, serviceOf } from './compose.fixture.ts'

const resources = new AsyncDisposableStack()
let run: ComposeRun
type Api = Program & { readonly url: string; readonly operatorUrl: string }
let apis: readonly Api[]
let workers: readonly Program[]
let key = ''

beforeAll(async () => {
  run = await startComposeRun(resources)
})
afterAll(() => resources.disposeAsync())

/** On one machine the processes cannot have the addresses and ports of their containers. */
const ownAddress = { PORT: '0', OPERATOR_HOST: '127.0.0.1', OPERATOR_PORT: '0', WORKER_PORT: '0' }

const urlsOf = async (program: Program): Promise<{ url: string; operatorUrl: string }> => {
  const line = /"url":"[^"]+:(\d+)","operator_url":"([^"]+)"/
  const [, port = '', operatorUrl = ''] = await program.untilOutput(line)
  return { url: `http://127.0.0.1:${port}`, operatorUrl }
}

/** `docker compose run --rm admin …`, with the API's address on this machine. */
const admin = (...args: string[]): Promise<string> =>
  run.finish(
    'admin',
    {
      QUIPU_OPERATOR_URL: apis[0]?.operatorUrl ?? '',
      QUIPU_OPERATOR_TOKEN_FILE: path.join(run.config, 'operator.token'),
    },
    ...args,
  )

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

test('both APIs, both workers and the example server start and are healthy', async () => {
  const started = await Promise.all(
    ['api-1', 'api-2'].map(async (name) => {
      const program = await run.start(name, ownAddress)
      return { ...program, ...(await urlsOf(program)) }
    }),
  )
  apis = started
  const { replicas = 1 } = serviceOf(readCompose(), 'worker').deploy ?? {}
  expect(replicas).toBe(2)
  workers = await Promise.all(
    Array.from({ length: replicas }, () => run.start('worker', { ...ownAddress, ...run.sqs })),
  )
  for (const worker of workers) await worker.untilOutput(/worker started/)
  run.network.setCallbackUrl(`${apis[0]?.url ?? ''}/network/callbacks`)
  const example = await run.start('example', ownAddress)
  await example.untilOutput(/listening at/)
  for (const { url } of apis) {
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(await run.health('api-1', { PORT: new URL(url).port })).toBe(0)
  }
  expect(await run.health('api-1', { PORT: '9' })).toBe(1)
})

test('an operator onboards a tenant by quipu-admin, which funds its wallet and pays through the first API', async () => {
  const contact = ['--technical-contact-name', 'Ana', '--technical-contact-email', 'ana@example.com']
  const tenant = (await admin('tenants', 'create', '--legal-name', 'Ejemplo', ...contact, '--only', 'id')).trim()
  const scopes = ['payouts:write', 'payouts:read', 'wallet:read', 'wallet:write']
  const more = ['webhooks:read', 'webhooks:write', '--only', 'key']
  const printed = await admin('api-keys', 'issue', tenant, '--name', 'checkout', '--scopes', ...scopes, ...more)
  key = /qpu_test_\S+/.exec(printed)?.[0] ?? ''
  const [one] = apis
  const receiver = resources.adopt(await openStripeReceiver(), (it) => it.stop())
  const { chain } = run
  await onboardByPublicApi(expect, { url: one?.url ?? '', apiKey: key, chain, receiver })
})

test('while the first API drains and stops, the tenant pays through the second', async () => {
  const [one, two] = apis
  one?.signal('SIGTERM')
  await until('the load balancer sees 503', async () => (await fetch(`${one?.url ?? ''}/readyz`)).status === 503)
  const through = tenantAt(two?.url ?? '', key)
  const quoted = await through.order(run.network.issueQr(closedQr('paid')).content)
  const order = { ...quoted, transaction_id: 'while-draining' }
  expect(await through.pay(order)).toMatchObject({ status: 201, json: { status: 'completed' } })
  expect(await one?.ended).toBe(0)
  const { payments } = run.network.ledger()
  expect(payments.map(({ times_paid }) => times_paid)).toEqual([1, 1])
  apis = apis.slice(1)
})

test('the processes stop', async () => {
  for (const program of [...apis, ...workers]) program.signal('SIGTERM')
  expect(await Promise.all([...apis, ...workers].map(({ ended }) => ended))).toEqual([0, 0, 0])
})
