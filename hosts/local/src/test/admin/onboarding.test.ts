import { testDatabase } from '@quipu/embedded-postgres/testing'
import pg from 'pg'
import { expect, test } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { adminWith } from '../harness/admin.fixture.ts'
import { programsOf } from '../harness/programs.fixture.ts'
import { operatorToken } from '../harness/tenant.fixture.ts'

const network = { QR_NETWORK_URL: 'http://127.0.0.1:1', QR_NETWORK_TOKEN: 'token' }

const sql = async (url: string, text: string): Promise<void> => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(text)
  await client.end()
}

test('spec §1, onboarding steps 1 and 2, on an empty database by quipu-admin alone', async () => {
  await using resources = new AsyncDisposableStack()
  const { url, drop } = await testDatabase({ templateName: 'empty', migrate: async () => {} })
  resources.defer(drop)
  const owner = adminWith({ DATABASE_URL: url })

  const before = await owner.run('migrate', '--status')
  expect(before.code).toBe(1)
  expect(before.output).toMatch(/0001-tenants\.sql +missing/)
  const planned = await owner.run('migrate', '--dry-run')
  expect(planned.output).toMatch(/0001-tenants\.sql\n(.*\n)+`migrate` would run \d+\.\n$/)
  expect((await owner.run('migrate')).output).toMatch(/The database is up to date; migrations run/)
  const after = await owner.run('migrate', '--status')
  expect(after).toEqual({ code: 0, output: expect.stringMatching(/0001-tenants\.sql +run +2/) })

  const role = `quipu_app_${process.pid}`
  resources.defer(() => sql(url, `drop role ${role}`))
  const created = await owner.json<{ database_url: string }>('role', 'create', role)
  const { database_url: processUrl } = created
  expect(new URL(processUrl).password).toHaveLength(32)
  const again = await owner.run('role', 'create', role)
  expect(again.output).toContain(`The role ${role} exists`)

  const { startApi } = programsOf(
    resources,
    { DATABASE_URL: processUrl, ...network },
    async () => ({}),
  )
  const api = await startApi()
  const operator = adminWith({
    QUIPU_OPERATOR_URL: api.operatorUrl,
    QUIPU_OPERATOR_TOKEN: operatorToken,
  })
  const contact = ['--technical-contact-name', 'Ana Quispe']
  const email = ['--technical-contact-email', 'ana@example.com']
  const { id } = await operator.json<{ id: string }>(
    ...['tenant', 'create', '--legal-name', 'Ejemplo S.R.L.', ...contact, ...email],
  )
  const priced = await operator.json('tenants', 'update', id, '--margin-bps', '150')
  expect(priced).toMatchObject({ id, status: 'active', margin_bps: 150 })
  const scopes = ['payouts:write', 'payouts:read', 'wallet:read']
  const { key } = await operator.json<{ key: string }>(
    ...['api-keys', 'issue', id, '--name', 'checkout', '--scopes', ...scopes],
  )
  const headers = { 'x-api-key': key }
  const wallet = await askJson(api.url, { method: 'GET', path: '/v1/wallets', headers })
  expect(wallet).toMatchObject({ status: 200, json: { available: '0.000000' } })

  const listed = await operator.run('tenants', 'list')
  expect(listed.output).toMatch(new RegExp(`^ID +LEGAL_NAME.*\\n${id} +Ejemplo S.R.L. +active`))
  const unknown = await operator.run('tenants', 'get', 'ten_01KAGZ8M88000000000000000A')
  expect(unknown.code).toBe(1)
  expect(unknown.output).toMatch(/^TENANT_NOT_FOUND: .* \(404, request [\w-]+\)\n$/)
  const doctor = adminWith({ DATABASE_URL: processUrl }).run('doctor', '--json')
  expect((await doctor).output).toContain('"check":"database.role","status":"ok"')
  const refused = await operator.run('tenants', 'update', id, '--margin-bps', '5001')
  expect(refused.output).toMatch(/\n {2}--margin-bps must be a whole number from 0 to 5000\n$/)

  const intact = await operator.run('audit', 'verify')
  expect(intact).toEqual({
    code: 0,
    output: expect.stringMatching(/^Every entry up to \d+ is as it was written\.\n$/),
  })
  await sql(
    url,
    `alter table quipu.audit_log disable trigger user;
     update quipu.audit_log set actor = 'eve' where id = 2`,
  )
  const changed = await operator.run('audit', 'verify')
  expect(changed.code).toBe(1)
  expect(changed.output).toMatch(/^Entry 2: .*\nTreat it as a break-in/)
})
