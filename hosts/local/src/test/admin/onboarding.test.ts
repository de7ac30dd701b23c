import { type QrNetworkSimulator, startQrNetwork, type TronDevnet } from '@quipu/simulators'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Admin, adminWith } from '../harness/admin.fixture.ts'
import { mineFreshBlocks, startChain } from '../harness/chain.fixture.ts'
import { databaseProbe } from '../harness/database-probe.fixture.ts'
import { expectAllDelivered } from '../harness/expect-deliveries.fixture.ts'
import { type Program, run } from '../harness/process.fixture.ts'
import { openStripeReceiver } from '../harness/stripe-receiver.fixture.ts'
import { emptyInstallation, type EmptyInstallation, operatorSettings } from './installation.fixture.ts'
import { onboardByPublicApi } from './public-onboarding.fixture.ts'

const documentedDatabase = 'postgres://owner@db.internal/quipu'
const documentedApi = 'http://api.internal:4001'
const envFiles = ['database.env', 'keys.env', 'settings.env']

const resources = new AsyncDisposableStack()
const own = <T extends { stop(): Promise<void> }>(thing: T): T => resources.adopt(thing, () => thing.stop())
let installation: EmptyInstallation
let owner: Admin
let operator: Admin
let chain: TronDevnet
let network: QrNetworkSimulator
let api: { readonly url: string; readonly operatorUrl: string }

beforeAll(async () => {
  installation = await emptyInstallation(resources)
  owner = adminWith({ DATABASE_URL: installation.ownerUrl })
  chain = own(await startChain())
})
afterAll(() => resources.disposeAsync())

const fileOf = (name: string): Promise<string> => readFile(path.join(installation.folder, name), 'utf8')

test('on an empty database `migrate` only shows what it would run', async () => {
  const before = await owner.run('migrate', '--status')
  expect(before.code).toBe(1)
  expect(before.output).toMatch(/0001-tenants\.sql +missing/)
  const planned = await owner.run('migrate', '--dry-run')
  expect(planned.output).toMatch(/0001-tenants\.sql\n(.*\n)+`migrate` would run \d+\.\n$/)
  const early = await owner.run('token', 'create', 'ana', '--role', 'admin')
  expect(early).toEqual({
    code: 1,
    output: 'The token was not issued: schema "quipu" does not exist. Run `quipu-admin migrate` first.\n',
  })
})

test('the owner of the database migrates, and makes the role, the keys and two tokens', async () => {
  const { code, output, errors } = await installation.runBlock(0, { [documentedDatabase]: installation.ownerUrl })
  expect({ code, errors }).toMatchObject({ code: 0 })
  expect(output).toMatch(/The database is up to date; migrations run: \d+\.\n$/)
  expect(await owner.run('migrate', '--status')).toEqual({
    code: 0,
    output: expect.stringMatching(/0001-tenants\.sql +run +2/),
  })
  const { DATABASE_URL = '' } = await installation.variables('database.env')
  expect(new URL(DATABASE_URL)).toMatchObject({ username: 'quipu_app', pathname: '/quipu' })
  const exists = { code: 1, output: expect.stringMatching(/^The role quipu_app exists: .*\n$/) }
  expect(await owner.run('role', 'create', 'quipu_app')).toEqual(exists)
  const file = (name: string): string => path.join(installation.folder, name)
  const written = await readFile(file('database.env'), 'utf8')
  const over = await owner.run('role', 'create', 'another', '--out', file('database.env'))
  expect(over).toMatchObject({ code: 2, output: expect.stringContaining('EEXIST') })
  expect(await readFile(file('database.env'), 'utf8')).toBe(written)
  expect(await owner.run('role', 'create', 'quipu_app', '--out', file('other.env'))).toEqual(exists)
  await expect(readFile(file('other.env'))).rejects.toThrow('ENOENT')
  expect(await fileOf('ana.token')).not.toBe(await fileOf('omar.token'))
})

test('`doctor` accepts the files before anything runs, and names what is missing', async () => {
  await writeFile(path.join(installation.folder, 'settings.env'), '')
  const incomplete = await installation.runBlock(1, {})
  expect(incomplete.code).toBe(1)
  expect(incomplete.output).toContain('QR_NETWORK_URL is required')
  const { QR_NETWORK_CALLBACK_SECRET: callbackSecret = '' } = await installation.variables('keys.env')
  const token = 'the-token-of-the-network'
  network = own(await startQrNetwork({ token, callbackSecret }))
  const settings = await operatorSettings(resources, { chain, network, token }, { PORT: '0', OPERATOR_PORT: '0' })
  await writeFile(path.join(installation.folder, 'settings.env'), settings)
  mineFreshBlocks(chain) // The doctor checks their age.
  const { code, output } = await installation.runBlock(1, {})
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(output).toMatch(/ 0 warn, 0 fail\n$/)
})

async function startPrograms(): Promise<void> {
  const env = await installation.variables(...envFiles)
  const started = (file: string): Program => resources.adopt(run(file, env), (program) => program.kill())
  const program = started('api/src/main.ts')
  const [, url = '', operatorUrl = ''] = await program.untilOutput(/"url":"([^"]+)","operator_url":"([^"]+)"/)
  await started('worker/src/main.ts').untilOutput(/worker started/)
  network.setCallbackUrl(`${url}/network/callbacks`)
  api = { url, operatorUrl }
  const [tokenFile] = [path.join(installation.folder, 'ana.token')]
  operator = adminWith({ QUIPU_OPERATOR_URL: operatorUrl, QUIPU_OPERATOR_TOKEN_FILE: tokenFile })
}

test('an admin onboards a tenant, with pricing, limits and a key; then every check is green', async () => {
  await startPrograms()
  mineFreshBlocks(chain)
  const { code, output, errors } = await installation.runBlock(2, { [documentedApi]: api.operatorUrl })
  expect({ code, output, errors }).toMatchObject({
    code: 0,
    errors: 'The key is printed only here: hand it over by a secure channel.\n',
  })
  expect(output).toMatch(/^legal_name +Ejemplo S\.R\.L\.$/m)
  expect(output).toMatch(/^margin_bps +150$/m)
  expect(output).toMatch(/^ok +api\.token +/m)
  expect(output).toMatch(/ 0 warn, 0 fail\n$/)
  expect(await fileOf('tenant.key')).toMatch(/^qpu_test_\S+\n$/)
  const listed = await operator.run('tenants', 'list')
  expect(listed.output).toMatch(/^ID +LEGAL_NAME.*\nten_\w+ +Ejemplo S.R.L. +active/)
})

test('spec §1, onboarding steps 3 to 6, by the public API alone', async () => {
  const receiver = own(await openStripeReceiver())
  const apiKey = (await fileOf('tenant.key')).trim()
  await onboardByPublicApi(expect, { url: api.url, apiKey, chain, receiver })
  const database = own(databaseProbe(installation.superuserUrl))
  expect(await expectAllDelivered(expect, { database, receiver })).toHaveLength(3)
})
