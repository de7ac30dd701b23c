import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { admin, apiServer } from './admin.fixture.ts'

const tenant = {
  id: 'ten_01KAGZ8M88000000000000000A',
  legal_name: 'Ejemplo S.R.L.',
  technical_contact: { name: 'Ana', email: 'ana@example.com' },
  status: 'active',
  fee_fixed: '0.100000',
  created_at: '2026-11-20T15:04:05.000Z',
}
const page = (rows: readonly unknown[], next: string | null) => ({
  status: 200,
  body: { data: rows, next_cursor: next },
})
const create = ['tenants', 'create', '--legal-name', 'Ejemplo']
const contact = ['--technical-contact-name', 'Ana', '--technical-contact-email', 'a@example.com']

test('a list is a table, whose columns fit the terminal', async () => {
  await using server = await apiServer(page([tenant], null))
  const { env } = server
  const wide = await admin(['tenants', 'list'], { env })
  expect(wide.code).toBe(0)
  const [header = '', row = ''] = wide.out.split('\n')
  expect(header).toMatch(/^ID +LEGAL_NAME +STATUS +MARGIN_BPS /)
  expect(row).toContain('Ejemplo S.R.L.  active')
  const narrow = await admin(['tenants', 'list'], { env, columns: 60 })
  expect(narrow.out.split('\n')[0]).toMatch(/^ID +LEGAL_NAME +STATUS$/)
  expect(narrow.error).toMatch(/^Too wide for this terminal: margin_bps, .*created_at/)
  const chosen = await admin(['tenants', 'list', '--columns', 'technical_contact.email,id'], { env })
  expect(chosen.out).toMatch(/^TECHNICAL_CONTACT.EMAIL {2}ID\nana@example.com {10}ten_/)
})

test('counts in an inner object are columns', async () => {
  const batch = { id: 'swb_1', treasury: 'T', transfers: { planned: 3, signed: 2, solid: 1 } }
  await using server = await apiServer(page([batch], null))
  const { out } = await admin(['sweeps', 'list'], { env: server.env })
  const [header, row] = out.split('\n')
  expect(header).toMatch(/^ID +TREASURY .* TRANSFERS\.PLANNED +TRANSFERS\.SIGNED +TRANSFERS\.SOLID /)
  expect(row).toMatch(/^swb_1 +T .* 3 +2 +1 /)
})

test('--all follows the cursors, and a page alone names the next one', async () => {
  await using one = await apiServer(page([tenant], 'abc'))
  const first = await admin(['tenants', 'list', '--limit', '1'], { env: one.env })
  expect(first.error).toBe('There are more: repeat with --all, or with --cursor abc\n')
  await using server = await apiServer(page([tenant], 'abc'), page([tenant, tenant], null))
  const args = ['tenants', 'list', '--limit', '1', '--all', '--json']
  const { code, out } = await admin(args, { env: server.env, showsProgress: true })
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual({ data: [tenant, tenant, tenant], next_cursor: null })
  expect(server.received.map(({ path }) => path)).toEqual([
    '/operator/v1/tenants?limit=1',
    '/operator/v1/tenants?limit=1&cursor=abc',
  ])
})

test('progress is written to a terminal only', async () => {
  await using server = await apiServer(page([tenant], null))
  const args = ['tenants', 'list', '--all']
  expect((await admin(args, { env: server.env })).error).toBe('')
  const shown = await admin(args, { env: server.env, showsProgress: true })
  expect(shown.error).toContain('1 read')
})

test('one object is its members, and control characters of a name do not reach the terminal', async () => {
  const body = { ...tenant, legal_name: 'Bad\u001B[2J\nname' }
  await using server = await apiServer({ status: 200, body })
  const { out } = await admin(['tenants', 'get', tenant.id], { env: server.env })
  expect(out).toContain('legal_name               Bad·[2J⏎name\n')
  expect(out).toContain('technical_contact.email  ana@example.com\n')
})

test('a proposal that waits names the command of the other operator', async () => {
  await using server = await apiServer({ status: 202, body: { id: 'prp_1', status: 'open' } })
  const args = ['deposits', 'credit', 'dep_1', '--reason', 'checked']
  const { code, error } = await admin(args, { env: server.env })
  expect(code).toBe(0)
  expect(error).toBe('Another operator approves it: quipu-admin proposals approve prp_1\n')
})

test('a refusal names the options, and the request; with --json it is the body', async () => {
  const details = [
    { field: 'technical_contact.email', message: 'must be an email address' },
    { field: 'body', message: 'must be an object' },
  ]
  const error = { code: 'VALIDATION_FAILED', message: 'no', details, request_id: 'req_1' }
  await using server = await apiServer({ status: 400, body: { error } })
  const refused = await admin([...create, ...contact], { env: server.env })
  expect(refused).toEqual({
    code: 1,
    out: '',
    error: [
      'VALIDATION_FAILED: the request is refused (400, request req_1)',
      '  --technical-contact-email must be an email address',
      '  body must be an object',
      '',
    ].join('\n'),
  })
  const raw = await admin([...create, ...contact, '--json'], { env: server.env })
  expect(JSON.parse(raw.error)).toEqual({ error })
})

test('exit codes distinguish usage, refusal and outage', async () => {
  const missing = await admin(create, { env: { QUIPU_OPERATOR_URL: 'http://127.0.0.1:1' } })
  expect(missing).toMatchObject({ code: 2, error: 'Missing: --technical-contact-name, --technical-contact-email\n' })
  expect((await admin(['tenants', 'lst'])).code).toBe(2)
  expect((await admin(['tenants', 'list', '--limt', '1'])).error).toContain('--limit')
  const env = { QUIPU_OPERATOR_URL: 'http://127.0.0.1:1', QUIPU_OPERATOR_TOKEN: 'x' }
  const gone = await admin([...create, ...contact], { env })
  expect(gone.code).toBe(3)
  expect(gone.error).toContain('http://127.0.0.1:1 did not answer: ')
  expect(gone.error).toContain('It is not known whether the request was executed')
  await using server = await apiServer({ status: 503, body: { error: { code: 'X', message: 'm' } } })
  expect((await admin(['tenants', 'list'], { env: server.env })).code).toBe(3)
  await using closed = await apiServer({ status: 403, body: { error: { code: 'ROLE_REQUIRED' } } })
  expect((await admin(['tenants', 'list'], { env: closed.env })).code).toBe(1)
})

test('--body takes the whole body, and options change its members', async () => {
  await using server = await apiServer({ status: 201, body: tenant })
  const body = JSON.stringify({ legal_name: 'A', technical_contact: { name: 'B', email: 'c@d.e' } })
  const args = ['tenant', 'create', '--body', body, '--technical-contact-name', 'Ana']
  expect((await admin(args, { env: server.env })).code).toBe(0)
  expect(server.received[0]?.body).toEqual({ legal_name: 'A', technical_contact: { name: 'Ana', email: 'c@d.e' } })
  expect((await admin([...args, '--body', '{'], { env: server.env })).error).toBe('--body must be JSON.\n')
})

test('keys generate prints settings of 32 random bytes in hex', async () => {
  const { out } = await admin(['keys', 'generate', 'ADDRESS_MAC_KEY', 'AUDIT_CHECKPOINT_KEY'])
  expect(out).toMatch(/^# .*\nADDRESS_MAC_KEY=[0-9a-f]{64}\n# .*\nAUDIT_CHECKPOINT_KEY=[0-9a-f]{64}\n$/)
  const [one, other] = await Promise.all([1, 2].map(() => admin(['keys', 'generate', '--json'])))
  expect(Object.keys(JSON.parse(one?.out ?? '{}'))).toHaveLength(5)
  expect(one?.out).not.toBe(other?.out)
})

test('keys generate writes a new file for its user alone, and never over another one', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-keys-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'keys.env')
  expect(await admin(['keys', 'generate', '--out', file])).toMatchObject({ code: 0, out: '' })
  const first = await readFile(file, 'utf8')
  expect(first).toMatch(/^WEBHOOK_SECRET_KEY=[0-9a-f]{64}$/m)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const again = await admin(['keys', 'generate', '--out', file])
  expect(again).toMatchObject({ code: 2, error: expect.stringContaining('--out: EEXIST') })
  expect(await readFile(file, 'utf8')).toBe(first)
})

test('a request whose outcome is unknown names the key that repeats it safely', async () => {
  const error = { code: 'SERVICE_UNAVAILABLE', message: 'Retry later.' }
  await using server = await apiServer({ status: 503, body: { error } }, { status: 201, body: tenant })
  const first = await admin([...create, ...contact], { env: server.env })
  expect(first.code).toBe(3)
  const [, key = ''] = /^To repeat it safely, add --idempotency-key (\S+)\n/.exec(first.error) ?? []
  const args = [...create, ...contact, '--idempotency-key', key]
  expect((await admin(args, { env: server.env })).code).toBe(0)
  const keys = server.received.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toEqual([key, key])
  expect(key).toMatch(/^[0-9a-f-]{36}$/)
})

test('a redirect is not followed: it would take the request elsewhere', async () => {
  await using other = await apiServer({ status: 200, body: { data: [], next_cursor: null } })
  await using server = await apiServer({
    status: 307,
    body: {},
    headers: { location: `${other.url}/operator/v1/tenants` },
  })
  expect((await admin(['tenants', 'list'], { env: server.env })).code).toBe(3)
  expect(other.received).toEqual([])
})

test('--only prints one member of the answer, and refuses one that no answer has before the request', async () => {
  await using server = await apiServer({ status: 201, body: tenant })
  const id = await admin([...create, ...contact, '--only', 'id'], { env: server.env })
  expect(id).toEqual({ code: 0, out: `${tenant.id}\n`, error: '' })
  const inner = [...create, ...contact, '--only', 'technical_contact.email']
  expect((await admin(inner, { env: server.env })).out).toBe('ana@example.com\n')
  const wrong = await admin([...create, ...contact, '--only', 'key'], { env: server.env })
  expect(wrong.code).toBe(2)
  expect(wrong.error).toMatch(/^--only must be one of: id, legal_name, /)
  expect(server.received).toHaveLength(2)
})

test('the text for the network’s support is printed as it is', async () => {
  const text = 'Pago QR en duda\nNúmero de referencia: 547261120000004711'
  await using server = await apiServer({ status: 200, body: { network_case: { en: 'In doubt', es: text } } })
  const { out } = await admin(['payouts', 'get', 'po_1', '--only', 'network_case.es'], { env: server.env })
  expect(out).toBe(`${text}\n`)
})

test('after a key that is shown only once, a notice says how to hand it over, and who approves it', async () => {
  await using server = await apiServer({ status: 201, body: { id: 'key_1', key: 'qpu_test_1' } })
  const args = ['api-keys', 'issue', 'ten_1', '--name', 'checkout', '--scopes', 'payouts:read']
  const { out, error } = await admin(args, { env: server.env })
  expect(out).toContain('qpu_test_1')
  const notice = 'The key is printed only here: hand it over by a secure channel.\n'
  expect(error).toBe(notice)
  const proposed = { id: 'key_1', key: 'qpu_live_1', proposal_id: 'prp_1' }
  await using live = await apiServer({ status: 202, body: proposed })
  const second = await admin([...args, '--reason', 'onboarding', '--only', 'key'], { env: live.env })
  expect(second).toEqual({
    code: 0,
    out: 'qpu_live_1\n',
    error: `${notice}Another operator approves it: quipu-admin proposals approve prp_1\n`,
  })
})

test('an operation that is named as its group is the group, and takes its text as an argument', async () => {
  await using server = await apiServer({ status: 200, body: { data: [] } })
  const { code } = await admin(['search', 'order-1', '--json'], { env: server.env })
  expect(code).toBe(0)
  expect(server.received.map(({ path }) => path)).toEqual(['/operator/v1/search?q=order-1'])
  expect((await admin(['search'], { env: server.env })).error).toContain("argument 'q'")
})
