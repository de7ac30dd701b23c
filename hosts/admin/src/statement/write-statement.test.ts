import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { admin, apiServer } from '../test/admin.fixture.ts'
import { csvServer } from '../test/csv-server.fixture.ts'

const tenant = 'ten_01K6HZ8M00000000000000000A'
const csv = [
  'record,created_at,id,direction,type,currency,amount,balance_after\r\n',
  'opening,2026-11-20T00:00:00.000Z,,,,USDT,,0.000000\r\n',
  'transaction,2026-11-20T10:00:00.000Z,wtx_1,in,deposit,USDT,25.000000,25.000000\r\n',
  'closing,2026-11-21T00:00:00.000Z,,,,USDT,,25.000000\r\n',
]

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-statement-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('prints the CSV as the API sends it, by default of yesterday', async () => {
  const { env, paths } = await csvServer(csv)
  const { code, out, error } = await admin(['statement', tenant], { env })
  expect({ code, out, error }).toEqual({ code: 0, out: csv.join(''), error: '' })
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  expect(paths).toEqual([`/operator/v1/tenants/${tenant}/statements/${yesterday}?timezone=UTC&format=csv`])
})

test('writes a file that only its owner can read', async () => {
  const { env } = await csvServer(csv)
  const file = path.join(await newFolder(), 'day.csv')
  const { code, out, error } = await admin(['statement', tenant, '2026-11-20', '--out', file], { env })
  expect({ code, out, error }).toEqual({
    code: 0,
    out: '',
    error: `The statement of 2026-11-20, UTC, is in ${file}.\n`,
  })
  expect(await readFile(file, 'utf8')).toBe(csv.join(''))
})

test.each([
  ['without its row `closing`', csv.slice(0, 3), 'end', /^The statement is incomplete/],
  ['whose connection is cut', csv, 'cut', /did not answer completely/],
] as const)('an answer %s leaves no file', async (_, chunks, end, message) => {
  const { env } = await csvServer(chunks, end)
  const folder = await newFolder()
  const file = path.join(folder, 'day.csv')
  const { code, error } = await admin(['statement', tenant, '2026-11-20', '--out', file], { env })
  expect(code).toBe(3)
  expect(error).toMatch(message)
  expect(await readdir(folder)).toEqual([])
})

test('--json is the whole day as one object', async () => {
  const day = { period: '2026-11-20', status: 'final', opening_balance: '0.000000' }
  await using server = await apiServer(
    { status: 200, body: { ...day, data: [{ id: 'wtx_1' }], next_cursor: 'abc' } },
    { status: 200, body: { ...day, data: [{ id: 'wtx_2' }], next_cursor: null } },
  )
  const { env } = server
  const { code, out } = await admin(['statement', tenant, '2026-11-20', '--json'], { env })
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual({ ...day, data: [{ id: 'wtx_1' }, { id: 'wtx_2' }] })
  expect(server.received.map(({ path }) => path.split('?')[1])).toEqual(
    ['limit=100', 'limit=100&cursor=abc'].map((page) => `timezone=UTC&${page}`),
  )
})

test('a refusal is the API’s', async () => {
  const error = { code: 'TENANT_NOT_FOUND', message: 'There is no such tenant.' }
  await using server = await apiServer({ status: 404, body: { error } })
  const refused = await admin(['statement', tenant, '2026-11-20'], { env: server.env })
  expect(refused.code).toBe(1)
  expect(refused.error).toMatch(/^TENANT_NOT_FOUND: There is no such tenant\. \(404\)\n$/)
})

test('a month in La Paz is asked for by its name; another text is refused before a request', async () => {
  const { env, paths } = await csvServer(csv)
  const args = ['statement', tenant, '2026-11', '--timezone', 'America/La_Paz']
  expect((await admin(args, { env })).code).toBe(0)
  expect(paths).toEqual([`/operator/v1/tenants/${tenant}/statements/2026-11?timezone=America%2FLa_Paz&format=csv`])
  const refused = await admin(['statement', tenant, '2026-13'], { env })
  expect(refused).toMatchObject({ code: 2, error: expect.stringContaining('neither a month such as 2026-11') })
  expect(paths).toHaveLength(1)
})
