import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { sendRequest, type Json } from '../harness/http-client.fixture.ts'
import { viewedRecords } from '../harness/viewed-records.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
})

const read = async (path: string): Promise<Json> =>
  (await sendRequest(`${api.operatorUrl}/operator/v1${path}`, 'GET', { token: 'viewers' })).json

test('each record that a search finds is at its place', async () => {
  const records = await viewedRecords(api, tenant)
  for (const id of [tenant.id, ...Object.values(records)]) {
    const { data } = await read(`/search?q=${id}`)
    expect(data, id).toHaveLength(1)
    const place = data[0].url.replace('/operator/v1', '')
    expect(await read(place), place).toMatchObject({ id })
  }
})

test('finds a tenant by a part of its name or of its contact, whatever its case and accents', async () => {
  for (const q of ['ejemplo', 'EJÉMPLO s.r.l', 'ana@example'])
    expect((await read(`/search?q=${q}`)).data).toMatchObject([{ type: 'tenant', id: tenant.id }])
})
