import { get, type IncomingMessage, request } from 'node:http'
import { Unavailable } from '@quipu/core'
import type { TenantRecord } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { operatorToken } from '../harness/api.fixture.ts'
import { csvRecords, readCsv } from '../harness/csv.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'

const api = useTestApi('each')
const path = '/operator/v1/tenants'
const turns = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve))
}

/** Lists the same tenant again and again. @returns how many pages were read */
async function longList(pages: number, perPage = 500, failsAt = 0): Promise<() => number> {
  const tenant = (await api.stores.tenants.find((await api.tenant()).id)) as TenantRecord
  let read = 0
  api.stores.tenants.list = async ({ limit }) => {
    read++
    if (read === failsAt) throw new Unavailable('store', 'gone')
    await turns(1)
    const next = read < pages ? { createdAt: tenant.createdAt, id: tenant.id } : null
    return { items: Array.from({ length: Math.min(limit, perPage) }, () => tenant), next }
  }
  return () => read
}

const open = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${operatorToken}`, accept: 'text/csv' }
    get(`${api.operatorUrl}${path}`, { headers }, resolve).on('error', reject)
  })

test('a list is read whole, page by page, and its trailer says how many rows it has', async () => {
  const read = await longList(3, 500)
  const answer = await open()
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk)
  expect(answer.headers['content-disposition']).toBe('attachment; filename="tenants.csv"')
  expect(csvRecords(text)).toHaveLength(1_500)
  expect(answer.trailers).toEqual({ 'x-row-count': '1500' })
  expect(read()).toBe(3)
})

test('a reader that pauses stops the reading; one that leaves ends it', async () => {
  const read = await longList(100_000)
  const answer = await open()
  answer.pause()
  // Buffers of both sides fill, and then nothing more is read.
  for (let before = -1; read() !== before;) {
    before = read()
    await turns(1_000)
  }
  expect(read()).toBeLessThan(1_000)
  answer.destroy()
})

test('pages that a filter leaves empty are read no more once the reader has left', async () => {
  const read = await longList(Number.POSITIVE_INFINITY, 0)
  const answer = await open()
  await expect.poll(read).toBeGreaterThan(10)
  answer.destroy()
  for (let before = -1; read() !== before;) {
    before = read()
    await turns(100)
  }
})

test('a failure after the first page cuts the text, and one before it is an answer of its own', async () => {
  await longList(5, 500, 3)
  const cut = await readCsv(api, path)
  expect(cut.status).toBe(200)
  await expect(cut.text()).rejects.toThrow()
  await longList(5, 500, 1)
  const refused = await readCsv(api, path)
  expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: 'SERVICE_UNAVAILABLE' } }])
})

test('HEAD reads one page alone', async () => {
  const read = await longList(1_000)
  const headers = { authorization: `Bearer ${operatorToken}` }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${api.operatorUrl}${path}?format=csv`, { method: 'HEAD', headers }, resolve).on('error', reject).end()
  })
  expect(answer.statusCode).toBe(200)
  answer.resume()
  await new Promise((resolve) => answer.once('close', resolve))
  expect(read()).toBe(1)
})

const exported = async () => {
  const { json } = await api.operator('GET', '/operator/v1/audit-log?limit=50')
  const { data } = json as { data: { action: string; subject: string; actor: string; after: object }[] }
  return data.filter(({ action }) => action.startsWith('export.')).map(({ action, after }) => ({ action, ...after }))
}

test('the audit log has who takes what by which filter, and how many rows were sent', async () => {
  await longList(3)
  const taken = await readCsv(api, `${path}?text=julia%40example.com`)
  expect([taken.status, csvRecords(await taken.text()).length]).toEqual([200, 1_500])
  const filter = 'text=%5Bredacted%5D'
  const whole = { action: 'export.end', filter, rows: 1_500, complete: 'true' }
  await expect.poll(exported).toEqual([whole, { action: 'export.begin', filter }])
  await longList(100_000)
  const left = await open()
  await new Promise((resolve) => left.once('data', resolve))
  left.destroy()
  await expect.poll(async () => (await exported()).length).toBe(4)
  expect((await exported())[0]).toMatchObject({ action: 'export.end', filter: '', complete: 'false' })
})

test('nothing is sent that the audit log cannot have', async () => {
  await longList(3)
  api.stores.audit.recordExport = async () => {
    throw new Unavailable('store', 'gone')
  }
  expect((await readCsv(api, path)).status).toBe(503)
})
