import { sha256 } from '@quipu/core/adapter'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Admin, adminWith } from '../harness/admin.fixture.ts'
import { type RoleDatabase, roleDatabase } from '../harness/database-role.fixture.ts'
import { programsOf } from '../harness/programs.fixture.ts'

const resources = new AsyncDisposableStack()
let database: RoleDatabase
let folder: string
let owner: Admin
beforeAll(async () => {
  database = resources.use(await roleDatabase())
  folder = resources.adopt(await mkdtemp(path.join(tmpdir(), 'quipu-token-')), (each) => rm(each, { recursive: true }))
  owner = adminWith({ DATABASE_URL: database.url })
})
afterAll(() => resources.disposeAsync())

const tokensOf = (person: string) =>
  database.asOwner(`select role, label from quipu.operator_token where person = '${person}'`)

test('a created token is printed once, acts with its role until it expires, and is audited', async () => {
  const day = 86_400_000
  const before = Date.now()
  const { code, output } = await owner.run(
    'token',
    'create',
    'rosa',
    '--role',
    'admin',
    '--label',
    'laptop',
    '--days',
    '30',
  )
  const after = Date.now()
  expect(code).toBe(0)
  const [, expiry = '', fingerprint = '', token = ''] =
    /^Issued a token of rosa with the role admin until (\S+)\. .*fingerprint is ([0-9a-f]{16})\.\n([0-9a-f]{64})\n$/.exec(
      output,
    ) ?? []
  expect(Date.parse(expiry) - before).toBeGreaterThanOrEqual(30 * day)
  expect(Date.parse(expiry) - after).toBeLessThanOrEqual(30 * day)
  expect(sha256(token).slice(0, 16)).toBe(fingerprint)
  expect(await tokensOf('rosa')).toEqual([{ role: 'admin', label: 'laptop' }])

  const env = { DATABASE_URL: database.roleUrl, QR_NETWORK_URL: 'http://127.0.0.1:1', QR_NETWORK_TOKEN: 'token' }
  const { operatorUrl } = await programsOf(resources, env, async () => ({})).openApi()
  const rosa = adminWith({ QUIPU_OPERATOR_URL: operatorUrl, QUIPU_OPERATOR_TOKEN: token })
  const { data } = await rosa.json<{ data: object[] }>(
    'audit-log',
    'list',
    '--action',
    'operator_token.issue',
    '--limit',
    '1',
  )
  expect(data).toMatchObject([{ actor: 'database owner', after: { person: 'rosa', label: 'laptop', fingerprint } }])
  expect(JSON.stringify(data)).not.toContain(token)
})

test('--out keeps the token off the terminal, in a new file that only its owner can read', async () => {
  const file = path.join(folder, 'pedro.token')
  const create = ['token', 'create', 'pedro', '--role', 'operator', '--out', file]
  const { code, output } = await owner.run(...create)
  expect(code).toBe(0)
  const token = (await readFile(file, 'utf8')).trim()
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(output).not.toContain(token)
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  const again = await owner.run(...create)
  expect(again.code).toBe(2)
  expect(again.output).toContain('--out: EEXIST')
  expect(await tokensOf('pedro')).toHaveLength(1)
})

test('the role of the processes cannot create a token, and no file is left', async () => {
  const file = path.join(folder, 'eve.token')
  const { code, output } = await adminWith({ DATABASE_URL: database.roleUrl }).run(
    'token',
    'create',
    'eve',
    '--role',
    'admin',
    '--out',
    file,
  )
  expect(code).toBe(1)
  expect(output).toBe(
    'The token was not issued: permission denied for function bootstrap_operator_token. Set DATABASE_URL to that of the role that migrates.\n',
  )
  await expect(stat(file)).rejects.toThrow('ENOENT')
  expect(await tokensOf('eve')).toEqual([])
})

test.each([
  [['Ana', '--role', 'admin'], '<person> must be'],
  [['ana'], "required option '--role <role>' not specified"],
  [['ana', '--role', 'boss'], 'Allowed choices are viewer, operator, admin, auditor'],
  [['ana', '--role', 'admin', '--days', '367'], '--days must be a whole number from 1 to 366.'],
  [['ana', '--role', 'admin', '--label', ' '], '--label must have 1 to 100 characters.'],
])('token create %j is a wrong command line', async (args, message) => {
  const { code, output } = await owner.run('token', 'create', ...args)
  expect(code).toBe(2)
  expect(output).toContain(message)
})

test('a token of `token generate` is the one whose hash it prints', async () => {
  const { token, sha256: hash } = await adminWith({}).json<{ token: string; sha256: string }>('token', 'generate')
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(hash).toBe(sha256(token))
})

test.each([
  'token create nina --role viewer',
  'role create quipu_nina',
  'restore declare --reason test',
  'restore confirm --reason test',
  'migrate',
])('with DATABASE_STANDBY=required, `%s` is refused by a server that requires no standby', async (command) => {
  const careful = adminWith({ DATABASE_URL: database.url, DATABASE_STANDBY: 'required' })
  const { code, output } = await careful.run(...command.split(' '))
  expect(output).toContain('no standby is required by the server: synchronous_standby_names is ""')
  expect(code).toBe(3)
  expect(await tokensOf('nina')).toEqual([])
})

test('a migration of a database that does not answer hides the password, and one without a URL is a wrong command', async () => {
  const gone = adminWith({ DATABASE_URL: 'postgres://quipu:hush@127.0.0.1:1/quipu' })
  const output = 'The database was not migrated: connect ECONNREFUSED 127.0.0.1:1\n'
  expect(await gone.run('migrate')).toEqual({ code: 3, output })
  expect((await adminWith({}).run('migrate')).code).toBe(2)
})
